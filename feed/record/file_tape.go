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

// opening opens the tape of a recording in files.
type opening struct {
	*tape
	path   string
	reader lineReader
	blocks int           // how many were read
	end    time.Duration // of the last entry
	empty  int           // blocks in a row
}

// fileBlock is where a block is.
type fileBlock struct {
	file   *frameFile
	offset int64
}

// The limits of what a recording may make the program keep.
const (
	maxBlocks      = 4 << 20
	maxTexts       = 256 << 20 // bytes of lines beyond what usual ones have
	maxIdentifiers = 10_000    // parties and markets of a header, or streams that are watched
	maxEmpty       = 100       // blocks without lines in a row: blotter writes none
)

var errNoRecording = errors.New("this is not a recording of blotter")

// openTape opens a recording of at most limit positions, and reads all of it once: it checks the blocks, and keeps the
// events. An error means that the file is no recording.
func openTape(path string, limit int) (*tape, error) {
	t := &opening{tape: &tape{limit: limit}, path: path}
	line, at, err := t.openPart()
	switch {
	case err != nil:
	case line.Part != 0:
		err = fmt.Errorf("this is part %d of a recording: name its first file, without .%[1]d at the end", line.Part)
	case len(line.Parties)+len(line.Markets) > maxIdentifiers:
		err = fmt.Errorf("its header names more than %d parties and markets", maxIdentifiers)
	default:
		err = line.check()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), t.close())
	}
	t.header = line.Header
	if t.index(at); t.empty > maxEmpty {
		return nil, errors.Join(fmt.Errorf("%s: it has more than %d empty blocks in a row", path, maxEmpty), t.close())
	}
	return t.tape, nil
}

// openPart opens the next file, reads its header, and returns the place of its first block.
func (t *opening) openPart() (line headerLine, at int64, err error) {
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
	case json.Unmarshal(header.first, &line) != nil || line.Recording == 0:
		return line, 0, errNoRecording
	case line.Recording < formatVersion:
		return line, 0, errors.New("it was recorded by an older blotter: only that version can play it")
	case line.Recording > formatVersion:
		return line, 0, fmt.Errorf("the recording was made by a newer blotter (%s)", line.Version)
	case errors.Is(err, errNotAlone):
		return line, 0, errNotAlone
	case err != nil:
		return line, 0, errNoRecording
	}
	return line, header.next, nil
}

// index reads all blocks from a place in the first file on.
func (t *opening) index(at int64) {
	goesOn, ends := false, ""
	last := time.Duration(-1) // of the last block
	t.starts = []start{{}}
	for ends != closed && t.damage == nil && t.empty <= maxEmpty {
		file := t.files[len(t.files)-1]
		b, err := file.read(at)
		head := &b.head
		if errors.Is(err, io.EOF) {
			err = errors.New("the recording was not ended in order")
		}
		if err == nil && (head.Block != t.blocks || head.At < last || t.blocks == maxBlocks) {
			err = errors.New("it is not the next block")
		}
		if err == nil {
			err = head.check()
		}
		if err == nil {
			ends, err = t.readLines(head.State != "", b.lines)
		}
		if err != nil {
			t.damaged(len(t.files)-1, at, err)
			break
		}
		if t.blocks == 0 {
			t.from = head.At
		}
		if t.empty++; len(b.lines) > 0 {
			t.empty = 0
		}
		t.addBlock(head, &fileBlock{file, at})
		last, goesOn, at = head.At, head.GoesOn, b.next
		if ends == continued {
			at = t.openNext()
		}
	}
	if t.to = t.end; goesOn {
		t.to-- // not all that the screen got then is there
	}
	t.from = min(t.from, t.to)
	if n := len(t.starts) - 1; n > 0 && t.starts[n].block == len(t.tape.blocks) {
		t.starts = t.starts[:n] // a whole state with nothing after it may be cut off
	}
}

func (t *opening) addBlock(head *blockLine, b *fileBlock) {
	t.blocks++
	if head.State == "" {
		t.tape.blocks = append(t.tape.blocks, b)
		return
	}
	if head.State == stateBegins {
		t.starts = append(t.starts, start{at: head.At, block: len(t.tape.blocks)})
	}
	whole := &t.starts[len(t.starts)-1].whole
	*whole = append(*whole, b)
}

// openNext opens the file in which the recording continues, and returns the place of its first block.
func (t *opening) openNext() int64 {
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

func (t *opening) damaged(part int, at int64, err error) {
	t.damage = &DamagedError{partPath(t.path, part), at, t.header.Start.Add(t.end), err.Error()}
}

// readLines keeps the events of a block, and returns how the file ends with it; empty if it does not.
func (t *opening) readLines(isState bool, lines []byte) (ends string, err error) {
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
		e, err := t.reader.read(bytes.TrimSuffix(line, []byte{'\n'}))
		if err != nil {
			return "", err
		}
		t.dropped += e.Dropped
		ends = cmp.Or(e.Ends, ends)
		t.addEvent(e)
	}
	return ends, nil
}

// open implements block.
func (b *fileBlock) open(r *reader) error {
	read, err := b.file.read(b.offset)
	if errors.Is(err, io.EOF) {
		err = errCut
	}
	r.data, r.lines, r.place = read.lines, 0, fmt.Sprintf("%s, byte %d", b.file.path, b.offset)
	if err != nil {
		return unreadable(err, r.place)
	}
	return nil
}
