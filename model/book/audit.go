package book

import (
	"math/bits"
	"time"

	"blotter/model"
)

// A service reads its snapshot first and starts to send updates later, and there are no sequence numbers. A change in
// between is lost, and the stream looks healthy. Only a second snapshot can show it. An audit reads a second snapshot
// on a standby stream and compares it, page by page, with the table. The active stream continues to send updates
// meanwhile. standing.go says which state of a row stands.

// audit is the audit of one table that is running.
type audit struct {
	seen   model.RowSet // the rows that are in the audit, by number
	active model.RowSet // the rows that the active stream has sent since the audit began
	newest int64        // the latest usable time in the audit

	compared int // the rows that are not in the audit were handled, up to this number of 64 rows
}

// NewRowSet returns an empty set with room for all rows of a table.
func NewRowSet(r *Rows) model.RowSet { return model.NewRowSet(r.highest) }

// missing yields the numbers of rows that are not in the audit and that the active stream has not sent since it began.
// It reads nothing else, so it costs little if nothing is missing. The next call continues after the last row.
func (t *Table) missing(yield func(number uint32) bool) {
	for ; t.audit.compared <= int(t.rows.highest/64); t.audit.compared++ {
		i := t.audit.compared
		for unset := ^(t.audit.seen.Word(i) | t.audit.active.Word(i)); unset != 0; unset &= unset - 1 {
			if number := uint32(i*64 + bits.TrailingZeros64(unset)); t.rows.has(number) && !yield(number) {
				return
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
