package book

import (
	"math"

	"blotter/model"
)

// A margin ratio divides the unrealised PnL of a position by its maintenance margin. A service sends the two one after
// the other: an update changes the size at once, and the margin record for that size is read later. Until then the two
// are of different holdings, and the position never had their ratio.
//
// So a table has the time when the size of each row last changed, by the service's clock. If the margin record of a row
// is older than that, the row waits for a newer record, and the last ratio whose size and record agreed stays. A row
// that is closed has no ratio. A row whose side has changed has none until there is a newer record.
//
// When the size of a row in a snapshot last changed is not known. Its record counts, unless the table that the snapshot
// replaces had the row with another size, or waited already, or the row waited when it was watched last: unwatched.go.
//
// It takes about 20 bytes for each row whose size has changed, and about 200 bytes for each row that waits.

// waits are the rows of a table that wait for a margin record.
type waits struct {
	sizedAt map[uint32]int64 // by number: when the size of the row last changed, in nanoseconds since the Unix epoch
	// ratios are the last ratios whose size and record agreed, of the rows whose record is older than their size. The
	// maintenance margin is 0 if there was none. EndedAt is when the size changed for the first time since.
	ratios map[model.MarginKey]model.MarginRatio
}

// sizeChangedAt returns when the size of a row last changed, and 0 if that is not known.
func (r *Rows) sizeChangedAt(number uint32) int64 { return r.waits.sizedAt[number] }

// setSizeChangedAt records when the size of a row has changed.
func (r *Rows) setSizeChangedAt(number uint32, at int64) {
	if r.waits.sizedAt == nil {
		r.waits.sizedAt = make(map[uint32]int64)
	}
	r.waits.sizedAt[number] = at
}

// IsSized reports whether it is known when the size of a row last changed.
func (r *Rows) IsSized(number uint32) bool { return r.sizeChangedAt(number) != 0 }

// Waits reports whether a row waits for a newer margin record: its ratio is not that of its present profit.
func (r *Rows) Waits(number uint32) bool { return r.at(number).waits }

// wait makes a row wait for a newer record than the one with the key. The ratio is the last one.
func (r *Rows) wait(number uint32, key model.MarginKey, last model.MarginRatio) {
	if r.waits.ratios == nil {
		r.waits.ratios = make(map[model.MarginKey]model.MarginRatio)
	}
	r.waits.ratios[key] = last
	r.at(number).waits = true
}

// endWait makes a row no longer wait for a newer record than the one with the key.
func (r *Rows) endWait(number uint32, key model.MarginKey, margins *Margins) {
	if !r.at(number).waits {
		return
	}
	delete(r.waits.ratios, key)
	for record := range margins.withKey(key.Key) {
		if _, waits := r.waits.ratios[margins.marginKey(record)]; waits {
			return // for a record in another asset
		}
	}
	r.at(number).waits = false
}

// Ratio returns the margin ratio of an open row that has this profit, with a margin record whose number may be 0. It
// returns false if there is none: see MarginRatio. If the record is older than the size of the row, it is the last
// ratio whose size and record agreed, and has ended; it has also ended, without amounts, if there never was one.
func (r *Rows) Ratio(number uint32, margins *Margins, record uint32, profit model.Amount) (model.MarginRatio, bool) {
	if record == 0 {
		return model.MarginRatio{}, false
	}
	if r.at(number).waits {
		if last, waits := r.waits.ratios[margins.marginKey(record)]; waits {
			return last, !last.Maintenance.IsZero()
		}
	}
	return margins.ratio(record, profit)
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
	r.resize(number, before, p, margins, max(sizeTime(p, notAfter), r.sizeChangedAt(number)))
}

// sizeTime returns when a size that has just changed did so, by the service's clock. If the position has no usable
// time, that is now.
func sizeTime(p *model.Position, notAfter int64) int64 {
	if at, usable := p.ChangedAt(notAfter); usable {
		return at
	}
	return notAfter - int64(model.AheadFor)
}

// resize notes for a row that its size has changed. It was before until that time.
func (r *Rows) resize(number uint32, before, p *model.Position, margins *Margins, at int64) {
	r.setSizeChangedAt(number, at)
	if margins.count() == 0 {
		return
	}
	side := model.SideOf(p.Number(model.OpenVolume))
	for record := range margins.withKey(p.Key) {
		key := margins.marginKey(record)
		switch _, waits := r.waits.ratios[key]; {
		case side == model.Flat, !margins.isBefore(record, at):
			r.endWait(number, key, margins)
		case side != model.SideOf(before.Number(model.OpenVolume)):
			r.wait(number, key, model.MarginRatio{EndedAt: at})
		case !waits:
			last, _ := margins.ratio(record, before.Number(model.UnrealisedPnl))
			last.EndedAt = at
			r.wait(number, key, last)
		}
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
	b.margins.Merge(page, func(levels *model.MarginLevels, before uint32, readAt int64) {
		t, number := b.Row(levels.Key)
		b.PutMargins(t, number, levels, before, readAt)
	})
}

// PutMargins keeps a margin record in place of the one with its key, whose number is 0 if there is none. Its row is the
// one with the number in the table, 0 if there is none: it waits no longer, unless the record is older than its size.
func (b *Book) PutMargins(t *Table, number uint32, levels *model.MarginLevels, before uint32, readAt int64) {
	if number == 0 || !t.rows.IsSized(number) {
		b.margins.Put(levels, before, readAt)
		return
	}
	rows, sizedAt := t.rows, t.rows.sizeChangedAt(number)
	last, _ := rows.Ratio(number, b.margins, before, rows.Amount(number, model.UnrealisedPnl))
	b.margins.Put(levels, before, readAt)
	switch _, waits := rows.waits.ratios[levels.MarginKey]; {
	case !b.margins.isBefore(b.margins.exact(levels.MarginKey), sizedAt):
		rows.endWait(number, levels.MarginKey, b.margins)
	case waits:
		rows.at(number).waits = true // in a jump, a record in another asset may have come before this one
	case !rows.Amount(number, model.OpenVolume).IsZero():
		last.EndedAt = sizedAt // the record before this one had no usable time, or there was none
		rows.wait(number, levels.MarginKey, last)
	}
}

// isBefore reports whether a record is older than a time in nanoseconds since the Unix epoch. One without a time is
// not: when it was written is not known.
func (m *Margins) isBefore(record uint32, at int64) bool {
	recorded, hasTime := m.Amount(record, marginTimestamp).UsableTime(math.MaxInt64)
	return hasTime && recorded < at
}

// keepSizes copies to the rows of a snapshot when the sizes of the rows that they replace have changed. Rows of a
// recording may have these times already, and better ones: those of the changes themselves.
func (r *Rows) keepSizes(from *Rows, margins *Margins, notAfter int64) {
	var before, after model.Position
	for number := range r.all {
		earlier := from.number(r.key(number))
		if earlier == 0 || r.IsSized(number) {
			continue
		}
		sizedAt := from.sizeChangedAt(earlier)
		isSame := from.Amount(earlier, model.OpenVolume) == r.Amount(number, model.OpenVolume)
		if isSame && sizedAt == 0 {
			continue
		}
		from.get(earlier, &before)
		r.get(number, &after)
		for record := range margins.withKey(after.Key) {
			key := margins.marginKey(record)
			if last, waits := from.waits.ratios[key]; waits {
				r.wait(number, key, last)
			}
		}
		if isSame {
			r.setSizeChangedAt(number, sizedAt)
		} else {
			r.resize(number, &before, &after, margins, max(sizeTime(&after, notAfter), sizedAt))
		}
	}
}

// Waiting yields the rows that wait for a margin record that is not older than their size: their keys, and since when.
func (b *Book) Waiting(yield func(key model.MarginKey, since int64) bool) {
	for _, t := range b.tables {
		for key, last := range t.rows.waits.ratios {
			if !yield(key, last.EndedAt) {
				return
			}
		}
	}
}

// SizeChange is when the size of a row last changed, and the last ratios whose size and record agreed, if the row waits
// for a newer margin record.
type SizeChange struct {
	model.Key
	At   int64       `json:"at"` // in nanoseconds since the Unix epoch
	Last []LastRatio `json:"last,omitempty"`
	Side model.Side  `json:"side,omitempty"` // of a row that is not watched now; Flat if that is not known
}

// LastRatio is a ratio in an asset.
type LastRatio struct {
	Asset model.ID `json:"asset"`
	model.MarginRatio
}

func (r *Rows) lastRatios(number uint32, key model.Key, margins *Margins) (last []LastRatio) {
	if !r.Waits(number) {
		return nil
	}
	for record := range margins.withKey(key) {
		of := margins.marginKey(record)
		if ratio, waits := r.waits.ratios[of]; waits {
			last = append(last, LastRatio{of.Asset, ratio})
		}
	}
	return last
}

// SizeChanges yields what is known of when the sizes of rows have changed, also of rows that are not watched now.
func (b *Book) SizeChanges(yield func(SizeChange) bool) {
	for _, t := range b.tables {
		for number, at := range t.rows.waits.sizedAt {
			key := t.rows.key(number)
			if !yield(SizeChange{Key: key, At: at, Last: t.rows.lastRatios(number, key, b.margins)}) {
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
func (b *Book) RestoreSizeChange(c *SizeChange) {
	t, number := b.Row(c.Key)
	if number == 0 {
		b.unwatched.put(*c)
		return
	}
	t.rows.setSizeChangedAt(number, c.At)
	for _, last := range c.Last {
		t.rows.wait(number, model.MarginKey{Key: c.Key, Asset: last.Asset}, last.MarginRatio)
	}
}
