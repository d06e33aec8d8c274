package record

import (
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"blotter/model/event"
)

// memoryTape is what a Memory had at a moment. Nothing of it changes.
type memoryTape struct {
	unzip  *zstd.Decoder
	base   *state
	blocks []memoryBlock
	end    time.Duration
	states []savedState // later ones, between two blocks
	happenings
}

// savedState is the state before a block.
type savedState struct {
	*state
	block int
}

// index reads everything once: it keeps the events, and for at most some bytes states from which a cursor can begin.
func (t *memoryTape) index(bytes int) error {
	c, changes := &memoryCursor{tape: t, now: t.base.clone(), block: -1}, 0
	for _, ok := c.peek(); ok; _, ok = c.peek() {
		if rows := c.now.Len() + c.now.Margins().Len(); c.atBlock && changes > max(rows, 1<<12) && rows*bytesOfRow < bytes {
			t.states = append(t.states, savedState{c.now.clone(), c.block})
			changes, bytes = 0, bytes-rows*bytesOfRow
		}
		err := c.next(func(e *entry) {
			changes += 1 + len(e.positions)
			if happened, ok := e.event(); ok {
				t.add(e.At, happened)
			}
		})
		if err != nil {
			return err
		}
	}
	return c.err
}

// open implements tape.
func (t *memoryTape) open(to time.Duration) (cursor, error) {
	from := savedState{t.base, 0}
	for _, later := range t.states {
		if later.at <= to {
			from = later
		}
	}
	return &memoryCursor{tape: t, now: from.clone(), block: from.block - 1}, nil
}

// length implements tape.
func (t *memoryTape) length() (from, to time.Duration, damage *DamagedError) {
	return t.base.at, max(t.base.at, t.end), nil
}

// dropped implements tape.
func (t *memoryTape) dropped() int { return 0 }

// close implements tape.
func (t *memoryTape) close() error { return nil }

// memoryCursor is a cursor in a Memory.
type memoryCursor struct {
	tape    *memoryTape
	now     *state
	block   int
	atBlock bool // at the beginning of the block
	rest    rawReader
	err     error
}

func (c *memoryCursor) state() *state { return c.now }

// peek implements cursor.
func (c *memoryCursor) peek() (time.Duration, bool) {
	for len(c.rest.data) == 0 && c.err == nil {
		if c.block+1 >= len(c.tape.blocks) {
			return 0, false
		}
		c.block++
		c.atBlock = true
		c.rest, c.err = c.tape.blocks[c.block].reader(c.tape.unzip)
	}
	return time.Duration(c.rest.at()), c.err == nil
}

// next implements cursor.
func (c *memoryCursor) next(take func(*entry)) error {
	c.now.emit = func(e *entry) {
		if take != nil {
			take(e)
		}
	}
	c.atBlock = false
	for first, ok := c.peek(); ok; {
		if err := c.rest.apply(c.now); err != nil {
			return err
		}
		at, more := c.peek()
		ok = more && at == first
	}
	return c.err
}

// happenings are the events of a tape, the oldest first. If there are too many, a part of the oldest ones goes.
type happenings struct {
	times  []time.Duration
	events []event.Event
}

// maxEvents is how many events a tape keeps.
const maxEvents = 1 << 20

func (h *happenings) add(at time.Duration, e event.Event) {
	if len(h.events) == maxEvents {
		const gone = maxEvents / 8
		h.times, h.events = slices.Delete(h.times, 0, gone), slices.Delete(h.events, 0, gone)
	}
	h.times, h.events = append(h.times, at), append(h.events, e)
}

// happened implements tape.
func (h *happenings) happened(after, to time.Duration) []event.Event {
	from, _ := slices.BinarySearch(h.times, after+1)
	end, _ := slices.BinarySearch(h.times, to+1)
	return slices.Clip(h.events[min(from, end):end])
}
