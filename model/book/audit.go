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

func (s RowSet) remove(number uint32) {
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
	t.corrected.remove(number)
	return true
}

// isOlderThanAudit reports whether p is older than the state of its row that an audit has set. The time of that state
// no longer counts if it is ahead of the service's clock, because that was set back.
func (t *Table) isOlderThanAudit(number uint32, p *model.Position, notAfter int64) bool {
	return !replaces(p, t.rows.Amount(number, model.UpdatedAt), notAfter, true)
}

// removedAtOnce is how many rows one call of Compare removes. If a service suddenly has none of a million rows, the
// screen can still handle keys between two calls.
const removedAtOnce = 2000

// CompareThrough does what Compare does, through a writer. A page changes nothing if the first page of its audit was
// compared with another table: a snapshot has replaced that table since.
func (b *Book) CompareThrough(page *AuditPage, to RowWriter) (corrections []Correction, more bool) {
	t := b.Table(page.Subscription)
	if t == nil {
		return nil, false
	}
	b.notAfter = page.NotAfter
	if page.Corrected {
		return b.correctThrough(t, page, to), false
	}
	if page.First {
		t.audit = new(audit)
	}
	if t.audit == nil {
		return nil, false
	}
	correct := func(number uint32, after *model.Position) uint32 {
		number, correction, isMade := b.correct(t, number, after, to)
		if isMade {
			corrections = append(corrections, correction)
		}
		return number
	}
	for i := range page.Positions {
		p := &page.Positions[i]
		at, usable := p.ChangedAt(page.NotAfter)
		if usable {
			t.audit.newest = max(t.audit.newest, at)
		}
		number := t.rows.number(p.Key)
		if number != 0 {
			row := t.rows.Position(number)
			t.audit.seen.Add(number)
			if row.Agrees(p) || !replaces(p, row.Number(model.UpdatedAt), page.NotAfter, !t.audit.active.Has(number)) {
				continue
			}
		}
		if number = correct(number, p); number == 0 {
			continue // the book is full
		}
		t.audit.seen.Add(number)
		if usable {
			t.corrected.Add(number)
		} else {
			t.corrected.remove(number)
		}
	}
	if page.Last {
		missing := t.missing(page.NotAfter)
		for _, number := range missing {
			correct(number, nil)
		}
		if more = len(missing) == removedAtOnce; !more {
			t.tell(t.audit.newest, page.Told, page.NotAfter, to)
			t.audit, t.audited, t.partial, t.sent = nil, true, false, nil
		}
	}
	return corrections, more
}

// correctThrough makes the corrections of an earlier audit.
func (b *Book) correctThrough(t *Table, page *AuditPage, to RowWriter) (corrections []Correction) {
	for i := range page.Positions {
		p := &page.Positions[i]
		if _, correction, isMade := b.correct(t, t.rows.number(p.Key), p, to); isMade {
			corrections = append(corrections, correction)
		}
	}
	for _, key := range page.Removed {
		if number := t.rows.number(key); number != 0 {
			_, correction, _ := b.correct(t, number, nil, to)
			corrections = append(corrections, correction)
		}
	}
	if page.Last {
		t.tell(NewestTime(page.Positions, page.NotAfter), page.Told, page.NotAfter, to)
		t.audited, t.partial, t.sent = true, false, nil
	}
	return corrections
}

// correct sets the row with the number to after, or removes it if after is nil; 0 is a new row. It returns the number
// that the row has then, 0 if it has none, and false if the book has no room for it.
func (b *Book) correct(t *Table, number uint32, after *model.Position, to RowWriter) (row uint32, c Correction, isMade bool) {
	c = Correction{Subscription: t.Subscription}
	if number != 0 {
		before := t.rows.Position(number)
		c.Before = &before
	}
	if after == nil {
		b.remove(t, number, to, ChangedByAudit)
		return 0, c, true
	}
	own := *after // the memory of a page is used again
	c.After = &own
	row = b.set(t, number, after, to, ChangedByAudit)
	if row != 0 && t.partial {
		t.sent.Add(row)
	}
	return row, c, row != 0
}

// missing returns the numbers of rows that should be in the audit and are not, at most removedAtOnce of them. It reads
// rows only if a bit is 0 in both sets, so it costs little if nothing is missing.
func (t *Table) missing(notAfter int64) []uint32 {
	var numbers []uint32
	for i := range int(t.rows.highest/64) + 1 {
		for unset := ^(t.audit.seen.word(i) | t.audit.active.word(i)); unset != 0; unset &= unset - 1 {
			number := uint32(i*64 + bits.TrailingZeros64(unset))
			if !t.rows.has(number) {
				continue
			}
			if at, usable := t.rows.Amount(number, model.UpdatedAt).UsableTime(notAfter); !usable || at <= t.audit.newest {
				if numbers = append(numbers, number); len(numbers) == removedAtOnce {
					return numbers
				}
			}
		}
	}
	return numbers
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
