package record

import (
	"fmt"
	"slices"
	"time"

	"blotter/model/event"
)

// tape is a recording that can be read from several places.
type tape struct {
	source
	header   Header
	from, to time.Duration // the times between which it can be shown
	damage   error         // a *DamagedError if it ends too early; nil if it does not
	dropped  int           // how many states of rows it does not have, because writing it was too slow

	times  []time.Duration // of the events
	events []event.Event   // the oldest first; if there are too many, some of the oldest are dropped
}

// source is where the blocks of a tape are: in files, or in memory.
type source interface {
	// open returns a cursor at the last whole state before a time, or at the beginning.
	open(to time.Duration) (*cursor, error)
	close() error
}

// blockReader reads blocks. What it reads is valid until it reads on.
type blockReader interface {
	// open opens the block with the number, and returns false if there is none.
	open(block int) (ok bool, err error)
	// peek returns the time of what comes next in the block, and false at its end.
	peek() (at time.Duration, ok bool)
	// apply applies it to a state, which emits it as entries.
	apply(s *state) error
}

// applyRest applies what is left of a block to a state.
func applyRest(r blockReader, s *state) error {
	for _, ok := r.peek(); ok; _, ok = r.peek() {
		if err := r.apply(s); err != nil {
			return err
		}
	}
	return nil
}

// cursor reads a tape forward. It has the state at its place.
type cursor struct {
	reader blockReader
	state  *state
	block  int           // the one that is opened next
	to     time.Duration // where the tape ends
	err    error         // why a block or a line could not be read
}

// peek returns the time of what comes next, and false at the end.
func (c *cursor) peek() (at time.Duration, ok bool) {
	for c.err == nil {
		if at, ok := c.reader.peek(); ok {
			return at, at <= c.to
		}
		if ok, c.err = c.reader.open(c.block); !ok {
			break
		}
		c.block++
	}
	return 0, false
}

// next goes on over everything that has the time of what comes next, and calls take with each entry.
func (c *cursor) next(take func(*entry)) error {
	c.state.emit = take
	first, ok := c.peek()
	for at := first; ok && at == first; at, ok = c.peek() {
		c.err = c.reader.apply(c.state) // what comes after a line that cannot be read is not shown
	}
	return c.err
}

// maxEvents is how many events a tape keeps.
const maxEvents = 1 << 20

// addEvent adds the event of an entry, if it has one.
func (t *tape) addEvent(of *entry) {
	e, ok := of.event()
	if !ok {
		return
	}
	if len(t.events) == maxEvents {
		const gone = maxEvents / 8
		t.times, t.events = slices.Delete(t.times, 0, gone), slices.Delete(t.events, 0, gone)
	}
	t.times, t.events = append(t.times, of.At), append(t.events, e)
}

// happened returns the events after a time, up to another. They must not be changed.
func (t *tape) happened(after, to time.Duration) []event.Event {
	from, _ := slices.BinarySearch(t.times, after+1)
	end, _ := slices.BinarySearch(t.times, min(to, t.to)+1)
	return slices.Clip(t.events[min(from, end):end])
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
