package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"blotter/model/event"
)

// tape is a recording that can be read from several places: from files, or what a Memory had at a moment.
type tape struct {
	header   Header
	from, to time.Duration // the times between which it can be shown
	limit    int           // of positions
	damage   error         // a *DamagedError if it ends too early; nil if it does not
	dropped  int           // how many states of rows it does not have, because writing it was too slow
	files    []*frameFile

	blocks []block
	starts []start         // the earliest first
	times  []time.Duration // of the events
	events []event.Event   // the oldest first; if there are too many, some of the oldest are dropped
	// eventLimit is how many there are at most; 0 is maxEvents.
	eventLimit int
}

// block is a block that changes a state: in a file or in memory.
type block interface {
	// open reads the block: what it has is applied next.
	open(r *reader) error
}

// start is where a cursor can begin: a whole state, in memory or in blocks, and the number of the block after it. The
// first start of a file has none.
type start struct {
	at    time.Duration
	block int
	state *state
	whole []block
}

// reader reads blocks. What it reads is valid until it reads on.
type reader struct {
	lineReader
	positionReader
	texts int    // bytes that lines have beyond what usual ones have, since the whole state
	place string // of the block in its file; empty in memory
	lines int    // of the block that were applied
}

// apply applies what comes next in a block to a state, which emits it as entries.
func (r *reader) apply(s *state) error {
	line, rest, _ := bytes.Cut(r.data, []byte{'\n'})
	r.data = rest
	r.lines++
	err := r.applyLine(line, s)
	if err != nil && r.place != "" {
		return unreadable(err, fmt.Sprintf("%s, line %d after it", r.place, r.lines))
	}
	return err
}

// unreadable returns the error of a recording that was read once and cannot be read again at a place.
func unreadable(err error, place string) error {
	return fmt.Errorf("the recording cannot be read any more: %w (%s)", err, place)
}

func (r *reader) applyLine(line []byte, s *state) error {
	if r.isMemory && isMoment(line) {
		m, err := r.moment(line)
		if err == nil {
			s.applyMoment(&m)
		}
		return err
	}
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

func (r *reader) applyAll(b block, s *state) error {
	err := b.open(r)
	for err == nil && len(r.data) > 0 {
		err = r.apply(s)
	}
	return err
}

// cursor reads a tape forward. It has the state at its place.
type cursor struct {
	reader
	*tape
	ctx   context.Context // when it is done, no block is opened any more
	state *state
	block int   // the one that is opened next
	err   error // why a block or a line could not be read
}

// cursor returns a cursor at the last whole state before a time, or at the beginning. When ctx is done, it reads no
// further.
func (t *tape) cursor(ctx context.Context, to time.Duration) (*cursor, error) {
	from := t.starts[0]
	for _, later := range t.starts {
		if later.at <= to {
			from = later
		}
	}
	c := &cursor{tape: t, ctx: ctx, block: from.block}
	if from.state != nil {
		c.state = from.state.clone()
		return c, nil
	}
	c.state = newState(t.header.Start, t.limit)
	for _, b := range from.whole {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := c.applyAll(b, c.state); err != nil {
			return nil, err
		}
	}
	c.texts = 0
	return c, nil
}

// peek returns the time of what comes next, and false at the end.
func (c *cursor) peek() (at time.Duration, ok bool) {
	for c.err == nil {
		if len(c.data) > 0 {
			at, ok = timeOf(c.data)
			return at, ok && at <= c.to
		}
		if c.block == len(c.blocks) {
			break
		}
		if c.err = c.ctx.Err(); c.err == nil {
			c.err = c.blocks[c.block].open(&c.reader)
		}
		c.block++
	}
	return 0, false
}

// nextEntries goes on over everything that has the time of what comes next, and calls take with each entry.
func (c *cursor) nextEntries(take func(*entry)) error {
	c.state.emit = take
	first, ok := c.peek()
	for at := first; ok && at == first; at, ok = c.peek() {
		c.err = c.apply(c.state) // what comes after a line that cannot be read is not shown
	}
	return c.err
}

// goOn goes on over everything up to a time, and calls take with each entry.
func (c *cursor) goOn(to time.Duration, take func(*entry)) error {
	for at, ok := c.peek(); ok && at <= to; at, ok = c.peek() {
		_ = c.nextEntries(take) // its error ends this too
	}
	return c.err
}

func (t *tape) close() (err error) {
	for _, file := range t.files {
		err = errors.Join(err, file.close())
	}
	return err
}

// maxEvents is how many events a tape keeps.
const maxEvents = 1 << 20

// addEvent adds the event of an entry, if it has one.
func (t *tape) addEvent(of *entry) {
	e, ok := of.event()
	if !ok {
		return
	}
	if limit := cmp.Or(t.eventLimit, maxEvents); len(t.events) == limit {
		gone := limit / 8
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
