package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// fileTape is a recording in files.
type fileTape struct {
	tape
	path   string
	limit  int // of positions
	files  []*frameFile
	blocks []blockPlace
	end    time.Duration // of the last entry
}

// blockPlace is where a block is.
type blockPlace struct {
	part    int
	offset  int64
	at      time.Duration // of its first line
	isState bool
	begins  bool // a whole state begins with it
}

// The limits of what a recording may make the program keep.
const (
	maxBlocks      = 4 << 20
	maxTexts       = 256 << 20 // bytes of lines beyond what usual ones have
	maxIdentifiers = 10_000    // parties and markets of a header, or streams that are watched
)

var errNoRecording = errors.New("this is not a recording of blotter")

// openTape opens a recording of at most limit positions, and reads all of it once: it checks the blocks, and keeps the
// events. An error means that the file is no recording.
func openTape(path string, limit int) (*tape, error) {
	t := &fileTape{path: path, limit: limit}
	t.source = t
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
	return &t.tape, nil
}

// close implements source.
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
	header, err := file.read(0)
	switch {
	case err != nil || json.Unmarshal(header.first, &line) != nil || line.Recording == 0:
		return line, 0, errNoRecording
	case line.Recording < formatVersion:
		return line, 0, errors.New("it was recorded by an older blotter: only that version can play it")
	case line.Recording > formatVersion:
		return line, 0, fmt.Errorf("the recording was made by a newer blotter (%s)", line.Version)
	}
	return line, header.next, nil
}

// index reads all blocks from a place in the first file on.
func (t *fileTape) index(at int64) {
	reader, goesOn, ends := new(lineReader), false, ""
	last := time.Duration(-1) // of the last block
	for ends != closed && t.damage == nil {
		b, err := t.files[len(t.files)-1].read(at)
		head := &b.head
		if errors.Is(err, io.EOF) {
			err = errors.New("the recording was not ended in order")
		}
		if err == nil && (head.Block != len(t.blocks) || head.At < last || len(t.blocks) == maxBlocks) {
			err = errors.New("it is not the next block")
		}
		if err == nil {
			ends, err = t.readLines(reader, head.State != "", b.lines)
		}
		if err != nil {
			t.damaged(len(t.files)-1, at, err)
			break
		}
		t.blocks = append(t.blocks, blockPlace{len(t.files) - 1, at, head.At, head.State != "", head.State == stateBegins})
		last, goesOn, at = head.At, head.GoesOn, b.next
		if ends == continued {
			at = t.openNext()
		}
	}
	if t.to = t.end; goesOn {
		t.to-- // not all that the screen got then is there
	}
	if len(t.blocks) > 0 {
		t.from = min(t.blocks[0].at, t.to)
	}
	for n := len(t.blocks); n > 0 && t.blocks[n-1].isState; n-- { // a whole state with nothing after it may be cut off
		t.blocks = t.blocks[:n-1]
	}
}

// openNext opens the file in which the recording continues, and returns the place of its first block.
func (t *fileTape) openNext() int64 {
	part := len(t.files)
	line, at, err := t.openPart()
	if err == nil && (line.Part != part || !line.Start.Equal(t.header.Start)) {
		err = errors.New("it does not continue the recording")
	}
	if err != nil {
		t.damaged(part, 0, err)
	}
	return at
}

func (t *fileTape) damaged(part int, at int64, err error) {
	t.damage = &DamagedError{partPath(t.path, part), at, t.header.Start.Add(t.end), err.Error()}
}

// readLines keeps the events of a block, and returns how the file ends with it; empty if it does not.
func (t *fileTape) readLines(reader *lineReader, isState bool, lines []byte) (ends string, err error) {
	eventName, endsName, droppedName := []byte(`,"event":`), []byte(`,"ends":"`), []byte(`,"dropped":`)
	for line := range bytes.Lines(lines) {
		at, ok := timeOf(line)
		if !ok || at < t.end {
			return "", errBadLine
		}
		t.end = at
		if isState {
			continue
		}
		head := line[:min(len(line), 64)]
		if !bytes.Contains(head, eventName) && !bytes.Contains(head, endsName) && !bytes.Contains(head, droppedName) {
			continue
		}
		e, err := reader.read(bytes.TrimSuffix(line, []byte{'\n'}))
		if err != nil {
			return "", err
		}
		t.dropped += e.Dropped
		ends = cmp.Or(e.Ends, ends)
		t.addEvent(e)
	}
	return ends, nil
}

// open implements source.
func (t *fileTape) open(to time.Duration) (*cursor, error) {
	from := 0
	for i := range t.blocks {
		if b := &t.blocks[i]; b.at > to {
			break
		} else if b.begins {
			from = i
		}
	}
	r := &fileReader{tape: t}
	c := &cursor{reader: r, state: newState(t.header.Start, t.limit), block: from, to: t.to}
	for ; c.block < len(t.blocks) && t.blocks[c.block].isState; c.block++ {
		if err := r.load(c.block); err != nil {
			return nil, err
		}
		if err := applyRest(r, c.state); err != nil {
			return nil, err
		}
	}
	r.texts = 0
	return c, nil
}

// fileReader reads blocks of files.
type fileReader struct {
	tape  *fileTape
	lines []byte // of the block, those that are not applied yet
	lineReader
	texts int // bytes that lines have beyond what usual ones have, since the whole state
}

// open implements blockReader. A block of a whole state has nothing that changes anything.
func (r *fileReader) open(block int) (ok bool, err error) {
	if block >= len(r.tape.blocks) {
		return false, nil
	}
	if r.tape.blocks[block].isState {
		return true, nil
	}
	return true, r.load(block)
}

func (r *fileReader) load(block int) error {
	place := &r.tape.blocks[block]
	b, err := r.tape.files[place.part].read(place.offset)
	if r.lines = b.lines; err != nil {
		return fmt.Errorf("%s: byte %d: reading a block again: %w", partPath(r.tape.path, place.part), place.offset, err)
	}
	return nil
}

// peek implements blockReader.
func (r *fileReader) peek() (time.Duration, bool) { return timeOf(r.lines) }

// apply implements blockReader.
func (r *fileReader) apply(s *state) error {
	line, rest, _ := bytes.Cut(r.lines, []byte{'\n'})
	r.lines = rest
	e, err := r.read(line)
	if err != nil {
		return err
	}
	const usual = 1 << 10 // bytes
	r.texts += max(0, len(line)-usual*(1+len(e.positions)+len(e.levels)))
	if r.texts > maxTexts || e.Watched != nil && len(*e.Watched) > maxIdentifiers {
		return errors.New("it has more or longer texts than a recording has")
	}
	return s.load(e)
}
