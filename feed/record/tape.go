package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"blotter/model/event"
)

// tape is a recording that can be read from several places.
type tape interface {
	// open returns a cursor at the last whole state before a time, or at the beginning.
	open(to time.Duration) (cursor, error)
	// length returns the first and the last time, and what is wrong with the recording; nil if nothing is.
	length() (from, to time.Duration, damage *DamagedError)
	// happened returns the events after a time, up to another. They must not be changed.
	happened(after, to time.Duration) []event.Event
	// dropped returns how many states of rows it does not have, because writing it was too slow.
	dropped() int
	close() error
}

// cursor reads a tape forward. It has the state at its place.
type cursor interface {
	// state is the state at the place of the cursor.
	state() *state
	// peek returns the time of what comes next, and false at the end.
	peek() (at time.Duration, ok bool)
	// next goes on over everything that has that time, and calls take with each entry after it was loaded.
	next(take func(*entry)) error
}

// DamagedError is the error if a recording ends too early: it was cut off, or the program did not end it in order.
type DamagedError struct {
	Path   string
	Offset int64     // in the file
	At     time.Time // of the last entry before
	Why    string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: byte %d: %s; the recording ends at %s", e.Path, e.Offset, e.Why, e.At.Format("2006-01-02 15:04:05 MST"))
}

// blockPlace is where a block is.
type blockPlace struct {
	part    int
	offset  int64
	at      time.Duration // of its first line
	isState bool
	begins  bool // a whole state begins with it
	usable  bool // and all of that state is there
}

// fileTape is a recording in files.
type fileTape struct {
	path   string
	header Header
	limit  int // of positions
	files  []*frameFile
	blocks []blockPlace

	happenings
	end    time.Duration // of the last entry
	until  time.Duration // what has this time or a later one is not whole; 0 if all is
	damage *DamagedError // nil if the recording was ended in order
	states int           // of rows that are not in the recording
}

// The limits of what a recording may make the program keep.
const (
	maxBlocks      = 4 << 20
	maxTexts       = 256 << 20 // bytes of lines beyond what usual ones have
	maxIdentifiers = 10_000    // parties and markets of a header, or streams that are watched
)

var errNoRecording = errors.New("this is not a recording of blotter")

// openTape opens a recording, and reads all of it once: it checks the blocks, and keeps the events. An error means that
// the file is no recording.
func openTape(path string, limit int) (*fileTape, error) {
	t := &fileTape{path: path, limit: limit}
	line, at, err := t.openPart()
	switch {
	case err != nil:
	case line.Part != 0:
		err = fmt.Errorf("this is part %d of a recording: name its first file, without .%[1]d at the end", line.Part)
	case len(line.Parties)+len(line.Markets) > maxIdentifiers:
		err = fmt.Errorf("its header names more than %d parties and markets", maxIdentifiers)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), t.close())
	}
	t.header = line.header()
	t.index(at)
	return t, nil
}

func (t *fileTape) close() (err error) {
	for _, file := range t.files {
		err = errors.Join(err, file.close())
	}
	t.files = nil
	return err
}

// openPart opens the next file, reads its header, and returns the place of its first block.
func (t *fileTape) openPart() (line headerLine, at int64, err error) {
	file, err := openFrames(partPath(t.path, len(t.files)), t.path)
	if err != nil {
		if known, ok := errors.AsType[*fs.PathError](err); ok {
			err = known.Err
		}
		return line, 0, err
	}
	t.files = append(t.files, file)
	text, at, err := file.read(0)
	if file.begins(`{"recording":1,`) {
		return line, 0, errors.New("it was recorded by an older blotter: only that version can play it")
	}
	switch {
	case err != nil || json.Unmarshal(text, &line) != nil || line.Recording == 0:
		return line, 0, errNoRecording
	case line.Recording != formatVersion:
		return line, 0, fmt.Errorf("the recording was made by a newer blotter (%s)", line.Version)
	}
	return line, at, nil
}

// index reads all blocks from a place in the first file on.
func (t *fileTape) index(at int64) {
	reader, goesOn, number := new(lineReader), false, 0
	last := time.Duration(-1) // of the last block
	for t.damage == nil {
		file := t.files[len(t.files)-1]
		text, next, err := file.read(at)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the recording was not ended in order")
			}
			t.damaged(at, err)
			break
		}
		head, lines, err := parseBlock(text)
		switch {
		case err != nil:
		case head.Block != number || head.At < last || len(t.blocks) == maxBlocks:
			err = errors.New("it is not the next block")
		}
		if err != nil {
			t.damaged(at, err)
			break
		}
		number, last = number+1, head.At
		ends, err := t.readLines(reader, head.State != "", lines)
		if err != nil {
			t.damaged(at, err)
			break
		}
		t.addBlock(blockPlace{part: len(t.files) - 1, offset: at, at: head.At, isState: head.State != "", begins: head.State == stateBegins})
		goesOn, at = head.Goes, next
		if ends == closed {
			return
		}
		if ends == continued {
			line, first, err := t.openPart()
			if err == nil && (line.Part != len(t.files)-1 || !line.Start.Equal(t.header.Start)) {
				err = errors.New("it does not continue the recording")
			}
			if err != nil {
				t.damage = &DamagedError{partPath(t.path, len(t.files)), 0, t.header.Start.Add(t.end), err.Error()}
				break
			}
			at = first
		}
	}
	if goesOn {
		t.until = t.end
	}
}

func (t *fileTape) damaged(at int64, err error) {
	t.damage = &DamagedError{partPath(t.path, len(t.files)-1), at, t.header.Start.Add(t.end), err.Error()}
}

// addBlock adds a block. A whole state can be used if a block follows it.
func (t *fileTape) addBlock(b blockPlace) {
	t.blocks = append(t.blocks, b)
	if b.isState && !b.begins {
		return
	}
	for i := len(t.blocks) - 2; i >= 0 && t.blocks[i].isState; i-- {
		if t.blocks[i].begins {
			t.blocks[i].usable = true
			return
		}
	}
}

// readLines keeps the events of a block, and returns how the file ends with it; empty if it does not.
func (t *fileTape) readLines(reader *lineReader, isState bool, lines []byte) (ends string, err error) {
	eventName, endsName, droppedName := []byte(`,"event":`), []byte(`,"ends":"`), []byte(`,"dropped":`)
	for line := range bytes.Lines(lines) {
		at, ok := timeOf(line)
		if !ok || time.Duration(at) < t.end {
			return "", errBadLine
		}
		t.end = time.Duration(at)
		if isState {
			continue
		}
		head := line[:min(len(line), 64)]
		if !bytes.Contains(head, eventName) && !bytes.Contains(head, endsName) && !bytes.Contains(head, droppedName) {
			continue
		}
		var e entry
		if err := reader.read(bytes.TrimSuffix(line, []byte{'\n'}), &e); err != nil {
			return "", err
		}
		t.states += e.Dropped
		if e.Ends != "" {
			ends = e.Ends
		}
		if happened, ok := e.event(); ok {
			t.add(e.At, happened)
		}
	}
	return ends, nil
}

// length implements tape.
func (t *fileTape) length() (from, to time.Duration, damage *DamagedError) {
	if len(t.blocks) > 0 {
		from = t.blocks[0].at
	}
	if t.until > 0 {
		return from, max(from, t.until-1), t.damage
	}
	return from, max(from, t.end), t.damage
}

// dropped implements tape.
func (t *fileTape) dropped() int { return t.states }

// happened implements tape.
func (t *fileTape) happened(after, to time.Duration) []event.Event {
	if t.until > 0 {
		to = min(to, t.until-1)
	}
	return t.happenings.happened(after, to)
}
