package feed

import (
	"context"
	"errors"
	"slices"
	"sync"

	"blotter/model"
	"blotter/model/book"
)

// mailbox keeps what the screen has not taken yet: the newest snapshot and the newest state of each subscription, and
// its updates. Where many updates wait, only those with an event and the newest of each row are kept: see pending. It
// is the only place that the goroutines of the feed and of the screen share. Only an audit waits for the screen in it.
type mailbox struct {
	mu        sync.Mutex
	boxes     map[model.Subscription]*box
	order     []model.Subscription
	first     int              // the index in order of the subscription whose updates are taken first
	wake      chan struct{}    // holds one token where something may have come
	taken     chan struct{}    // closed and replaced when something was taken
	links     bool             // some state has changed
	reused    []model.Position // the memory of the rows of the last Delta, reused for the next
	limit     int              // how many rows may wait for the screen; 0 is no limit
	unstored  int              // how many updates may wait as they came, before they are stored
	notNewest int              // how many updates may wait that are not the newest of their rows
}

// box has the data of one subscription in the mailbox. The data is taken in the order of the fields.
type box struct {
	link       model.Link
	snapshot   *book.Snapshot
	superseded pending // the updates before the snapshot, of which only the events count
	updates    pending
	latePages  []model.Position // rows of snapshot pages that came after updates
	audit      auditRows
	notAfter   int64
	changes    int // rows that came since all was taken last; a row that changes twice counts twice
}

// auditRows are rows of an audit that wait to be compared.
type auditRows struct {
	first, last bool
	rows        []model.Position
	notAfter    int64
}

func (a *auditRows) isEmpty() bool { return !a.first && !a.last && len(a.rows) == 0 }

// maxLatePages is how many rows of late pages may wait for the screen. A service should not send pages after its
// updates; where one does so without end, the memory must not be full of them.
const maxLatePages = 1 << 17

const (
	maxUnstored  = 1 << 14 // as many as come in several frames, 2 MiB
	maxNotNewest = 1 << 17
	leastRoom    = 1 << 10 // how many of each kind a subscription may always have
)

// auditAhead is how many rows of an audit may wait for the screen.
const auditAhead = 4096

var (
	errFull       = errors.New("too many positions have changed while the screen took none of the changes")
	errNotWatched = errors.New("the subscription is no longer watched")
)

func newMailbox(limit int) *mailbox {
	return &mailbox{
		boxes: make(map[model.Subscription]*box), wake: make(chan struct{}, 1), taken: make(chan struct{}), limit: limit, unstored: maxUnstored, notNewest: maxNotNewest,
	}
}

// setSubscriptions sets the subscriptions. Data of all others is dropped, now and when it comes later.
func (m *mailbox) setSubscriptions(subscriptions []model.Subscription) {
	m.mu.Lock()
	defer m.mu.Unlock()
	boxes := make(map[model.Subscription]*box, len(subscriptions))
	for _, s := range subscriptions {
		if boxes[s] = m.boxes[s]; boxes[s] == nil {
			boxes[s] = &box{link: model.Link{Subscription: s}}
		}
	}
	m.boxes, m.order, m.links = boxes, slices.Clone(subscriptions), true
	m.notify()
}

// change calls do with the box of subscription s, if s is still watched.
func (m *mailbox) change(s model.Subscription, do func(*box)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.boxes[s]; b != nil {
		do(b)
		m.notify()
	}
}

// Publish keeps the newest state of a subscription.
func (m *mailbox) Publish(link model.Link) {
	m.change(link.Subscription, func(b *box) {
		b.link = link
		m.links = true
	})
}

// Update keeps updates. It fails where too many rows wait already.
func (m *mailbox) Update(u book.Updates) (err error) {
	m.change(u.Subscription, func(b *box) {
		b.notAfter = u.NotAfter
		b.changes += len(u.Positions)
		if u.LatePage {
			b.latePages = append(b.latePages, u.Positions...)
		} else {
			b.updates.put(u.Positions, m.roomOfEach())
		}
		if len(b.latePages) > maxLatePages || m.limit > 0 && b.updates.rowsAtLeast() > m.limit {
			err = errFull
		}
	})
	return err
}

// roomOfEach returns how many updates of each subscription may wait. The caller holds the lock.
func (m *mailbox) roomOfEach() room {
	return room{unstored: max(m.unstored/len(m.boxes), leastRoom), notNewest: max(m.notNewest/len(m.boxes), leastRoom)}
}

// Commit keeps a whole snapshot. It replaces all earlier data, except for updates that may have events.
func (m *mailbox) Commit(snapshot book.Snapshot) {
	m.change(snapshot.Subscription, func(b *box) {
		b.updates.moveTo(&b.superseded, m.roomOfEach())
		b.snapshot, b.latePages, b.audit = &snapshot, nil, auditRows{}
		b.changes = snapshot.Rows.Len()
	})
}

// Audit keeps a page of an audit. It waits until there is room for it; the first page of an audit waits until the
// screen has taken it. The screen gets a page after the updates that came before it. In another order, the changes
// of those updates would be counted as errors that the audit has found, and would have no events.
func (m *mailbox) Audit(ctx context.Context, page book.AuditPage) error {
	put := false
	for {
		m.mu.Lock()
		b, taken := m.boxes[page.Subscription], m.taken
		switch {
		case b == nil:
			m.mu.Unlock()
			return errNotWatched
		case put && !b.audit.first:
			m.mu.Unlock()
			return nil
		case !put && page.First:
			b.audit = auditRows{first: true}
			b.updates.mark()
			put = true
			m.notify()
		case !put && len(b.audit.rows)+len(page.Positions) <= auditAhead, !put && len(b.audit.rows) == 0:
			b.audit.rows = append(b.audit.rows, page.Positions...)
			b.audit.last, b.audit.notAfter = b.audit.last || page.Last, page.NotAfter
			b.updates.mark()
			m.notify()
			m.mu.Unlock()
			return nil
		}
		m.mu.Unlock()
		select {
		case <-taken:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// notify wakes Next.
func (m *mailbox) notify() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take removes what waits, at most most updates of it, and reports whether there was anything and whether there is
// more. With linksOnly the data stays. The rows of the previous call must not be used any more.
func (m *mailbox) take(linksOnly bool, most int) (delta book.Delta, more, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !linksOnly {
		clear(m.reused)
		m.reused = m.reused[:0]
		more = m.takeData(&delta, most)
	}
	if more {
		m.notify()
	}
	if ok = m.links || delta.Snapshots != nil || delta.Updates != nil || delta.Audits != nil; !ok {
		return delta, false, false
	}
	m.links = false
	for _, b := range m.boxes {
		if !b.hasData() {
			b.changes = 0
		}
	}
	delta.Links = m.linksNow()
	return delta, more, true
}

// states returns the newest state of every subscription.
func (m *mailbox) states() []model.Link {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.linksNow()
}

// linksNow returns the newest state of every subscription, in their order. The caller holds the lock.
func (m *mailbox) linksNow() []model.Link {
	var links []model.Link
	for _, subscription := range m.order {
		b := m.boxes[subscription]
		link := b.link
		link.Changes = b.changes
		links = append(links, link)
	}
	return links
}

// takeData moves what fits into the delta, and reports whether there is more.
func (m *mailbox) takeData(delta *book.Delta, most int) (more bool) {
	left, first := most, m.first
	auditLeft := most/4 + 1 // audits go on, however many updates there are
	for i := range m.order {
		at := (m.first + i) % len(m.order)
		had := left
		m.moveData(m.order[at], delta, &left, &auditLeft)
		if had > 0 && left <= 0 {
			first = at + 1 // the next one comes first the next time
		}
	}
	m.first = first
	if delta.Snapshots != nil || delta.Updates != nil || delta.Audits != nil {
		close(m.taken)
		m.taken = make(chan struct{})
	}
	return (left <= 0 || auditLeft <= 0) && m.hasData()
}

// hasData reports whether a snapshot, an update or a page of an audit waits.
func (m *mailbox) hasData() bool {
	for _, b := range m.boxes {
		if b.hasData() {
			return true
		}
	}
	return false
}

func (b *box) hasData() bool {
	return b.snapshot != nil || b.updates.len()+len(b.latePages) > 0 || !b.audit.isEmpty()
}

// moveData moves what fits from the box of a subscription into the delta. A snapshot always fits, so that the state of
// a subscription never comes before it.
func (m *mailbox) moveData(subscription model.Subscription, delta *book.Delta, left, auditLeft *int) {
	b := m.boxes[subscription]
	if b.snapshot != nil {
		b.snapshot.Superseded = b.superseded.take(b.superseded.len(), nil)
		b.snapshot.NotAfter = max(b.snapshot.NotAfter, b.notAfter)
		delta.Snapshots = append(delta.Snapshots, *b.snapshot)
		delta.Missed += b.superseded.missed
		b.snapshot, b.superseded = nil, pending{}
	}
	move := func(left *int, n int, take func(n int, into []model.Position) []model.Position) []model.Position {
		*left -= n
		before := len(m.reused)
		m.reused = take(n, m.reused)
		return m.reused[before:len(m.reused):len(m.reused)]
	}
	if n := min(*left, len(b.latePages)); n > 0 {
		rows := move(left, n, func(n int, into []model.Position) []model.Position { return takeRows(&b.latePages, n, into) })
		delta.Updates = append(delta.Updates, book.Updates{Subscription: subscription, Positions: rows, NotAfter: b.notAfter, LatePage: true})
	}
	if n := min(*left, b.updates.len()); n > 0 {
		rows := move(left, n, b.updates.take)
		delta.Updates = append(delta.Updates, book.Updates{Subscription: subscription, Positions: rows, NotAfter: b.notAfter})
		delta.Missed += b.updates.missed
		b.updates.missed = 0
	}
	if b.audit.isEmpty() || b.updates.marked > 0 || *auditLeft <= 0 && len(b.audit.rows) > 0 {
		return
	}
	n := min(*auditLeft, len(b.audit.rows))
	page := book.AuditPage{Subscription: subscription, NotAfter: b.audit.notAfter, First: b.audit.first}
	page.Last = b.audit.last && n == len(b.audit.rows)
	page.Positions = move(auditLeft, n, func(n int, into []model.Position) []model.Position { return takeRows(&b.audit.rows, n, into) })
	b.audit.first, b.audit.last = false, b.audit.last && !page.Last
	delta.Audits = append(delta.Audits, page)
}

// takeRows moves the first n rows to the end of into.
func takeRows(rows *[]model.Position, n int, into []model.Position) []model.Position {
	into = append(into, (*rows)[:n]...)
	if n == len(*rows) {
		clear(*rows)
		*rows = (*rows)[:0]
		return into
	}
	*rows = slices.Delete(*rows, 0, n)
	return into
}
