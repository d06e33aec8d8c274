package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"
)

// The limits of what is read at once.
const (
	maxLine   = 64 << 20 // bytes of a line
	maxWindow = 32 << 20 // bytes that zstd may repeat; it writes with less
)

// DamagedError is the error if a recording ends too early: it was cut off, or the program did not end it in order.
type DamagedError struct {
	Path string
	At   time.Time // of the last event before
	Why  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: %s; the recording ends at %s", e.Path, e.Why, e.At.Format("2006-01-02 15:04:05 MST"))
}

// reader reads the events of a recording, one part after another.
type reader struct {
	path   string
	header Header
	part   int
	last   time.Duration // of the last event

	file    *os.File
	decoder io.Closer
	lines   *bufio.Reader
}

// openReader opens a recording. An error means that the file is not a recording.
func openReader(path string) (*reader, error) {
	r := &reader{path: path}
	line, err := r.open()
	if err != nil {
		r.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if line.Part != 0 {
		r.close()
		return nil, fmt.Errorf("%s: this is part %d of a recording: name its first file, without .%[2]d at the end", path, line.Part)
	}
	r.header = line.header()
	return r, nil
}

// open opens the file of the part, and reads its header.
func (r *reader) open() (line headerLine, err error) {
	// It is opened again to go back, and the other end of a pipe may keep the program waiting for ever.
	if info, err := os.Stat(partPath(r.path, r.part)); err == nil && !info.Mode().IsRegular() {
		return line, errors.New("it must be a file, because it is read more than once")
	}
	if r.file, err = os.Open(partPath(r.path, r.part)); err != nil {
		if known, ok := errors.AsType[*fs.PathError](err); ok {
			err = known.Err
		}
		return line, err
	}
	var text io.Reader = r.file
	switch filepath.Ext(r.path) {
	case ".zst":
		decoder, err := zstd.NewReader(r.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return line, err
		}
		text, r.decoder = decoder, decoder.IOReadCloser()
	case ".gz":
		decoder, err := gzip.NewReader(r.file)
		if err != nil {
			return line, errNoRecording
		}
		text, r.decoder = decoder, decoder
	}
	r.lines = bufio.NewReaderSize(text, 1<<20)
	first, err := r.line()
	if err != nil || json.Unmarshal(first, &line) != nil || line.Recording == 0 {
		return line, errNoRecording
	}
	if line.Recording != formatVersion {
		return line, fmt.Errorf("the recording was made by a newer blotter (%s)", line.Version)
	}
	if len(line.Parties)+len(line.Markets)+len(line.Addresses) > maxIdentifiers {
		return line, fmt.Errorf("its header names more than %d parties, markets and addresses", maxIdentifiers)
	}
	return line, nil
}

// maxIdentifiers is how many parties, markets and addresses a header may name. Each party or market can be a stream.
const maxIdentifiers = 10_000

var errNoRecording = errors.New("this is not a recording of blotter")

func (r *reader) close() {
	if r.decoder != nil {
		_ = r.decoder.Close()
		r.decoder = nil
	}
	if r.file != nil {
		_ = r.file.Close()
	}
}

// next returns the next event. Its error is io.EOF at the end of a recording that was ended in order, or a
// *DamagedError.
func (r *reader) next() (event, error) {
	for {
		line, err := r.line()
		var e event
		switch {
		case err != nil:
			return event{}, r.damaged(err.Error())
		case json.Unmarshal(line, &e) != nil || e.At < r.last:
			return event{}, r.damaged("a line cannot be read")
		}
		r.last = e.At
		switch e.Kind {
		case closed:
			return event{}, io.EOF
		case continued:
			if err := r.nextPart(); err != nil {
				return event{}, r.damaged(err.Error())
			}
		default:
			return e, nil
		}
	}
}

// nextPart continues with the next file.
func (r *reader) nextPart() error {
	r.close()
	r.part++
	switch line, err := r.open(); {
	case err != nil:
		return err
	case line.Part != r.part || !line.Start.Equal(r.header.Start):
		return errors.New("it does not continue the recording")
	}
	return nil
}

func (r *reader) damaged(why string) error {
	return &DamagedError{partPath(r.path, r.part), r.header.Start.Add(r.last), why}
}

// line reads one line.
func (r *reader) line() ([]byte, error) {
	var long []byte
	for {
		some, err := r.lines.ReadSlice('\n')
		switch {
		case err == nil && long == nil:
			return some, nil
		case err == nil:
			return append(long, some...), nil
		case errors.Is(err, bufio.ErrBufferFull):
			if long = append(long, some...); len(long) > maxLine {
				return nil, errors.New("a line is too long")
			}
		case len(bytes.TrimSpace(some)) == 0 && errors.Is(err, io.EOF):
			return nil, errors.New("the recording was not ended in order")
		default:
			return nil, errors.New("the file is cut off")
		}
	}
}
