package book

import "blotter/model"

// Row is where a position is stored. It can be used until the book changes. A million of them take 16 MB, and a million
// positions 128.
type Row struct {
	rows   *Rows
	number uint32
}

// Row returns the row with the number.
func (r *Rows) Row(number uint32) Row { return Row{r, number} }

// Key returns the key of the position.
func (r Row) Key() model.Key { return r.rows.key(r.number) }

// Number returns a number of the position.
func (r Row) Number(f model.Field) model.Amount { return r.rows.Amount(r.number, f) }

// Position returns the position.
func (r Row) Position() model.Position { return r.rows.Position(r.number) }

// Get sets p to the position.
func (r Row) Get(p *model.Position) { r.rows.get(r.number, p) }

// All yields every position once, in no particular order.
func (b *Book) All(yield func(model.Position) bool) {
	for t, number := range b.AllRows {
		if !yield(t.rows.Position(number)) {
			return
		}
	}
}

// AllRows yields the table and the number of every row.
func (b *Book) AllRows(yield func(*Table, uint32) bool) {
	for t := range b.tables.all {
		for number := range t.rows.all {
			if !yield(t, number) {
				return
			}
		}
	}
}

// AllTables yields every table, in the order of their numbers.
func (b *Book) AllTables(yield func(*Table) bool) { b.tables.all(yield) }
