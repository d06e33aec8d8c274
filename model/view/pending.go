package view

import (
	"blotter/model"
	"blotter/model/book"
)

// pending are changes of the book that are not in the view yet. Their rows are read as they were before, because the
// entries of the index are in the order of these values.
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
