package record

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// open implements tape.
func (t *fileTape) open(to time.Duration) (cursor, error) {
	from := 0
	for i := range t.blocks {
		if b := &t.blocks[i]; b.at > to {
			break
		} else if b.usable {
			from = i
		}
	}
	c := &fileCursor{tape: t, block: from - 1, now: newState(t.header.Start, t.limit), reader: new(lineReader)}
	for i := from; i < len(t.blocks) && t.blocks[i].isState; i++ {
		if i > from && t.blocks[i].begins {
			break
		}
		if err := c.loadBlock(i); err != nil {
			return nil, err
		}
		for len(c.lines) > 0 {
			if err := c.line(nil); err != nil {
				return nil, err
			}
		}
		c.block = i
	}
	c.texts = 0
	return c, nil
}

// fileCursor is a cursor in a file.
type fileCursor struct {
	tape   *fileTape
	now    *state
	block  int    // the block that is read
	lines  []byte // of it, those that are not read yet
	reader *lineReader
	entry  entry
	texts  int   // bytes that lines have beyond what usual ones have, since the whole state
	err    error // why a block could not be read
}

func (c *fileCursor) state() *state { return c.now }

// loadBlock reads a block.
func (c *fileCursor) loadBlock(i int) error {
	place := &c.tape.blocks[i]
	text, _, err := c.tape.files[place.part].read(place.offset)
	if err == nil {
		_, c.lines, err = parseBlock(text)
	}
	if err != nil {
		return fmt.Errorf("%s: byte %d: reading a block again: %w", partPath(c.tape.path, place.part), place.offset, err)
	}
	return nil
}

// peek implements cursor.
func (c *fileCursor) peek() (time.Duration, bool) {
	for len(c.lines) == 0 && c.err == nil {
		next := c.block + 1
		for next < len(c.tape.blocks) && c.tape.blocks[next].isState {
			next++
		}
		if next >= len(c.tape.blocks) {
			return 0, false
		}
		c.block, c.err = next, c.loadBlock(next)
	}
	nanoseconds, _ := timeOf(c.lines)
	at := time.Duration(nanoseconds)
	return at, c.err == nil && (c.tape.until == 0 || at < c.tape.until)
}

// next implements cursor.
func (c *fileCursor) next(take func(*entry)) error {
	for first, ok := c.peek(); ok; {
		if err := c.line(take); err != nil {
			return err
		}
		at, more := c.peek()
		ok = more && at == first
	}
	return c.err
}

// line loads the next line.
func (c *fileCursor) line(take func(*entry)) error {
	line, rest, _ := bytes.Cut(c.lines, []byte{'\n'})
	c.lines = rest
	if err := c.reader.read(line, &c.entry); err != nil {
		return err
	}
	e := &c.entry
	const usual = 1 << 10 // bytes
	c.texts += max(0, len(line)-usual*(1+len(e.positions)+len(e.levels)))
	if c.texts > maxTexts || e.Watched != nil && len(*e.Watched) > maxIdentifiers {
		return errors.New("it has more or longer texts than a recording has")
	}
	if err := c.now.load(e); err != nil {
		return fmt.Errorf("%w: %w", errBadLine, err)
	}
	if take != nil {
		take(e)
	}
	return nil
}
