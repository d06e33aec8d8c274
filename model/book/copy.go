package book

import (
	"maps"
	"slices"

	"blotter/model"
)

// Copied returns a copy of the rows that a subscription covers, of all tables, with what is known of their sizes, and
// those of them that may not be out of date: see Table.IsUnsent.
func (b *Book) Copied(of model.Subscription) (rows *Rows, sent model.RowSet) {
	rows = NewRows()
	for t, number := range b.AllRows {
		if key := t.rows.key(number); t.Key != of.Key && !of.Covers(key) {
			continue
		}
		p := t.rows.Position(number)
		copied := rows.set(0, &p)
		if !t.IsUnsent(number) {
			sent.Add(copied)
		}
		c := t.rows.sizeChange(number)
		rows.pairs.Restore(copied, &c)
	}
	return rows, sent
}

// Copied returns a copy of the rows of the table, with what is known of their sizes, and those of them that may not be
// out of date: see IsUnsent.
func (t *Table) Copied() (rows *Rows, sent model.RowSet) { return t.rows.Clone(), slices.Clone(t.sent) }

// Only returns a copy of those rows whose keys are kept, with the times when their sizes have changed, and which of a
// set of rows they are.
func (r *Rows) Only(isKept func(model.Key) bool, of model.RowSet) (rows *Rows, set model.RowSet) {
	rows = NewRows()
	for number := range r.AllNumbers {
		if !isKept(r.key(number)) {
			continue
		}
		p := r.Position(number)
		kept := rows.set(0, &p)
		if at := r.SizeChangedAt(number); at != 0 {
			rows.pairs.SetSizedAt(kept, at)
		}
		if of.Has(number) {
			set.Add(kept)
		}
	}
	return rows, set
}

// Clone returns a copy of the book, with all that is known of its rows: one can be changed while the other is read.
func (b *Book) Clone() *Book {
	margins := &Margins{b.margins.clone(), b.margins.assets.Clone(), b.margins.written.clone(), b.margins.newest, b.margins.limit}
	clone := newBook(b.limit, margins)
	clone.leftOut, clone.left = b.leftOut, b.left.clone()
	clone.baselines = b.baselines.copied(clone.tables)
	maps.Copy(clone.unwatched, b.unwatched)
	for t := range b.tables.all {
		copied := *t
		copied.rows = t.rows.Clone()
		copied.sent, copied.updated, copied.doubted = slices.Clone(t.sent), slices.Clone(t.updated), maps.Clone(t.doubted)
		if t.audit != nil {
			copied.audit = &audit{slices.Clone(t.audit.seen), slices.Clone(t.audit.active), t.audit.newest, t.audit.compared}
		}
		clone.put(&copied)
	}
	return clone
}
