package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// writer writes the files of a recording. After an error it does nothing.
type writer struct {
	options  *Options
	part     int
	file     io.WriteCloser
	size     int64 // bytes in the file
	compress func(text []byte) ([]byte, error)
	block    blockLine // the block that is filled
	lines    []byte    // of it
	opened   time.Time // when its first line came
	text     []byte    // of the last block: its memory is used again
	changed  int       // bytes of lines since the last whole state
	err      error
}

// newWriter creates the first file.
func newWriter(options *Options) (w *writer, err error) {
	w = &writer{options: options}
	if w.compress, err = compression(options.Path); err != nil {
		return nil, err
	}
	if w.open(); w.err != nil {
		return nil, w.err
	}
	return w, nil
}

func partPath(path string, part int) string {
	if part == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, part)
}

// open creates the file of the part, and writes its header.
func (w *writer) open() {
	file, err := w.options.create(partPath(w.options.Path, w.part))
	if err != nil {
		w.err = err
		return
	}
	w.file, w.size = file, 0
	line, err := json.Marshal(headerLine{formatVersion, w.part, w.options.Header})
	if w.err = err; err == nil {
		w.writeFrame(append(line, '\n'))
	}
	if w.err != nil {
		w.err = errors.Join(w.err, file.Close())
	}
}

func (w *writer) writeFrame(text []byte) {
	frame, err := w.compress(text)
	if err == nil {
		_, err = w.file.Write(frame)
	}
	w.size += int64(len(frame))
	w.err = errors.Join(w.err, err)
}

// beginMoment begins what the screen got at once. Before that, it writes the whole state if as many changes have come
// since the last one as it has rows, and begins the next file if this one is full.
func (w *writer) beginMoment(s *state) {
	if w.err != nil {
		return
	}
	const bytesOfRow, bytesOfLink = 256, 1024
	isFull := w.size >= w.options.Size
	if isFull {
		w.end(s.at, continued)
		if w.part++; w.err == nil {
			w.open()
		}
	}
	whole := s.Len()*bytesOfRow + s.Margins().Len()*bytesOfRow + len(s.links)*bytesOfLink + blockSize/2
	if isFull || w.changed >= whole {
		w.flush(false)
		w.block.State = stateBegins
		s.emitWhole()
		w.flush(false)
		w.block.State, w.changed = "", 0
	}
}

func (w *writer) writeEntry(e *entry) {
	if w.err != nil {
		return
	}
	if len(w.lines) == 0 {
		w.block.At, w.opened = e.At, time.Now()
	}
	before := len(w.lines)
	w.lines, w.err = appendLine(w.lines, e)
	w.changed += len(w.lines) - before
	if len(w.lines) >= blockSize {
		w.flush(true)
	}
}

// flush writes the block, if it has lines. With goesOn, more lines of the same time follow.
func (w *writer) flush(goesOn bool) {
	if w.err != nil || len(w.lines) == 0 {
		return
	}
	w.block.GoesOn = goesOn && w.block.State == ""
	w.block.Bytes, w.block.CRC = len(w.lines), checksum(w.lines)
	head, err := json.Marshal(&w.block)
	if err != nil {
		w.err = fmt.Errorf("writing a block: %w", err)
		return
	}
	w.text = append(append(append(w.text[:0], head...), '\n'), w.lines...)
	w.writeFrame(w.text)
	if w.lines = w.lines[:0]; cap(w.lines) > 4*blockSize {
		w.lines, w.text = nil, nil
	}
	w.block.Block++
	if w.block.State != "" {
		w.block.State = stateGoesOn
	}
}

// flushOld writes the block if its first line is older than flushEvery.
func (w *writer) flushOld() {
	if len(w.lines) > 0 && time.Since(w.opened) >= flushEvery {
		w.flush(false)
	}
}

// end writes what is left, and closes the file. ends says how it ends.
func (w *writer) end(at time.Duration, ends string) {
	w.writeEntry(&entry{At: at, Ends: ends})
	w.flush(false)
	w.err = errors.Join(w.err, w.file.Close())
}
