package book

import (
	"iter"
	"math/bits"

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

// missing yields the numbers of rows that are not in the audit and that the active stream has not sent since it began.
// It reads nothing else, so it costs little if nothing is missing. The next call continues after the last row.
func (a *audit) missing(from *Rows) iter.Seq[uint32] {
	return func(yield func(number uint32) bool) {
		for ; a.compared <= int(from.highest/64); a.compared++ {
			for unset := ^(a.seen.Word(a.compared) | a.active.Word(a.compared)); unset != 0; unset &= unset - 1 {
				if number := uint32(a.compared*64 + bits.TrailingZeros64(unset)); from.has(number) && !yield(number) {
					return
				}
			}
		}
	}
}
