package record

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"
)

// blockLine is the first line of a block, before its other lines.
type blockLine struct {
	Block  int           `json:"block"` // numbered from 0 on
	At     time.Duration `json:"at"`    // of its first line
	State  string        `json:"state,omitempty"`
	GoesOn bool          `json:"goesOn,omitempty"` // the next block has more of what the screen got at once
	Bytes  int           `json:"bytes"`            // of the lines
	CRC    string        `json:"crc32c"`           // of the lines
}

// The values of State of blocks with a whole state. Their lines change nothing: they are the state that the lines
// before them have made.
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

// compression returns what compresses the texts of a file, each by itself: see Options.Path. A compressed text is valid
// until the next one.
func compression(path string) (compress func(text []byte) ([]byte, error), err error) {
	switch filepath.Ext(path) {
	case ".zst":
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		return func(text []byte) ([]byte, error) { return encoder.EncodeAll(text, nil), nil }, err
	case ".gz":
		var out bytes.Buffer
		member := gzip.NewWriter(&out)
		return func(text []byte) ([]byte, error) {
			out.Reset()
			member.Reset(&out)
			_, err := member.Write(text)
			if err == nil {
				err = member.Close()
			}
			return out.Bytes(), err
		}, nil
	}
	return func(text []byte) ([]byte, error) { return text, nil }, nil
}
