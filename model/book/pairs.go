package book

import (
	"blotter/model"
	"blotter/model/book/pairs"
)

// What package pairs decides for the rows of a book: it knows neither their keys nor where the records are.

// row returns the row with the number as package pairs knows it.
func (r *Rows) row(number uint32) pairs.Row {
	return pairs.Row{Number: number, Size: r.Amount(number, model.OpenVolume), Profit: r.Amount(number, model.UnrealisedPnl)}
}

// record returns the record with the number, which may be 0, as package pairs knows it.
func (m *Margins) record(number uint32) pairs.Record {
	if number == 0 {
		return pairs.Record{}
	}
	return pairs.Record{Asset: m.asset(number), At: m.Amount(number, marginTimestamp), Maintenance: m.Amount(number, maintenanceMargin)}
}

// HasWaiting reports whether any row waits.
func (r *Rows) HasWaiting() bool { return r.pairs.HasWaiting() }

// Waits reports whether a row waits: its ratio is an estimate, or that of an earlier moment.
func (r *Rows) Waits(number uint32) bool { return r.pairs.Waits(number) }

// SizeChangedAt returns when the size of a row last changed, in nanoseconds since the Unix epoch by the service's
// clock, and 0 if that is not known.
func (r *Rows) SizeChangedAt(number uint32) int64 { return r.pairs.SizedAt(number) }

// Ratio returns the margin ratio of an open row that has this profit, with a margin record whose number may be 0. It
// returns false if there is none: see MarginRatio. If the row waits, it is an estimate, or if there is none, the last
// ratio of a pair; it has also ended, without amounts, if there is neither.
func (r *Rows) Ratio(number uint32, margins *Margins, record uint32, profit model.Amount) (model.MarginRatio, bool) {
	if record == 0 {
		return model.MarginRatio{}, false
	}
	if r.Waits(number) {
		if last := r.pairs.Waiting(number, margins.asset(record)); last != nil {
			return last.Ratio(profit, r.Amount(number, model.OpenVolume))
		}
	}
	return pairs.Ratio(profit, margins.Amount(record, maintenanceMargin))
}

// LastRatio returns what Ratio returns, but the last ratio of a pair in place of an estimate.
func (r *Rows) LastRatio(number uint32, margins *Margins, record uint32, profit model.Amount) (model.MarginRatio, bool) {
	if record != 0 {
		if last := r.pairs.Waiting(number, margins.asset(record)); last != nil {
			return last.Last()
		}
	}
	return r.Ratio(number, margins, record, profit)
}

// sizeTime returns when a size that has just changed did so, by the service's clock. If the position has no usable
// time, that is now.
func sizeTime(p *model.Position, notAfter int64) int64 {
	if at, usable := p.ChangedAt(notAfter); usable {
		return at
	}
	return pairs.ReceivedAt(notAfter)
}

// resize notes for a row that its size has changed. It was before until that time.
func (r *Rows) resize(number uint32, before, p *model.Position, margins *Margins, at, notAfter int64) {
	now, was := pairs.RowOf(number, p), pairs.RowOf(number, before)
	r.pairs.Resize(now, at)
	for record := range margins.withKey(p.Key) {
		r.pairs.Resized(now, was, margins.record(record), at, notAfter)
	}
}

// settle makes rows of a new table wait that must, because of the records that there are already. From is the table
// that it replaces, nil if there is none.
func (r *Rows) settle(from *Rows, margins *Margins, notAfter int64) {
	if margins.count() == 0 || r.pairs.IsSettled(margins.newest) {
		return
	}
	for number := range r.all {
		r.settleRow(number, from, margins, notAfter)
	}
}

func (r *Rows) settleRow(number uint32, from *Rows, margins *Margins, notAfter int64) {
	if r.Amount(number, model.OpenVolume).IsZero() {
		return
	}
	now, key := r.row(number), r.key(number)
	before := func() (row pairs.Row, of *pairs.Table) {
		if earlier := from.number(key); earlier != 0 {
			return from.row(earlier), &from.pairs
		}
		return row, nil
	}
	for record := range margins.withKey(key) {
		r.pairs.Settle(now, margins.record(record), before, notAfter)
	}
}

// keepSizes makes the rows of a snapshot have what is known of the rows that they replace. Rows of a recording may have
// these times already, and better ones: those of the changes themselves.
func (r *Rows) keepSizes(from *Rows, margins *Margins, notAfter int64) {
	var before, after model.Position
	numbers := numbersIn(r, from)
	for number := range r.all {
		earlier := numbers[number]
		if earlier == 0 || r.SizeChangedAt(number) != 0 {
			continue
		}
		isSame := from.Amount(earlier, model.OpenVolume) == r.Amount(number, model.OpenVolume)
		if isSame && from.SizeChangedAt(earlier) == 0 {
			continue
		}
		known := from.sizeChange(earlier)
		if r.pairs.Restore(number, &known); !isSame {
			from.get(earlier, &before)
			r.get(number, &after)
			r.resize(number, &before, &after, margins, max(sizeTime(&after, notAfter), known.At), notAfter)
		}
	}
}

// sizeChange returns what is known of when the size of a row has changed.
func (r *Rows) sizeChange(number uint32) pairs.SizeChange {
	return r.pairs.Change(number, r.key(number))
}

// keepWaiting keeps what is known of the rows that wait.
func (r *Rows) keepWaiting(in pairs.Unwatched) {
	for number := range r.pairs.AllWaiting {
		c := r.sizeChange(number)
		c.Side = model.SideOf(r.Amount(number, model.OpenVolume))
		in.Put(c)
	}
}

// waitAgain makes a row of a new table wait as before, if the table does not have the time of that change.
func (r *Rows) waitAgain(number uint32, c *pairs.SizeChange, margins *Margins, notAfter int64) {
	if r.SizeChangedAt(number) != 0 || r.Amount(number, model.OpenVolume).IsZero() {
		return
	}
	if c.At != 0 {
		r.pairs.SetSizedAt(number, c.At)
	}
	for record := range margins.withKey(c.Key) {
		r.pairs.WatchAgain(r.row(number), c, margins.record(record), notAfter)
	}
}

// NewestTime returns the newest usable time of positions, and 0 if none is usable.
func NewestTime(positions []model.Position, notAfter int64) (newest int64) {
	for i := range positions {
		if at, usable := positions[i].ChangedAt(notAfter); usable {
			newest = max(newest, at)
		}
	}
	return newest
}

// newestOf returns the newest usable time of the rows, and 0 if none is usable.
func newestOf(r *Rows, notAfter int64) (newest int64) {
	for number := range r.all {
		if at, usable := r.Amount(number, model.UpdatedAt).UsableTime(notAfter); usable {
			newest = max(newest, at)
		}
	}
	return newest
}
