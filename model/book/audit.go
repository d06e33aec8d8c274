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
	t := b.tables.covering(record.Key)
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
