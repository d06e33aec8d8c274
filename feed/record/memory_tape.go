package record

import (
	"errors"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
)

// errNothing is why a Memory cannot be played or saved.
var errNothing = errors.New("nothing is kept in memory: rewind is off, nothing has come yet, or there are too many positions for rewind_memory")

// tape returns what is recorded now. Recording goes on meanwhile.
func (m *Memory) tape() (*memoryTape, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drain()
	if m.seal(); m.base.at < 0 {
		return nil, errNothing
	}
	t := &memoryTape{decoder: m.decoder, blocks: slices.Clone(m.blocks), states: []savedState{{m.base.clone(), 0}}}
	t.source, t.header, t.from, t.to = t, m.options.Header, m.base.at, max(m.base.at, m.last)
	return t, nil
}

// Play returns a Player of what is recorded now, while recording goes on. It reads all of it once. It returns an error
// if nothing is recorded.
func (m *Memory) Play() (*Player, error) {
	t, err := m.tape()
	if err != nil {
		return nil, err
	}
	if err := t.index(m.options.Bytes / 2); err != nil {
		return nil, err
	}
	return newPlayer(&t.tape)
}

// Save writes what is recorded now to a new file, which Open opens. It returns an error if nothing is recorded, or if
// the file exists.
func (m *Memory) Save(path string) error {
	t, err := m.tape()
	if err != nil {
		return err
	}
	w, err := newWriter(&Options{Path: path, Size: 1 << 62, Header: t.header, create: createFile})
	if err != nil {
		return err
	}
	c := t.cursor(t.states[0])
	c.state.emit = w.add
	c.state.emitWhole()
	for _, ok := c.peek(); ok && w.err == nil; _, ok = c.peek() {
		w.begin(c.state)
		if err := c.next(w.add); err != nil {
			return errors.Join(err, w.file.Close())
		}
	}
	w.end(c.state.at, closed)
	return errors.Join(c.err, w.err)
}

// memoryTape is what a Memory had at a moment. Nothing of it changes.
type memoryTape struct {
	tape
	blocks  []memoryBlock
	states  []savedState // that before the first block, and later ones
	decoder *zstd.Decoder
}

// savedState is the state before a block.
type savedState struct {
	*state
	block int
}

// index reads everything once: it keeps the events, and for at most some bytes states from which a cursor can begin.
func (t *memoryTape) index(bytes int) error {
	r, s, changes := t.reader(), t.states[0].clone(), 0
	s.emit = func(e *entry) {
		changes += 1 + len(e.positions)
		t.addEvent(e)
	}
	for block := range t.blocks {
		if rows := s.Len() + s.Margins().Len(); changes > max(rows, 1<<12) && rows*bytesOfRow < bytes {
			t.states = append(t.states, savedState{s.clone(), block})
			changes, bytes = 0, bytes-rows*bytesOfRow
		}
		if _, err := r.open(block); err != nil {
			return err
		}
		if err := applyRest(r, s); err != nil {
			return err
		}
	}
	return nil
}

// open implements source.
func (t *memoryTape) open(to time.Duration) (*cursor, error) {
	from := t.states[0]
	for _, later := range t.states {
		if later.at <= to {
			from = later
		}
	}
	return t.cursor(savedState{from.clone(), from.block}), nil
}

// cursor returns a cursor that begins with a state, and changes it.
func (t *memoryTape) cursor(from savedState) *cursor {
	return &cursor{reader: t.reader(), state: from.state, block: from.block, to: t.to}
}

func (t *memoryTape) reader() *memoryReader {
	return &memoryReader{blocks: t.blocks, decoder: t.decoder}
}

// close implements source.
func (*memoryTape) close() error { return nil }
