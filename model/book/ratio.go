package book

import (
	"iter"
	"math"

	"blotter/model"
)

// A margin ratio divides the unrealised PnL of a position by its maintenance margin. A service sends the two in answers
// to different requests, and either can come first. So the two can be of different sizes, and the position never had
// their ratio. The two are a pair if they are of one moment: the size did not change between them.
//
// So a table has the time when the size of each row last changed, by the service's clock, and the time up to which its
// stream has told something: see told. If the margin record of a row is older than its size, the row waits for a newer
// record. If the record is newer than what is told, the row waits until more is told. Meanwhile the last ratio of a
// pair stays, and there is an estimate for the present size and profit. A row that is closed has no ratio. A row whose
// side has changed has none until there is a pair again.
//
// When the size of a row in a snapshot last changed is not known. Its record counts if it is not newer than what is
// told, unless the table that the snapshot replaces had the row with another size, or waited already, or the row waited
// when it was watched last: unwatched.go.
//
// It takes about 20 bytes for each row whose size has changed, and about 250 bytes for each row that waits.

// waits are the rows of a table that wait for a margin record, or until more is told.
type waits struct {
	sizedAt map[uint32]int64 // by number: when the size of the row last changed, in nanoseconds since the Unix epoch
	pairs   map[model.MarginKey]wait
	next    int64 // not after the earliest wait.until that is not 0; 0 if there is none
}

// wait is what a row has while it waits.
type wait struct {
	// last is the last ratio of a pair. The maintenance margin is 0 if there was none. EndedAt is up to when it is
	// known.
	last model.MarginRatio
	size model.Amount // that last is of; 0 if it is not known
	// until is the time that must be told; 0 if the record is older than the size: then the row waits for a newer one.
	until int64
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

// Waits reports whether a row waits: its ratio is an estimate, or that of an earlier moment.
func (r *Rows) Waits(number uint32) bool { return r.at(number).waits }

// wait makes a row wait, because of the record with the key.
func (r *Rows) wait(number uint32, key model.MarginKey, w wait) {
	if r.waits.pairs == nil {
		r.waits.pairs = make(map[model.MarginKey]wait)
	}
	r.waits.pairs[key] = w
	r.at(number).waits = true
	if w.until != 0 && (r.waits.next == 0 || w.until < r.waits.next) {
		r.waits.next = w.until
	}
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

// mustWait reports whether a row waits with a record of this time, and until which time is told: see wait.until. A
// record without a time does not wait, because it is not known when it was written. A time that is ahead of the
// service's clock decides nothing: it is later than notAfter.
func (r *Rows) mustWait(number uint32, recorded model.Amount, read ReadTimes) (until int64, waits bool) {
	at, hasTime := recorded.UsableTime(math.MaxInt64)
	switch {
	case !hasTime:
		return 0, false
	case at < r.sizeChangedAt(number):
		return 0, true
	case at > read.NotAfter:
		return 0, false
	case !r.told.hasTimes:
		at = read.ServedAt
	}
	return at, at > r.told.upTo
}

// ReadTimes are when a page of margin records was read, in nanoseconds since the Unix epoch. A time of a record that is
// after NotAfter is ahead of the service's clock.
type ReadTimes struct {
	ReadAt   int64
	ServedAt int64 // ReadAt by the clock of the service; 0 if what is told is newer in any case
	NotAfter int64
}

// readTimes returns the times of a page.
func readTimes(page *model.Page) ReadTimes {
	served := page.Served()
	return ReadTimes{page.ReadAt.UnixNano(), served.UnixNano(), served.Add(model.AheadFor).UnixNano()}
}

// pair returns what a row has if it begins to wait because of a record: the ratio that it has with the record, whose
// number may be 0, and that is known up to a time. The position is the row as it was until now.
func (r *Rows) pair(p *model.Position, margins *Margins, record uint32, knownTo int64) wait {
	w := wait{size: p.Number(model.OpenVolume)}
	if record != 0 {
		w.last, _ = margins.ratio(record, p.Number(model.UnrealisedPnl))
	}
	w.last.EndedAt = knownTo
	return w
}

// knownTo returns up to when the pair of a row is known that waits now. Until is as in wait.
func (r *Rows) knownTo(number uint32, until int64, read ReadTimes) int64 {
	switch {
	case until == 0:
		return r.sizeChangedAt(number)
	case r.told.upTo > 0:
		return r.told.upTo
	}
	return max(receivedAt(read.NotAfter), 1)
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
	r.resize(number, before, p, margins, max(sizeTime(p, notAfter), r.sizeChangedAt(number)), notAfter)
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
	r.setSizeChangedAt(number, at)
	if margins.count() == 0 {
		return
	}
	side := model.SideOf(p.Number(model.OpenVolume))
	isOtherSide := side != model.SideOf(before.Number(model.OpenVolume))
	for record := range margins.withKey(p.Key) {
		key := margins.marginKey(record)
		w, waits := r.waiting(number, key)
		until, mustWait := r.mustWait(number, margins.Amount(record, marginTimestamp), ReadTimes{NotAfter: notAfter})
		switch {
		case side == model.Flat, !mustWait && w.until <= r.told.upTo:
			r.endWait(number, key, margins)
			continue
		case !mustWait:
			until = w.until
		}
		switch {
		case isOtherSide:
			w = wait{last: model.MarginRatio{EndedAt: at}}
		case !waits:
			w = r.pair(before, margins, record, at)
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
	until, mustWait := rows.mustWait(number, record.Timestamp, record.Read)
	if !mustWait {
		b.margins.Put(record)
		rows.endWait(number, record.MarginKey, b.margins)
		return
	}
	w, waits := rows.waits.pairs[record.MarginKey] // in a jump, a record in another asset may have come before this one
	if !waits {
		row := rows.Position(number)
		w = rows.pair(&row, b.margins, record.Before, rows.knownTo(number, until, record.Read))
	}
	w.until = until
	b.margins.Put(record)
	rows.wait(number, record.MarginKey, w)
}

// Waiting yields the rows of a book that wait for a margin record that is not older than their size: their keys, and
// since when.
func Waiting(b *Book) iter.Seq2[model.MarginKey, int64] {
	return func(yield func(key model.MarginKey, since int64) bool) {
		for _, t := range b.tables {
			for key, w := range t.rows.waits.pairs {
				if w.until == 0 && !yield(key, w.last.EndedAt) {
					return
				}
			}
		}
	}
}
