package book

import (
	"iter"

	"blotter/model"
)

// HasWaiting reports whether any row waits.
func (r *Rows) HasWaiting() bool { return len(r.waits.pairs) > 0 }

// Waits reports whether a row waits: its ratio is an estimate, or that of an earlier moment.
func (r *Rows) Waits(number uint32) bool { return r.at(number).waits }

// wait makes a row wait, because of the record with the key.
func (r *Rows) wait(number uint32, key model.MarginKey, w wait) {
	r.waits.put(key, w)
	r.at(number).waits = true
}

// endWait makes a row no longer wait because of the record with the key.
func (r *Rows) endWait(number uint32, key model.MarginKey, margins *Margins) {
	if len(r.waits.pairs) == 0 {
		return
	}
	delete(r.waits.pairs, key)
	if !r.at(number).waits {
		return
	}
	for record := range margins.withKey(key.Key) {
		if _, waits := r.waits.pairs[margins.marginKey(record)]; waits {
			return // for a record in another asset
		}
	}
	r.at(number).waits = false
}

// waiting returns what a row has that waits because of the record with the key, and false if it does not.
func (r *Rows) waiting(number uint32, key model.MarginKey) (w wait, waits bool) {
	if r.at(number).waits {
		w, waits = r.waits.pairs[key]
	}
	return w, waits
}

// Ratio returns the margin ratio of an open row that has this profit, with a margin record whose number may be 0. It
// returns false if there is none: see MarginRatio. If the row waits, it is an estimate, or if there is none, the last
// ratio of a pair; it has also ended, without amounts, if there is neither.
func (r *Rows) Ratio(number uint32, margins *Margins, record uint32, profit model.Amount) (model.MarginRatio, bool) {
	if record == 0 {
		return model.MarginRatio{}, false
	}
	if r.at(number).waits {
		if w, waits := r.waits.pairs[margins.marginKey(record)]; waits {
			return w.ratio(profit, r.Amount(number, model.OpenVolume))
		}
	}
	return margins.ratio(record, profit)
}

// ratio returns the ratio of a row that waits and has this profit and size: see Rows.Ratio.
func (w *wait) ratio(profit, size model.Amount) (model.MarginRatio, bool) {
	if estimate, ok := model.EstimateRatio(profit, w.last.Maintenance, w.size, size); ok {
		estimate.EndedAt = w.last.EndedAt
		return estimate, true
	}
	return w.last, !w.last.Maintenance.IsZero()
}

// LastRatio returns what Ratio returns, but the last ratio of a pair in place of an estimate.
func (r *Rows) LastRatio(number uint32, margins *Margins, record uint32, profit model.Amount) (model.MarginRatio, bool) {
	if record != 0 {
		if w, waits := r.waiting(number, margins.marginKey(record)); waits {
			return w.last, !w.last.Maintenance.IsZero()
		}
	}
	return r.Ratio(number, margins, record, profit)
}

// RatioOf returns the margin ratio of a position in an asset, as in Margins.Find, and false if it has none.
func (b *Book) RatioOf(p *model.Position, asset model.ID) (model.MarginRatio, bool) {
	t, number := b.Row(p.Key)
	if number == 0 || !p.IsOpen() {
		return model.MarginRatio{}, false
	}
	return t.rows.Ratio(number, b.margins, b.margins.NumberOf(p.Key, asset), p.Number(model.UnrealisedPnl))
}

// changeSize notes that the size of a row is about to change, if it does. It must be called before the row is set.
func (r *Rows) changeSize(number uint32, before, p *model.Position, margins *Margins, notAfter int64) {
	if before.Number(model.OpenVolume) == p.Number(model.OpenVolume) {
		return
	}
	r.resize(number, before, p, margins, max(sizeTime(p, notAfter), r.waits.sizeChangedAt(number)), notAfter)
}

// sizeTime returns when a size that has just changed did so, by the service's clock. If the position has no usable
// time, that is now.
func sizeTime(p *model.Position, notAfter int64) int64 {
	if at, usable := p.ChangedAt(notAfter); usable {
		return at
	}
	return receivedAt(notAfter)
}

// resize notes for a row that its size has changed. It was before until that time.
func (r *Rows) resize(number uint32, before, p *model.Position, margins *Margins, at, notAfter int64) {
	r.waits.setSizeChangedAt(number, at)
	if margins.count() == 0 {
		return
	}
	side := model.SideOf(p.Number(model.OpenVolume))
	isOtherSide := side != model.SideOf(before.Number(model.OpenVolume))
	for record := range margins.withKey(p.Key) {
		key := margins.marginKey(record)
		w, waits := r.waiting(number, key)
		until, mustWait := r.waits.mustWait(number, margins.Amount(record, marginTimestamp), ReadTimes{NotAfter: notAfter})
		switch {
		case side == model.Flat, !mustWait && w.until <= r.waits.told.upTo:
			r.endWait(number, key, margins)
			continue
		case !mustWait:
			until = w.until
		}
		switch {
		case isOtherSide:
			w = wait{last: model.MarginRatio{EndedAt: at}}
		case !waits:
			w = pairOf(before, margins, record, at)
		}
		w.until = until
		r.wait(number, key, w)
	}
}

// forgetSize removes what is known of the size of a row that is about to be removed.
func (r *Rows) forgetSize(number uint32, key model.Key, margins *Margins) {
	delete(r.waits.sizedAt, number)
	for record := range margins.withKey(key) {
		r.endWait(number, margins.marginKey(record), margins)
	}
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
	if number == 0 || t.rows.Amount(number, model.OpenVolume).IsZero() {
		b.margins.Put(record)
		return
	}
	rows := t.rows
	until, mustWait := rows.waits.mustWait(number, record.Timestamp, record.Read)
	if !mustWait {
		b.margins.Put(record)
		rows.endWait(number, record.MarginKey, b.margins)
		return
	}
	w, waits := rows.waits.pairs[record.MarginKey] // in a jump, a record in another asset may have come before this one
	if !waits {
		row := rows.Position(number)
		w = pairOf(&row, b.margins, record.Before, rows.waits.knownTo(number, until, record.Read))
	}
	w.until = until
	b.margins.Put(record)
	rows.wait(number, record.MarginKey, w)
}

// Waiting yields the rows of a book that wait for a margin record that is not older than their size: their keys, and
// since when.
func Waiting(b *Book) iter.Seq2[model.MarginKey, int64] {
	return func(yield func(key model.MarginKey, since int64) bool) {
		for t := range b.tables.all {
			for key, w := range t.rows.waits.pairs {
				if w.until == 0 && !yield(key, w.last.EndedAt) {
					return
				}
			}
		}
	}
}
