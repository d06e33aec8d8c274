package record

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is how many bytes zstd may repeat; it writes with less.
const maxWindow = 32 << 20

var (
	errCut     = errors.New("the file is cut off")
	errTooLong = errors.New("it is longer than a block of a recording")
)

// frameFile is a file that is read frame by frame.
type frameFile struct {
	file *os.File
	zstd *zstd.Decoder // nil if the file is not compressed with it
	gzip bool
}

// openFrames opens a file. The name of the recording says how it is compressed.
func openFrames(path, name string) (*frameFile, error) {
	// It is read more than once, and the other end of a pipe may keep the program waiting for ever.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it must be a file, because it is read more than once")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &frameFile{file: file, gzip: filepath.Ext(name) == ".gz"}
	if filepath.Ext(name) == ".zst" {
		f.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxBlock))
	}
	return f, err
}

func (f *frameFile) close() error {
	if f.zstd != nil {
		f.zstd.Close()
	}
	return f.file.Close()
}

// readBlock returns the block that begins at a place in the file, and the place of the next one. It returns io.EOF at
// the end of the file.
func (f *frameFile) readBlock(at int64) (head blockLine, lines []byte, next int64, err error) {
	text, next, err := f.read(at)
	if err == nil {
		head, lines, err = parseBlock(text)
	}
	return head, lines, next, err
}

// read returns the text of the frame that begins at a place in the file, and the place of the next one. It returns
// io.EOF at the end of the file.
func (f *frameFile) read(at int64) (text []byte, next int64, err error) {
	section := io.NewSectionReader(f.file, at, 1<<62)
	in := bufio.NewReaderSize(section, 64<<10)
	if _, err := in.Peek(1); err != nil {
		return nil, at, err
	}
	switch {
	case f.zstd != nil:
		text, err = f.readZstd(in)
	case f.gzip:
		text, err = readGzip(in)
	default:
		text, err = readPlain(in)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	read, _ := section.Seek(0, io.SeekCurrent)
	return text, at + read - int64(in.Buffered()), err
}

// begins reports whether the text of the file, in whatever frames, begins with some words.
func (f *frameFile) begins(words string) bool {
	var text io.Reader = io.NewSectionReader(f.file, 0, 1<<62)
	var err error
	switch {
	case f.zstd != nil:
		if err = f.zstd.Reset(text); err == nil {
			defer f.zstd.Reset(nil)
			text = f.zstd
		}
	case f.gzip:
		text, err = gzip.NewReader(text)
	}
	begin := make([]byte, len(words))
	if err == nil {
		_, err = io.ReadFull(text, begin)
	}
	return err == nil && string(begin) == words
}

// readZstd reads one frame. Its length is found by the heads of its parts.
func (f *frameFile) readZstd(in *bufio.Reader) ([]byte, error) {
	some, err := in.Peek(zstd.HeaderMaxSize)
	if err != nil && len(some) == 0 {
		return nil, err
	}
	var head zstd.Header
	if err := head.Decode(some); err != nil || head.Skippable {
		return nil, fmt.Errorf("it is not compressed with zstd: %w", cmp.Or(err, errCut))
	}
	var frame bytes.Buffer
	if err := readInto(&frame, in, int64(head.HeaderSize)); err != nil {
		return nil, err
	}
	for last := false; !last; {
		if err := readInto(&frame, in, 3); err != nil {
			return nil, err
		}
		b := frame.Bytes()[frame.Len()-3:]
		block := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		last = block&1 != 0
		size := block >> 3
		if block>>1&3 == 1 { // one byte that is repeated
			size = 1
		}
		if err := readInto(&frame, in, size); err != nil {
			return nil, err
		}
	}
	if head.HasCheckSum {
		if err := readInto(&frame, in, 4); err != nil {
			return nil, err
		}
	}
	return f.zstd.DecodeAll(frame.Bytes(), nil)
}

// readInto reads n bytes to the end of a buffer.
func readInto(to *bytes.Buffer, from io.Reader, n int64) error {
	if n > maxBlock-int64(to.Len()) {
		return errTooLong
	}
	_, err := io.CopyN(to, from, n)
	return err
}

// readGzip reads one member.
func readGzip(in *bufio.Reader) ([]byte, error) {
	member, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	member.Multistream(false)
	text, err := io.ReadAll(io.LimitReader(member, maxBlock+1))
	if err == nil && len(text) > maxBlock {
		err = errTooLong
	}
	return text, err
}

// maxHead is how many bytes the first line of a file or a block may have.
const maxHead = 4 << 20

// readPlain reads the header of a recording, or a block: its first line says how long it is.
func readPlain(in *bufio.Reader) ([]byte, error) {
	var text bytes.Buffer
	for isEnd := false; !isEnd; {
		some, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if isEnd = err == nil; text.Len()+len(some) > maxHead+1 {
			return nil, errTooLong
		}
		text.Write(some)
	}
	var head blockLine
	if err := json.Unmarshal(text.Bytes(), &head); err != nil {
		return nil, fmt.Errorf("it is no block: %w", err)
	}
	if head.Bytes < 0 {
		return nil, errTooLong
	}
	err := readInto(&text, in, int64(head.Bytes))
	return text.Bytes(), err
}
