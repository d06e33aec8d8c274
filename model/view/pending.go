package view

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

// beginChanges begins a list of changes: their rows are read as they were. All are of one table.
func (p *pending) beginChanges(changes []book.Change) {
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

// end ends the first change: its row is read as it is.
func (p *pending) end(change *book.Change) {
	p.rows.Remove(change.Row)
	p.changes = p.changes[1:]
}

// of returns the change of an entry that is not in the view yet, nil if there is none.
func (p *pending) of(e entry) *book.Change {
	if len(p.changes) == 0 || e.table != p.table || !p.rows.Has(e.row) {
		return nil
	}
	for i := range p.changes {
		if p.changes[i].Row == e.row {
			return &p.changes[i]
		}
	}
	return nil
}

// rows returns the table that the row of an entry is in.
func (c *encoder) rows(e entry) *book.Rows { return c.tables[e.table].rows }

// position returns the row of an entry.
func (c *encoder) position(e entry) model.Position {
	if before := c.pending.of(e); before != nil {
		return *before.Before
	}
	return c.rows(e).Position(e.row)
}

// amount returns a number in the row of an entry.
func (c *encoder) amount(e entry, f model.Field) model.Amount {
	if before := c.pending.of(e); before != nil {
		return before.Before.Number(f)
	}
	return c.rows(e).Amount(e.row, f)
}

// status returns the status in the row of an entry.
func (c *encoder) status(e entry) model.Status {
	if before := c.pending.of(e); before != nil {
		return before.Before.Status()
	}
	return c.rows(e).Status(e.row)
}

// statusName returns the name of the status in the row of an entry.
func (c *encoder) statusName(e entry) string {
	if before := c.pending.of(e); before != nil {
		return before.Before.StatusName()
	}
	return c.rows(e).StatusName(e.row)
}

// ratioWith returns the margin ratio of the row of an open entry that has this profit, and false if it has none.
func (c *encoder) ratioWith(e entry, profit model.Amount) (model.MarginRatio, bool) {
	if before := c.pending.of(e); before != nil {
		return before.RatioBefore(c.book.Margins(), c.marginRecord(e), profit)
	}
	return c.rows(e).Ratio(e.row, c.book.Margins(), c.marginRecord(e), profit)
}
