package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// files are the files of a recording that is being written.
type files struct {
	options *Options
	do      func(work) work // see Recorder
	part    int

	file    io.WriteCloser
	size    int64 // bytes in the file
	encoder encoder
	line    bytes.Buffer
}

// encoder compresses what is written, or writes it as it is.
type encoder interface {
	io.Writer
	Flush() error
	Close() error
}

type plainEncoder struct{ io.Writer }

func (plainEncoder) Flush() error { return nil }
func (plainEncoder) Close() error { return nil }

// createFile creates a file that only its owner can read.
func createFile(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// partPath returns the path of a part of a recording.
func partPath(path string, part int) string {
	if part == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, part)
}

// countingWriter counts what is written to a file.
type countingWriter struct{ files *files }

func (w countingWriter) Write(p []byte) (int, error) {
	before := w.files.do(writing)
	n, err := w.files.file.Write(p)
	w.files.do(before)
	w.files.size += int64(n)
	return n, err
}

// open creates the file of the part, and writes its header.
func (f *files) open() (err error) {
	if f.file, err = f.options.create(partPath(f.options.Path, f.part)); err != nil {
		return err
	}
	f.size = 0
	var buffered io.Writer = countingWriter{f}
	switch filepath.Ext(f.options.Path) {
	case ".zst":
		f.encoder, err = zstd.NewWriter(buffered, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			return err
		}
	case ".gz":
		f.encoder = gzip.NewWriter(buffered)
	default:
		f.encoder = plainEncoder{buffered}
	}
	if err := f.writeLine(f.options.Header.line(f.part)); err != nil {
		return errors.Join(err, f.file.Close())
	}
	return f.flush()
}

func (f *files) writeLine(value any) error {
	f.line.Reset()
	if err := appendLine(&f.line, value); err != nil {
		return err
	}
	_, err := f.encoder.Write(f.line.Bytes())
	return err
}

// write writes an event, and begins the next file if this one is full.
func (f *files) write(e *event) error {
	if err := f.writeLine(e); err != nil || f.size < f.options.Size || e.Kind == closed {
		return err
	}
	if err := f.writeLine(&event{At: e.At, Kind: continued}); err != nil {
		return err
	}
	if err := f.close(); err != nil {
		return err
	}
	f.part++
	return f.open()
}

// flush writes all that has come to the file.
func (f *files) flush() error { return f.encoder.Flush() }

func (f *files) close() error {
	return errors.Join(f.encoder.Close(), f.file.Close())
}
