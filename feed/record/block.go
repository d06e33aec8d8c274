package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"
)

// blockLine is the first line of a block, before its other lines.
type blockLine struct {
	Block int           `json:"block"` // numbered from 0 on
	At    time.Duration `json:"at"`    // of its first line
	State string        `json:"state,omitempty"`
	Goes  bool          `json:"goesOn,omitempty"` // what the screen was told at once goes on in the next block
	Bytes int           `json:"bytes"`            // of the lines
	CRC   string        `json:"crc32c"`           // of the lines
}

// What a block with a whole state is. Its lines change nothing: they say again what the lines before them have made.
const (
	stateBegins = "begins"
	stateGoesOn = "goesOn"
)

// blockSize is how many bytes of lines end a block.
const blockSize = 512 << 10

// maxBlock is how many bytes a block that is read may have: one line may be long.
const maxBlock = 96 << 20

var checksums = crc32.MakeTable(crc32.Castagnoli)

func checksum(lines []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(lines, checksums)) }

// frames turns texts into what is written to a file.
type frames struct {
	zstd *zstd.Encoder
	gzip *gzip.Writer
	out  bytes.Buffer
}

func newFrames(path string) (f frames, err error) {
	switch filepath.Ext(path) {
	case ".zst":
		f.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	case ".gz":
		f.gzip = gzip.NewWriter(nil)
	}
	return f, err
}

// frame returns a text as it is written: each is compressed by itself. It is valid until the next call.
func (f *frames) frame(text []byte) ([]byte, error) {
	switch {
	case f.zstd != nil:
		return f.zstd.EncodeAll(text, f.out.AvailableBuffer()), nil
	case f.gzip != nil:
		f.out.Reset()
		f.gzip.Reset(&f.out)
		if _, err := f.gzip.Write(text); err != nil {
			return nil, err
		}
		err := f.gzip.Close()
		return f.out.Bytes(), err
	}
	return text, nil
}

// block is a block that is being written.
type block struct {
	blockLine
	lines  []byte
	opened time.Time
	text   []byte
}

// add adds an entry.
func (b *block) add(e *entry) (err error) {
	if len(b.lines) == 0 {
		b.At, b.opened = e.At, time.Now()
	}
	b.lines, err = appendLine(b.lines, e)
	return err
}

// end returns the text of the block, and begins the next one.
func (b *block) end() ([]byte, error) {
	b.Bytes, b.CRC = len(b.lines), checksum(b.lines)
	head, err := json.Marshal(&b.blockLine)
	if err != nil {
		return nil, fmt.Errorf("writing a block: %w", err)
	}
	b.text = append(append(append(b.text[:0], head...), '\n'), b.lines...)
	b.Block++
	b.lines = b.lines[:0]
	if cap(b.lines) > 4*blockSize {
		b.lines, b.text = nil, b.text[:len(b.text):len(b.text)]
	}
	text := b.text
	if cap(b.text) > 4*blockSize {
		b.text = nil
	}
	return text, nil
}

// parseBlock returns the head and the lines of a block.
func parseBlock(text []byte) (head blockLine, lines []byte, err error) {
	first, lines, found := bytes.Cut(text, []byte{'\n'})
	switch {
	case !found || json.Unmarshal(first, &head) != nil:
		return head, nil, fmt.Errorf("it is no block")
	case head.Bytes != len(lines) || head.CRC != checksum(lines):
		return head, nil, fmt.Errorf("its checksum is wrong")
	}
	return head, lines, nil
}
