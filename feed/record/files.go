package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// files are the files of a recording that is being written. After an error they do nothing.
type files struct {
	options *Options
	part    int
	file    io.WriteCloser
	size    int64 // bytes in the file
	frames  frames
	block   block
	last    time.Duration // of the last entry
	changed int           // bytes of lines since the last whole state
	inState bool
	err     error
}

// createFiles creates the first file.
func createFiles(options *Options) (f *files, err error) {
	f = &files{options: options}
	if f.frames, err = newFrames(options.Path); err != nil {
		return nil, err
	}
	if f.open(); f.err != nil {
		return nil, f.err
	}
	return f, nil
}

// partPath returns the path of a part of a recording.
func partPath(path string, part int) string {
	if part == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, part)
}

// open creates the file of the part, and writes its header.
func (f *files) open() {
	file, err := f.options.create(partPath(f.options.Path, f.part))
	if err != nil {
		f.err = err
		return
	}
	f.file, f.size = file, 0
	var line bytes.Buffer
	if f.err = json.NewEncoder(&line).Encode(f.options.Header.line(f.part)); f.err == nil {
		f.writeFrame(line.Bytes())
	}
	if f.err != nil {
		f.err = errors.Join(f.err, file.Close())
	}
}

func (f *files) writeFrame(text []byte) {
	frame, err := f.frames.frame(text)
	if err == nil {
		_, err = f.file.Write(frame)
	}
	f.size += int64(len(frame))
	f.err = errors.Join(f.err, err)
}

// begin begins what the screen was told at a time. Before that, it writes the whole state if as many changes have come
// since the last one as it has rows, and begins the next file if this one is full.
func (f *files) begin(at time.Duration, s *state) {
	if f.err != nil || at == f.last {
		return
	}
	f.last = at
	const bytesOfRow, bytesOfLink = 256, 1024
	isFull := f.size >= f.options.Size
	if isFull {
		f.add(&entry{At: s.at, Ends: continued})
		f.flush(false)
		if f.err == nil {
			f.err = f.file.Close()
		}
		if f.part++; f.err == nil {
			f.open()
		}
	}
	whole := s.Len()*bytesOfRow + s.Margins().Len()*bytesOfRow + len(s.links)*bytesOfLink + blockSize/2
	if isFull || f.changed >= whole {
		f.flush(false)
		f.inState, f.block.State = true, stateBegins
		s.emitWhole()
		f.flush(false)
		f.inState, f.block.State, f.changed = false, "", 0
	}
}

// add adds an entry.
func (f *files) add(e *entry) {
	if f.err != nil {
		return
	}
	before := len(f.block.lines)
	f.err = f.block.add(e)
	f.changed += len(f.block.lines) - before
	if len(f.block.lines) >= blockSize {
		f.flush(true)
	}
}

// flush writes the block, if it has lines. With goesOn, more lines of the same time follow.
func (f *files) flush(goesOn bool) {
	if f.err != nil || len(f.block.lines) == 0 {
		return
	}
	f.block.Goes = goesOn && !f.inState
	text, err := f.block.end()
	if f.err = err; err == nil {
		f.writeFrame(text)
	}
	if f.inState {
		f.block.State = stateGoesOn
	}
}

// flushOld writes the block if its first line is older than flushEvery. With goesOn, more
// lines of the same time follow.
func (f *files) flushOld(goesOn bool) {
	if len(f.block.lines) > 0 && time.Since(f.block.opened) >= flushEvery {
		f.flush(goesOn)
	}
}

// close writes what is left, and closes the last file.
func (f *files) close(at time.Duration) {
	f.add(&entry{At: at, Ends: closed})
	f.flush(false)
	f.err = errors.Join(f.err, f.file.Close())
}
