package book

import (
	"math/bits"
	"time"

	"blotter/model"
)

// A service reads its snapshot first and starts to send updates later, and there are no sequence numbers. A change in
// between is lost, and the stream looks healthy. Only a second snapshot can show it. An audit reads a second snapshot
// on a standby stream and compares it, page by page, with the table. The active stream continues to send updates
// meanwhile.
//
// If the table and the audit have different states of a row, one of them stays:
//
//	both have a usable time, and the times differ               the newer state
//	the active stream has sent the row since the audit began    the state of the table
//	otherwise                                                   the state of the audit, which was read later
//
// A row that is not in the audit is removed, with two exceptions: the active stream has sent it since the audit began,
// or its time is later than all times in the audit. In the second case the standby stream is from a node that is
// behind.

// audit is the audit of one table that is running.
type audit struct {
	seen   RowSet // the rows that are in the audit, by number
	active RowSet // the rows that the active stream has sent since the audit began
	newest int64  // the latest usable time in the audit

	compared int // all rows were removed that should be in the audit, up to this number of 64 rows
}

// RowSet is a set of row numbers.
type RowSet []uint64

// NewRowSet returns an empty set with room for all rows of a table.
func NewRowSet(r *Rows) RowSet { return make(RowSet, r.highest/64+1) }

// Add adds a row.
func (s *RowSet) Add(number uint32) {
	word := int(number / 64)
	for word >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[word] |= 1 << (number % 64)
}

// Remove removes a row.
func (s RowSet) Remove(number uint32) {
	if word := int(number / 64); word < len(s) {
		s[word] &^= 1 << (number % 64)
	}
}

// Has reports whether a row is in the set.
func (s RowSet) Has(number uint32) bool {
	word := int(number / 64)
	return word < len(s) && s[word]&(1<<(number%64)) != 0
}

func (s RowSet) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// word returns the bits of 64 rows.
func (s RowSet) word(i int) uint64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// replaces reports whether p is newer than the state of its row that was updated at that time. If the times do not
// decide, it returns otherwise.
func replaces(p *model.Position, updatedAt model.Amount, notAfter int64, otherwise bool) bool {
	at, usable := p.ChangedAt(notAfter)
	before, usableBefore := updatedAt.UsableTime(notAfter)
	if usable && usableBefore && at != before {
		return at > before
	}
	return otherwise
}

// takesUpdate reports whether an update of the active stream replaces the row with the number; 0 is a new row. An audit
// may have been ahead of the active stream. Updates that are older than the row of such an audit are skipped, so that
// no row goes back in time.
func (t *Table) takesUpdate(number uint32, p *model.Position, u *Updates) bool {
	if u.LatePage && number != 0 && !replaces(p, t.rows.Amount(number, model.UpdatedAt), u.NotAfter, !t.updated.Has(number)) {
		return false
	}
	if !t.corrected.Has(number) {
		return true
	}
	if t.isOlderThanAudit(number, p, u.NotAfter) {
		return false
	}
	t.corrected.Remove(number)
	return true
}

// isOlderThanAudit reports whether p is older than the state of its row that an audit has set. The time of that state
// no longer counts if it is ahead of the service's clock, because that was set back.
func (t *Table) isOlderThanAudit(number uint32, p *model.Position, notAfter int64) bool {
	return !replaces(p, t.rows.Amount(number, model.UpdatedAt), notAfter, true)
}

// ApplyAudit compares a page of an audit with the book, and corrects the book: as many rows as fit in a list. It
// removes what it has compared from the page, and returns what it has corrected. A page changes nothing if the first
// page of its audit was compared with another table: a snapshot has replaced that table since.
func (b *Book) ApplyAudit(page *AuditPage) Changes {
	t := b.Table(page.Subscription)
	changes := Changes{Of: page.Subscription, IsAudit: true, Begins: page.First}
	switch {
	case t == nil:
	case page.Corrected:
		changes.More = b.correctAgain(t, page)
	default:
		changes.More = b.compare(t, page)
	}
	page.First = false
	changes.Rows, changes.Ends = b.list.takeAll(), page.Last && !changes.More
	return changes
}

// Compare applies a whole page of an audit, for a caller that does not need what has changed.
func (b *Book) Compare(page *AuditPage) {
	for rest := *page; b.ApplyAudit(&rest).More; {
	}
}

// compare compares a page with the table, and reports whether there is more to compare or to correct.
func (b *Book) compare(t *Table, page *AuditPage) (more bool) {
	if page.First {
		t.audit = new(audit)
	}
	if t.audit == nil {
		return false
	}
	for ; len(page.Positions) > 0; page.Positions = page.Positions[1:] {
		if !b.compareRow(t, &page.Positions[0], page.NotAfter) {
			return true
		}
	}
	if !page.Last {
		return false
	}
	for number := range t.missing(page.NotAfter) {
		if b.list.isFull() {
			return true
		}
		b.remove(t, number, ChangedByAudit)
	}
	page.left.newest = t.audit.newest
	if b.tell(t, &page.left, page.Told, page.NotAfter) {
		return true
	}
	t.audit, t.audited, t.partial, t.sent = nil, true, false, nil
	return false
}

// compareRow compares a row of an audit with the table, and corrects the table. It returns false if the list has no
// room for that.
func (b *Book) compareRow(t *Table, p *model.Position, notAfter int64) bool {
	number := t.rows.number(p.Key)
	if b.list.isFull() || b.list.listed.Has(number) {
		return false
	}
	at, usable := p.ChangedAt(notAfter)
	if usable {
		t.audit.newest = max(t.audit.newest, at)
	}
	if number != 0 {
		row := t.rows.Position(number)
		t.audit.seen.Add(number)
		if row.Agrees(p) || !replaces(p, row.Number(model.UpdatedAt), notAfter, !t.audit.active.Has(number)) {
			return true
		}
	}
	if number = b.correct(t, number, p, notAfter); number == 0 {
		return true // the book is full
	}
	t.audit.seen.Add(number)
	if usable {
		t.corrected.Add(number)
	} else {
		t.corrected.Remove(number)
	}
	return true
}

// correctAgain makes the corrections of an earlier audit, and reports whether there are more.
func (b *Book) correctAgain(t *Table, page *AuditPage) (more bool) {
	for ; len(page.Positions) > 0; page.Positions = page.Positions[1:] {
		p := &page.Positions[0]
		number := t.rows.number(p.Key)
		if b.list.isFull() || b.list.listed.Has(number) {
			return true
		}
		b.correct(t, number, p, page.NotAfter)
		page.left.newest = max(page.left.newest, NewestTime(page.Positions[:1], page.NotAfter))
	}
	for ; len(page.Removed) > 0; page.Removed = page.Removed[1:] {
		number := t.rows.number(page.Removed[0])
		if b.list.isFull() || b.list.listed.Has(number) {
			return true
		}
		if number != 0 {
			b.remove(t, number, ChangedByAudit)
		}
	}
	if !page.Last {
		return false
	}
	if b.tell(t, &page.left, page.Told, page.NotAfter) {
		return true
	}
	t.audited, t.partial, t.sent = true, false, nil
	return false
}

// correct sets the row with the number to after; 0 is a new row. It returns the number that the row has then, and 0 if
// the book has no room for it.
func (b *Book) correct(t *Table, number uint32, after *model.Position, notAfter int64) (row uint32) {
	row = b.set(t, number, after, ChangedByAudit, notAfter)
	if row != 0 && t.partial {
		t.sent.Add(row)
	}
	return row
}

// missing yields the numbers of rows that should be in the audit and are not. It reads rows only if a bit is 0 in both
// sets, so it costs little if nothing is missing. The next call continues after the last row.
func (t *Table) missing(notAfter int64) func(yield func(number uint32) bool) {
	return func(yield func(number uint32) bool) {
		for ; t.audit.compared <= int(t.rows.highest/64); t.audit.compared++ {
			i := t.audit.compared
			for unset := ^(t.audit.seen.word(i) | t.audit.active.word(i)); unset != 0; unset &= unset - 1 {
				number := uint32(i*64 + bits.TrailingZeros64(unset))
				if !t.rows.has(number) {
					continue
				}
				if at, usable := t.rows.Amount(number, model.UpdatedAt).UsableTime(notAfter); !usable || at <= t.audit.newest {
					if !yield(number) {
						return
					}
				}
			}
		}
	}
}

// When a margin record is a reason for an audit: a service may write a record and its position a moment apart, and an
// update may not have arrived yet.
const (
	newerBy       = 2 * time.Second // than its position, at least
	hintsNotUntil = 5 * time.Second // after its time
)

// MayHaveMissedUpdate returns the subscription that may have missed an update, because the margin record is newer than
// its position, or the position is missing; and from when on that is a reason for an audit. It returns false if that is
// not so.
func (b *Book) MayHaveMissedUpdate(record *model.MarginLevels) (of model.Subscription, from time.Time, may bool) {
	t := b.tableOf(record.Key)
	recorded, isTime := record.Timestamp.Time()
	if t == nil || !isTime {
		return of, from, false
	}
	if _, number := b.Row(record.Key); number != 0 {
		updated, isTime := t.rows.Amount(number, model.UpdatedAt).Time()
		if !isTime || recorded.Sub(updated) < newerBy {
			return of, from, false
		}
	}
	return t.Subscription, recorded.Add(hintsNotUntil), true
}
