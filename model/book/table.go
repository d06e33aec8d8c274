package book

import "blotter/model"

// Table has the positions of one subscription.
type Table struct {
	model.Subscription
	number  uint32 // in the book; entries of views have it
	rows    *Rows
	partial bool                // the snapshot has no last page, and no audit has ended since: rows may be missing
	sent    model.RowSet        // while partial: the rows that the open stream has sent, or an audit has corrected
	updated model.RowSet        // the rows whose state is of an update of the open stream
	audited bool                // an audit has ended since the last snapshot
	audit   *audit              // the audit that is running, or nil if there is none
	doubted map[uint32]struct{} // the rows that are marked, because they have been in doubt for some time
	// followed are the streams of a recording whose positions the table has; nil if it has all.
	followed []model.Key
}

// NewTable returns a table with rows for a book.
func NewTable(s model.Subscription, number uint32, rows *Rows) *Table {
	return &Table{Subscription: s, number: number, rows: rows}
}

// Number returns the number of the table in its book.
func (t *Table) Number() uint32 { return t.number }

// Rows returns the rows of the table. They are changed through the book only.
func (t *Table) Rows() *Rows { return t.rows }

// Followed returns the streams of a recording whose positions the table has; nil if it has all, or if t is nil.
func (t *Table) Followed() []model.Key {
	if t == nil {
		return nil
	}
	return t.followed
}

// Told returns up to which time the stream of the table has told something, by the clock of the service, in nanoseconds
// since the Unix epoch. It is 0 if that is not known, also of a nil Table.
func (t *Table) Told() int64 {
	if t == nil {
		return 0
	}
	return t.rows.pairs.Told()
}

// IsUnsent reports whether the row with the number may be out of date: it is of an earlier stream, and the open one,
// whose snapshot has no last page, has not sent it; or it has been in doubt for some time: see Doubts.
func (t *Table) IsUnsent(number uint32) bool {
	if t.partial && !t.sent.Has(number) {
		return true
	}
	_, isDoubted := t.doubted[number]
	return isDoubted
}
