package book

import "blotter/model"

// Emptied returns a book without positions and margin records, with the observers and the baseline of b.
func (b *Book) Emptied() *Book {
	emptied := newBook(b.limit, newMargins(maxMargins))
	emptied.observers, emptied.baselines = b.observers, b.baselines
	return emptied
}

// Copied returns a copy of the rows that a subscription covers, of all tables, with what is known of their sizes.
func (b *Book) Copied(of model.Subscription) *Rows {
	rows := NewRows()
	for t, number := range b.AllRows {
		if key := t.rows.key(number); t.Key != of.Key && !of.Covers(key) {
			continue
		}
		p := t.rows.Position(number)
		copied := rows.set(0, &p)
		if at := t.rows.sizeChangedAt(number); at != 0 {
			rows.setSizeChangedAt(copied, at)
		}
		if t.rows.Waits(number) {
			for record := range b.margins.withKey(p.Key) {
				if key := b.margins.marginKey(record); t.rows.waits.ratios[key].EndedAt != 0 {
					rows.wait(copied, key, t.rows.waits.ratios[key])
				}
			}
		}
	}
	return rows
}
