package feed

import (
	"slices"
	"sync"

	"blotter/model"
)

// mailbox keeps what the screen has not taken yet: the newest snapshot and the newest link of each subscription, and its
// updates, of which only the newest of each row are kept where they pile up. However long the screen is away, they are
// hardly more than twice as many as there are rows. It is the one place where the feed's goroutines and the screen meet.
type mailbox struct {
	mu    sync.Mutex
	slots map[model.Subscription]*slot
	order []model.Subscription
	turn  int              // whose updates are taken first
	wake  chan struct{}    // holds one token when there may be news
	links bool             // some link has news
	lent  []model.Position // what the updates of the last Delta stand in, used again for the next
}

// slot is what one subscription has in the mailbox.
type slot struct {
	link model.Link
	// before are the updates that came before snapshot. Only an audit's snapshot leaves any: what the screen
	// has must be complete when the two are compared.
	before   pending
	snapshot *model.Snapshot
	after    pending
}

// pending are updates in the order in which they came. That there are several of a row is no harm while they are few, and
// to look for that takes longer than to merge them: only where they pile up is the newest of each row kept.
type pending struct {
	rows  []model.Position
	space []model.Position // what rows stand in, from its beginning
	many  int              // when there are so many rows, the newest of each are kept
}

const (
	fewest    = 1 << 10 // rows are never many
	spaceKept = 1 << 17 // rows is the room that is kept while there are none
)

func (p *pending) put(rows []model.Position) {
	for i := range rows {
		if len(p.rows) >= max(p.many, fewest) {
			p.conflate()
		}
		if len(p.rows) == cap(p.rows) {
			p.makeRoom()
		}
		p.rows = append(p.rows, rows[i])
	}
}

// conflate keeps the newest of each row.
func (p *pending) conflate() {
	newest := len(p.rows)
	seen := make(map[model.Key]struct{})
	for _, row := range slices.Backward(p.rows) {
		if _, older := seen[row.Key]; !older {
			seen[row.Key] = struct{}{}
			newest--
			p.rows[newest] = row
		}
	}
	clear(p.rows[:newest])
	p.rows = p.rows[newest:]
	p.many = 2 * len(p.rows)
}

// makeRoom has the rows stand where there is room behind them: at the beginning of their space, if much of it is free.
func (p *pending) makeRoom() {
	if 2*len(p.rows) >= cap(p.space) {
		p.rows = slices.Grow(p.rows, 1)
		p.space = p.rows
		return
	}
	rest := p.rows
	p.rows = append(p.space[:0], rest...)
	clear(rest)
}

// take moves the first n updates to the end of into. Their texts are let go here.
func (p *pending) take(n int, into []model.Position) []model.Position {
	into = append(into, p.rows[:n]...)
	clear(p.rows[:n])
	if p.rows = p.rows[n:]; len(p.rows) == 0 {
		if cap(p.space) > spaceKept {
			p.space = nil
		}
		p.rows = p.space[:0]
	}
	return into
}

func newMailbox() *mailbox {
	return &mailbox{slots: make(map[model.Subscription]*slot), wake: make(chan struct{}, 1)}
}

// arrange says which subscriptions there are. What others left is dropped, and what they still put is too.
func (m *mailbox) arrange(subscriptions []model.Subscription) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slots := make(map[model.Subscription]*slot, len(subscriptions))
	for _, s := range subscriptions {
		if slots[s] = m.slots[s]; slots[s] == nil {
			slots[s] = &slot{link: model.Link{Subscription: s}}
		}
	}
	m.slots, m.order, m.links = slots, slices.Clone(subscriptions), true
	m.ring()
}

// with has do change the slot of subscription s, where it is still wanted.
func (m *mailbox) with(s model.Subscription, do func(*slot)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slot := m.slots[s]; slot != nil {
		do(slot)
		m.ring()
	}
}

// tell keeps the newest state of a link.
func (m *mailbox) tell(link *model.Link) {
	m.with(link.Subscription, func(s *slot) {
		s.link = *link
		m.links = true
	})
}

// put keeps updates.
func (m *mailbox) put(subscription model.Subscription, rows []model.Position) {
	m.with(subscription, func(s *slot) { s.after.put(rows) })
}

// commit keeps a whole snapshot, which makes everything before it void; but what an audit is compared with
// is let through first.
func (m *mailbox) commit(snapshot model.Snapshot) {
	m.with(snapshot.Subscription, func(s *slot) {
		switch {
		case !snapshot.Audit:
			s.before = pending{}
		case s.snapshot == nil:
			s.before = s.after
		default: // the one that waits was never seen: its successor stands for both
			snapshot.Audit = s.snapshot.Audit && len(s.after.rows) == 0
		}
		s.snapshot, s.after = &snapshot, pending{}
	})
}

func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take removes what there is, but of the updates no more than most, and tells whether that was anything and whether
// there is more. With linksOnly the data stays. The updates that were taken before are void.
func (m *mailbox) take(linksOnly bool, most int) (delta model.Delta, more, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	left, turn := most, m.turn
	if !linksOnly {
		clear(m.lent)
		m.lent = m.lent[:0]
		for i := range m.order {
			at := (m.turn + i) % len(m.order)
			had := left
			m.lend(m.order[at], &delta, &left)
			if had > 0 && left <= 0 {
				turn = at + 1 // the next one is served first the next time
			}
		}
	}
	m.turn = turn
	if more = left <= 0 && m.hasData(); more {
		m.ring()
	}
	if ok = m.links || delta.Snapshots != nil || delta.Updates != nil; !ok {
		return delta, false, false
	}
	m.links = false
	for _, subscription := range m.order {
		delta.Links = append(delta.Links, m.slots[subscription].link)
	}
	return delta, more, true
}

// hasData tells whether a snapshot or an update waits.
func (m *mailbox) hasData() bool {
	for _, s := range m.slots {
		if s.snapshot != nil || len(s.before.rows)+len(s.after.rows) > 0 {
			return true
		}
	}
	return false
}

// lend moves what fits from the slot of a subscription into the delta.
func (m *mailbox) lend(subscription model.Subscription, delta *model.Delta, left *int) {
	s := m.slots[subscription]
	updates := func(from *pending) {
		if n := min(*left, len(from.rows)); n > 0 {
			*left -= n
			before := len(m.lent)
			m.lent = from.take(n, m.lent)
			delta.Updates = append(delta.Updates, model.Updates{Subscription: subscription, Positions: m.lent[before:len(m.lent):len(m.lent)]})
		}
	}
	if len(s.before.rows) > 0 {
		updates(&s.before)
		*left = 0 // the snapshot goes with a later delta: within one, snapshots come first
		return
	}
	if s.snapshot != nil {
		delta.Snapshots = append(delta.Snapshots, *s.snapshot)
		s.snapshot = nil
	}
	updates(&s.after)
}
