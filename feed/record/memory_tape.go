package record

import (
	"context"
	"errors"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// errNothing is why a Memory cannot be played or saved.
var errNothing = errors.New("nothing is kept in memory: rewind is off, nothing has come yet, or there are too many rows for rewind_memory")

// errSaving is why a Memory is not saved while it is being saved.
var errSaving = errors.New("it is being saved already")

// tape returns what is recorded now. Recording goes on meanwhile.
func (m *Memory) tape() (*tape, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drain()
	if m.seal(); m.base.at < 0 {
		return nil, errNothing
	}
	t := &tape{header: m.options.Header, from: m.base.at, to: max(m.base.at, m.last)}
	t.starts = []start{{at: m.base.at, state: m.base.clone()}}
	for _, b := range m.blocks {
		t.blocks = append(t.blocks, b)
	}
	return t, nil
}

// ErrPlayers is the error of Play if the largest number of players plays a Memory.
var ErrPlayers = errors.New("too many screens show the past at the moment: try again later")

// shareFor is how long what is recorded is not read again for another player.
const shareFor = 10 * time.Second

// played is what players of a Memory share.
type played struct {
	mu      sync.Mutex // held while a tape is read
	players int
	tape    *tape // the last one, while it may be shared; nil if none may
	at      time.Time
}

// Play returns a Player of what is recorded now, or a few seconds ago if there is another player of that, while
// recording goes on. It reads all of it once. It returns an error if nothing is recorded, and ErrPlayers.
func (m *Memory) Play() (*Player, error) {
	p := &m.played
	p.mu.Lock()
	defer p.mu.Unlock()
	most := m.options.Players
	if most > 0 && p.players >= most {
		return nil, ErrPlayers
	}
	if p.tape == nil || most == 0 || model.Elapsed(m.options.clock(), p.at) >= shareFor {
		t, err := m.tape()
		if err != nil {
			return nil, err
		}
		if most > 0 {
			t.eventLimit = event.MaxEvents
		}
		if err := t.keepStates(m.options.Bytes / 2 / max(most, 1)); err != nil {
			return nil, err
		}
		p.tape, p.at = t, m.options.clock()
	}
	player, err := newPlayer(p.tape)
	if err != nil {
		return nil, err
	}
	p.players++
	player.release = sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.players--; p.players == 0 {
			p.tape = nil
		}
	})
	return player, nil
}

// Save writes what is recorded now to a new file, which Open opens. It returns an error if nothing is recorded, if the
// file exists, or while another call writes: each reads everything, which may take long.
func (m *Memory) Save(path string) error {
	if !m.saving.TryLock() {
		return errSaving
	}
	defer m.saving.Unlock()
	t, err := m.tape()
	if err != nil {
		return err
	}
	w, err := newWriter(&Options{Path: path, Size: 1 << 62, Header: t.header, create: createFile})
	if err != nil {
		return err
	}
	c := &cursor{tape: t, ctx: context.Background(), state: t.starts[0].state}
	c.state.emit = w.writeEntry
	c.state.emitWhole()
	for _, ok := c.peek(); ok && w.err == nil; _, ok = c.peek() {
		w.beginMoment(c.state)
		if err := c.nextEntries(w.writeEntry); err != nil {
			return errors.Join(err, w.file.Close())
		}
	}
	w.end(c.state.at, closed)
	return errors.Join(c.err, w.err)
}

// keepStates reads everything once: it keeps the events, and for at most some bytes states from which a cursor can
// begin.
func (t *tape) keepStates(bytes int) error {
	r, s, changes := new(reader), t.starts[0].state.clone(), 0
	s.emit = func(e *entry) {
		changes += 1 + len(e.positions)
		t.addEvent(e)
	}
	for i, b := range t.blocks {
		if rows := s.Len() + s.Margins().Len(); changes > max(rows, 1<<12) && rows*bytesOfRow < bytes {
			t.starts = append(t.starts, start{at: s.at, block: i, state: s.clone()})
			changes, bytes = 0, bytes-rows*bytesOfRow
		}
		if err := r.applyAll(b, s); err != nil {
			return err
		}
	}
	return nil
}
