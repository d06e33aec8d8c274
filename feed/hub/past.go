package hub

import (
	"slices"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
)

// kind is how streams divide all positions. Those of one kind have no position in common, so each kind has a past of
// its own.
type kind uint8

const (
	ofAll kind = iota
	ofParties
	ofMarkets
)

func kindOf(key model.Key) kind {
	switch {
	case !key.Party.IsZero():
		return ofParties
	case !key.Market.IsZero():
		return ofMarkets
	}
	return ofAll
}

// past records the streams of a kind, once for all sessions. It gets them as a session does.
type past struct {
	session *Session // it is not among those of the hub
	memory  *record.Memory
}

// follow records what comes until the hub is closed.
func (p *past) follow() {
	for {
		delta, err := p.session.Next(p.session.ctx)
		if err != nil {
			return
		}
		p.memory.Delta(&delta)
	}
}

func (p *past) watchOf(s model.Subscription) *watch {
	for _, w := range p.session.watches {
		if w.as == s {
			return w
		}
	}
	return &watch{session: p.session, records: true, as: s, since: time.Now()}
}

// past returns the past of a kind, and nil if there is none. The lock is held, as for recordStreams.
func (h *Hub) past(of kind) *past {
	if p, is := h.pasts[of]; is || h.options.NewMemory == nil {
		return p
	}
	h.pasts[of] = nil
	memory, err := h.options.NewMemory()
	switch {
	case err != nil && h.options.Report != nil:
		h.options.Report(err, nil)
	case err == nil && memory != nil:
		p := &past{newSession(h, 0), memory}
		h.pasts[of] = p
		h.spawn(p.follow, nil)
	}
	return h.pasts[of]
}

// recordStreams records the streams that are open, after a change of them.
func (h *Hub) recordStreams() {
	watches := make(map[*past][]*watch)
	for _, s := range h.watched {
		if p := h.past(kindOf(s.Key)); p != nil {
			watches[p] = append(watches[p], p.watchOf(s))
		}
	}
	for _, p := range h.pasts {
		if p == nil {
			continue
		}
		for _, w := range p.session.watches {
			if !slices.Contains(watches[p], w) {
				p.session.leave(w)
			}
		}
		p.session.setWatches(watches[p])
		for _, w := range watches[p] {
			if w.stream == nil {
				p.session.enter(w, h.streams[w.as.Key])
			}
		}
	}
}

func (h *Hub) recordMargins(list model.Key, read book.MarginsRead) {
	h.mu.Lock()
	p := h.pasts[kindOf(list)]
	h.mu.Unlock()
	if p != nil {
		p.memory.Delta(&book.Delta{Margins: []book.MarginsRead{read}})
	}
}

// Oldest returns how far back the past of what the session watches reaches, and false if there is none. It does not
// wait.
func (s *Session) Oldest() (time.Time, bool) {
	if m := s.memory.Load(); m != nil {
		return m.Oldest()
	}
	return time.Time{}, false
}

// IsTooSmall reports whether no past is kept because the rows take too much memory. It does not wait.
func (s *Session) IsTooSmall() bool {
	m := s.memory.Load()
	return m != nil && m.IsTooSmall()
}

// Play returns a player of the past of all streams of the kind that the session watches: of parties, of markets, or of
// everything. It may wait. See record.Memory.Play.
func (s *Session) Play() (*record.Player, error) {
	if m := s.memory.Load(); m != nil {
		return m.Play()
	}
	return nil, errNoPast
}
