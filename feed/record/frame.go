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
	errNoBlock = errors.New("it is no block")
	// errNotAlone is why a recording cannot be read if its header and its blocks are not in frames of their own.
	errNotAlone = errors.New("another program has compressed it: unpack it first")
)

type frameFile struct {
	path string
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
	f := &frameFile{path: path, file: file, gzip: filepath.Ext(name) == ".gz"}
	if filepath.Ext(name) == ".zst" {
		f.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	}
	return f, err
}

func (f *frameFile) close() error {
	if f.zstd != nil {
		f.zstd.Close()
	}
	return f.file.Close()
}

// frame is the header of a recording or a block: its first line, and what follows it in a block.
type frame struct {
	head  blockLine // zero in a header
	first []byte
	lines []byte
	next  int64 // the place of the next one
}

// read returns the frame that begins at a place in the file. It returns io.EOF at the end of the file.
func (f *frameFile) read(at int64) (frame, error) {
	section := io.NewSectionReader(f.file, at, 1<<62)
	in := bufio.NewReaderSize(section, 64<<10)
	if _, err := in.Peek(1); err != nil {
		return frame{}, err
	}
	var read frame
	text, err := f.decompressed(in)
	if err == nil {
		err = read.from(text)
	}
	if err == nil && text != in && text.Buffered() > 0 {
		err = errNotAlone
	} else if err == nil && f.gzip { // its checksum is read with its end
		if _, more := text.Peek(1); !errors.Is(more, io.EOF) {
			err = cmp.Or(more, errNotAlone)
		}
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errCut
	case errors.Is(err, zstd.ErrMagicMismatch):
		err = fmt.Errorf("it is not compressed with zstd: %w", err)
	}
	end, _ := section.Seek(0, io.SeekCurrent)
	read.next = at + end - int64(in.Buffered())
	return read, err
}

// decompressed returns what reads the text of one frame. It reads no byte of the next frame, unless the caller does.
func (f *frameFile) decompressed(in *bufio.Reader) (*bufio.Reader, error) {
	switch {
	case f.zstd != nil:
		return bufio.NewReader(f.zstd), f.zstd.Reset(in)
	case f.gzip:
		member, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		member.Multistream(false)
		return bufio.NewReader(member), nil
	}
	return in, nil
}

// maxHead is how many bytes the first line of a file or a block may have.
const maxHead = 4 << 20

// from reads a frame. Its first line says how long it is.
func (b *frame) from(text *bufio.Reader) error {
	for isEnd := false; !isEnd; {
		some, err := text.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if isEnd = err == nil; len(b.first)+len(some) > maxHead+1 {
			return errTooLong
		}
		b.first = append(b.first, some...)
	}
	if err := json.Unmarshal(b.first, &b.head); err != nil {
		return fmt.Errorf("%w: %w", errNoBlock, err)
	}
	if b.head.Bytes < 0 || b.head.Bytes > maxBlock {
		return errTooLong
	}
	var lines bytes.Buffer
	lines.Grow(min(b.head.Bytes, 4*blockSize) + bytes.MinRead) // the length may be wrong
	_, err := io.CopyN(&lines, text, int64(b.head.Bytes))
	b.lines = lines.Bytes()
	if err == nil && (b.head.Bytes > 0 || b.head.CRC != "") && b.head.CRC != checksum(b.lines) {
		err = errors.New("its checksum is wrong")
	}
	return err
}
