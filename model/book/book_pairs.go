package book

import (
	"iter"
	"slices"

	"blotter/model"
	"blotter/model/book/pairs"
)

// RatioOf returns the margin ratio of a position in an asset, as in Margins.Find, and false if it has none.
func (b *Book) RatioOf(p *model.Position, asset model.ID) (model.MarginRatio, bool) {
	t, number := b.Row(p.Key)
	if number == 0 || !p.IsOpen() {
		return model.MarginRatio{}, false
	}
	return t.rows.Ratio(number, b.margins, b.margins.NumberOf(p.Key, asset), p.Number(model.UnrealisedPnl))
}

// MergeMargins keeps the records of a page that are not older than those of the book. There may be no view of it.
func (b *Book) MergeMargins(page *model.Page) {
	for record := range b.margins.NewOf(page) {
		t, number := b.Row(record.Key)
		b.PutMargins(t, number, record)
	}
}

// PutMargins keeps a margin record. Its row is the one with the number in the table, 0 if there is none: the two are a
// pair, or the row waits.
func (b *Book) PutMargins(t *Table, number uint32, record NewRecord) {
	if number != 0 && !t.rows.Amount(number, model.OpenVolume).IsZero() {
		now := pairs.Record{Asset: record.Asset, At: record.Timestamp}
		t.rows.pairs.Put(t.rows.row(number), now, b.margins.record(record.Before), record.Read)
	}
	b.margins.Put(record)
}

// Waiting yields the rows of a book that wait for a margin record that is not older than their size: their keys, and
// since when.
func Waiting(b *Book) iter.Seq2[model.MarginKey, int64] {
	return func(yield func(key model.MarginKey, since int64) bool) {
		for t := range b.tables.all {
			for number, of := range t.rows.pairs.AllWaiting {
				for i := range of {
					key := model.MarginKey{Key: t.rows.key(number), Asset: of[i].Asset}
					if of[i].Until == 0 && !yield(key, of[i].EndedAt) {
						return
					}
				}
			}
		}
	}
}

// SizeChanges yields what is known of when the sizes of rows have changed, also of rows that are not watched now.
func (b *Book) SizeChanges(yield func(pairs.SizeChange) bool) {
	for t := range b.tables.all {
		for number := range t.rows.pairs.Changes {
			if !yield(t.rows.sizeChange(number)) {
				return
			}
		}
	}
	for _, c := range b.unwatched {
		if !yield(c) {
			return
		}
	}
}

// RestoreSizeChange sets what SizeChanges has yielded.
func (b *Book) RestoreSizeChange(c *pairs.SizeChange) {
	if t, number := b.Row(c.Key); number != 0 {
		t.rows.pairs.Restore(number, c)
	} else {
		b.unwatched.Put(*c)
	}
}

// tell notes what has come: up to which time it tells something, if that is said: see Updates.Told. The rows that have
// waited for it no longer wait: at most a full list. It returns true if there are more.
func (b *Book) tell(t *Table, left *telling, upTo, notAfter int64) (more bool) {
	if !left.hasDue {
		t.rows.pairs.Tell(left.newest, upTo, notAfter)
		left.due, left.hasDue = t.rows.pairs.Due(), true
		slices.SortFunc(left.due, func(a, b uint32) int { return t.rows.key(a).Compare(t.rows.key(b)) })
	}
	for ; len(left.due) > 0; left.due = left.due[1:] {
		number := left.due[0]
		switch {
		case !t.rows.Waits(number): // any more
		case b.list.isFull() || t.rows.isListed(number):
			return true
		default:
			b.endDue(t, number)
		}
	}
	return false
}
