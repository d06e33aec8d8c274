package book

import (
	"slices"

	"blotter/model"
)

// ApplyUpdates applies updates until a list of changes is full, removes them from u, and returns the list.
//
// Updates of a subscription without a table make one: a stream may send updates without a snapshot before them.
func (b *Book) ApplyUpdates(u *Updates) Changes {
	changes := Changes{Of: u.Subscription}
	t := b.tables.ofUpdates(u)
	if t == nil {
		return changes
	}
	b.left.noteTime(u.NotAfter)
	if u.BeginsPartial {
		t.partial, t.sent, t.audited, t.audit = true, nil, false, nil
		t.rows.pairs.ForgetTold() // another stream has told that
	}
	if u.BeginsPartial || u.BeginsStream {
		t.updated = nil
		u.BeginsPartial, u.BeginsStream = false, false
	}
	source := ChangedByUpdate
	if u.LatePage {
		source = ChangedBySnapshot
	}
	some := u.Positions[:min(len(u.Positions), MaxChanges)]
	t.rows.numbersOf(some, &b.numbers)
	for _, number := range b.numbers[:len(some)] { // takesUpdate reads it: see numbersOf
		t.rows.touched += int64(t.updated.Word(int(number / 64)))
	}
	for i := range some {
		if !b.update(t, &some[i], b.numbers[i], u, source) {
			some = some[:i]
			break
		}
	}
	u.left.newest = max(u.left.newest, NewestTime(some, u.NotAfter))
	u.Positions = u.Positions[len(some):]
	changes.More = len(u.Positions) > 0 || b.tell(t, &u.left, u.Told, u.NotAfter)
	changes.Rows = b.list.takeAll()
	return changes
}

// Merge applies all updates, for a caller that does not need what has changed.
func (b *Book) Merge(u *Updates) {
	for rest := *u; b.ApplyUpdates(&rest).More; {
	}
}

// update applies an update to the row with the number, 0 if there was none. It returns false if the row is in the list
// already.
func (b *Book) update(t *Table, p *model.Position, number uint32, u *Updates, source ChangeSource) bool {
	if number == 0 { // it may be new in the list
		number = t.rows.number(p.Key)
	}
	if t.rows.isListed(number) {
		return false
	}
	isTaken := t.takesUpdate(number, p, u, &b.left)
	if isTaken {
		number = b.set(t, number, p, source, u.NotAfter)
	}
	if number != 0 {
		t.markSent(number, source, isTaken)
	}
	return true
}

// KeepOnly drops the updates, audits and doubts of subscriptions that are not kept.
func (d *Delta) KeepOnly(isKept func(model.Subscription) bool) {
	d.Updates = slices.DeleteFunc(d.Updates, func(u Updates) bool { return !isKept(u.Subscription) })
	d.Audits = slices.DeleteFunc(d.Audits, func(page AuditPage) bool { return !isKept(page.Subscription) })
	d.Doubts = slices.DeleteFunc(d.Doubts, func(of Doubts) bool { return !isKept(of.Subscription) })
}

// ApplyTo applies updates of the Delta to a book, or if there are none, a part of a page of an audit: as much as fits
// in a list. It removes that from the Delta and returns what has changed. If nothing is left, it marks the rows in
// doubt and returns false. The snapshots must be in the book already.
func (d *Delta) ApplyTo(b *Book) (changes Changes, ok bool) {
	switch {
	case len(d.Updates) > 0:
		if changes = b.ApplyUpdates(&d.Updates[0]); !changes.More {
			d.Updates = d.Updates[1:]
		}
	case len(d.Audits) > 0:
		if changes = b.ApplyAudit(&d.Audits[0]); !changes.More {
			d.Audits = d.Audits[1:]
		}
	default:
		for i := range d.Doubts {
			b.Mark(&d.Doubts[i])
		}
		d.Doubts = nil
		return Changes{}, false
	}
	return changes, true
}
