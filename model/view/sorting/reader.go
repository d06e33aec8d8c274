package sorting

import (
	"blotter/model"
	"blotter/model/book"
)

// pending are changes of the book that are not in the view yet. The book has applied all changes of a list before the
// view applies the first. While a change is pending, its row is read as it was: the entries of the index are in the
// order of these values, and the index is searched for one row while others are pending. All that is read of rows is
// read by the methods below.
type pending struct {
	changes []book.Change
	table   uint32 // of the changes
	rows    model.RowSet
}

// BeginChanges begins a list of changes: their rows are read as they were. All are of one table.
func (p *pending) BeginChanges(changes []book.Change) {
	if len(changes) == 0 {
		return
	}
	p.changes, p.table = changes, changes[0].Table.Number()
	for i := range changes {
		if changes[i].Before != nil {
			p.rows.Add(changes[i].Row)
		}
	}
}

// EndChange ends the first change: its row is read as it is.
func (p *pending) EndChange(change *book.Change) {
	p.rows.Remove(change.Row)
	p.changes = p.changes[1:]
}

// pendingOf returns the change of an entry that is not in the view yet, nil if there is none.
func (p *pending) pendingOf(e Entry) *book.Change {
	if len(p.changes) == 0 || e.Table != p.table || !p.rows.Has(e.Row) {
		return nil
	}
	for i := range p.changes {
		if p.changes[i].Row == e.Row {
			return &p.changes[i]
		}
	}
	return nil
}

// reader reads the rows of the entries of a view.
type reader struct {
	pending
	Book   *book.Book
	tables []readTable // by number
}

// readTable is a table of the book.
type readTable struct {
	rows          *book.Rows
	marginRecords []uint32 // by the number of the row: see Encoder.FindMarginRecord
}

func (r *reader) rows(e Entry) *book.Rows { return r.tables[e.Table].rows }

// Position returns the row of an entry.
func (r *reader) Position(e Entry) model.Position {
	if before := r.pendingOf(e); before != nil {
		return *before.Before
	}
	return r.rows(e).Position(e.Row)
}

// Amount returns a number in the row of an entry.
func (r *reader) Amount(e Entry, f model.Field) model.Amount {
	if before := r.pendingOf(e); before != nil {
		return before.Before.Number(f)
	}
	return r.rows(e).Amount(e.Row, f)
}

func (r *reader) status(e Entry) model.Status {
	if before := r.pendingOf(e); before != nil {
		return before.Before.Status()
	}
	return r.rows(e).Status(e.Row)
}

// StatusName returns the name of the status in the row of an entry.
func (r *reader) StatusName(e Entry) string {
	if before := r.pendingOf(e); before != nil {
		return before.Before.StatusName()
	}
	return r.rows(e).StatusName(e.Row)
}

// ratioWith returns the margin ratio of the row of an open entry that has this profit, and false if it has none.
func (r *reader) ratioWith(e Entry, profit model.Amount) (model.MarginRatio, bool) {
	if before := r.pendingOf(e); before != nil {
		return before.RatioBefore(r.Book.Margins(), r.MarginRecord(e), profit)
	}
	return r.rows(e).Ratio(e.Row, r.Book.Margins(), r.MarginRecord(e), profit)
}

// Touch reads a number of the row of an entry, which brings the row into the processor's cache. Reads of several rows
// do not depend on each other, so the processor waits for all of them at the same time: without them, filters in
// BenchmarkComparisons take twice as long. The result only keeps the compiler from removing the read: the caller must
// store it.
func (r *reader) Touch(e Entry) uint64 { return r.rows(e).Packed(e.Row, model.UnrealisedPnl).Low }

// MarginRecord returns the number of the margin record of an entry in the asset of its market, 0 if there is none.
func (r *reader) MarginRecord(e Entry) uint32 {
	if records := r.tables[e.Table].marginRecords; int(e.Row) < len(records) {
		return records[e.Row]
	}
	return 0
}
