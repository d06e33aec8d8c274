package feed

import (
	"slices"

	"blotter/model"
	"blotter/model/book"
)

// take removes what waits, but not more than most updates, and reports whether there was anything and whether there is
// more. The rows of the previous call must not be used any more.
func (m *mailbox) take(most int) (delta book.Delta, more, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.reused)
	m.reused = m.reused[:0]
	if more = m.takeData(&delta, most); more {
		m.notify()
	}
	if ok = m.linksChanged || delta.Snapshots != nil || delta.Updates != nil || delta.Audits != nil || delta.Doubts != nil; !ok {
		return delta, false, false
	}
	m.linksChanged = false
	for _, b := range m.boxes {
		if !b.hasData() {
			b.changes = 0
		}
	}
	delta.Links = m.linksNow()
	return delta, more, true
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
	waiting := b.earlier.len() + b.before.Len() + b.between.Len() + b.pages.Len() + b.updates.len() + b.latePages.Len()
	return b.snapshot != nil || b.begins || waiting > 0 || !b.audit.isEmpty() || b.doubts != nil
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
	moveUpdates := func(from *pending) {
		if n := min(*left, from.len()); n > 0 {
			delta.Updates = append(delta.Updates, book.Updates{Subscription: subscription,
				Positions: m.move(left, n, from.take), NotAfter: b.notAfter})
		}
		delta.Missed += from.missed
		from.missed = 0
	}
	// movePages reports whether all pages were moved.
	movePages := func(from **book.Rows) bool {
		if n := min(*left, (*from).Len()); n > 0 {
			delta.Updates = append(delta.Updates, book.Updates{Subscription: subscription,
				Positions: m.move(left, n, (*from).Take), NotAfter: b.notAfter, LatePage: true})
		}
		if (*from).Len() > 0 {
			return false
		}
		*from = nil // which frees its memory
		return true
	}
	moveUpdates(&b.earlier)
	if b.earlier.len() > 0 || !movePages(&b.before) {
		return
	}
	begin := book.Updates{Subscription: subscription, NotAfter: b.notAfter, BeginsPartial: b.isPartial, BeginsStream: true}
	if b.between.Len() > 0 {
		delta.Updates = append(delta.Updates, begin) // so that its pages replace the updates of the streams before
	}
	if !movePages(&b.between) {
		return
	}
	if b.begins {
		delta.Updates = append(delta.Updates, begin)
		b.begins, b.isPartial = false, false
	}
	if !movePages(&b.pages) {
		return
	}
	if moveUpdates(&b.updates); b.updates.marked > 0 || !movePages(&b.latePages) {
		return
	}
	if !b.audit.isEmpty() {
		if *auditLeft <= 0 && len(b.audit.rows) > 0 {
			return
		}
		m.moveAudit(subscription, delta, auditLeft)
	}
	if b.audit.isEmpty() && b.doubts != nil {
		delta.Doubts, b.doubts = append(delta.Doubts, *b.doubts), nil
	}
}

// moveAudit moves what fits of an audit into the delta.
func (m *mailbox) moveAudit(subscription model.Subscription, delta *book.Delta, left *int) {
	a := &m.boxes[subscription].audit
	n := min(*left, len(a.rows))
	page := book.AuditPage{Subscription: subscription, NotAfter: a.notAfter, First: a.first,
		Believed: a.believed, IsBelieved: a.isBelieved}
	isWhole := n == len(a.rows)
	page.Last = a.last && isWhole
	page.Positions = m.move(left, n, a.take)
	if a.first = false; isWhole {
		page.Removed, a.last, a.removed, a.believed, a.isBelieved = a.removed, false, nil, nil, false
	}
	delta.Audits = append(delta.Audits, page)
}

// move moves n rows, which take returns, into the memory of the last Delta. It subtracts them from those that are left.
func (m *mailbox) move(left *int, n int, take func(n int, into []model.Position) []model.Position) []model.Position {
	*left -= n
	before := len(m.reused)
	m.reused = take(n, m.reused)
	return m.reused[before:len(m.reused):len(m.reused)]
}

// take moves the first n rows to the end of into.
func (a *auditRows) take(n int, into []model.Position) []model.Position {
	into = append(into, a.rows[:n]...)
	if n == len(a.rows) {
		clear(a.rows)
		a.rows = a.rows[:0]
		return into
	}
	a.rows = slices.Delete(a.rows, 0, n)
	return into
}
