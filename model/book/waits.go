package book

import (
	"maps"
	"math"
	"slices"

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

// waits are what decides whether a row of a table and its margin record are of one moment: when sizes have changed, the
// rows that wait for a record or until more is told, and up to which time something is told.
type waits struct {
	sizedAt map[uint32]int64 // by number: when the size of the row last changed, in nanoseconds since the Unix epoch
	pairs   map[model.MarginKey]wait
	next    int64 // not after the earliest wait.until that is not 0; 0 if there is none
	told    told
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

// clone returns a copy that shares nothing with w.
func (w *waits) clone() waits {
	return waits{maps.Clone(w.sizedAt), maps.Clone(w.pairs), w.next, w.told}
}

// sizeChangedAt returns when the size of a row last changed, and 0 if that is not known.
func (w *waits) sizeChangedAt(number uint32) int64 { return w.sizedAt[number] }

// SizeChangedAt returns when the size of a row last changed, in nanoseconds since the Unix epoch by the service's
// clock, and 0 if that is not known.
func (r *Rows) SizeChangedAt(number uint32) int64 { return r.waits.sizeChangedAt(number) }

// setSizeChangedAt records when the size of a row has changed.
func (w *waits) setSizeChangedAt(number uint32, at int64) {
	if w.sizedAt == nil {
		w.sizedAt = make(map[uint32]int64)
	}
	w.sizedAt[number] = at
}

// put makes the row of a record wait because of it.
func (w *waits) put(key model.MarginKey, of wait) {
	if w.pairs == nil {
		w.pairs = make(map[model.MarginKey]wait)
	}
	w.pairs[key] = of
	if of.until != 0 && (w.next == 0 || of.until < w.next) {
		w.next = of.until
	}
}

// mustWait reports whether a row waits with a record of this time, and until which time is told: see wait.until. A
// record without a time does not wait, because it is not known when it was written. A time that is ahead of the
// service's clock decides nothing: it is later than notAfter.
func (w *waits) mustWait(number uint32, recorded model.Amount, read ReadTimes) (until int64, waits bool) {
	at, hasTime := recorded.UsableTime(math.MaxInt64)
	switch {
	case !hasTime:
		return 0, false
	case at < w.sizeChangedAt(number):
		return 0, true
	case at > read.NotAfter:
		return 0, false
	case !w.told.hasTimes:
		at = read.ServedAt
	}
	return at, at > w.told.upTo
}

// knownTo returns up to when the pair of a row is known that waits now. Until is as in wait.
func (w *waits) knownTo(number uint32, until int64, read ReadTimes) int64 {
	switch {
	case until == 0:
		return w.sizeChangedAt(number)
	case w.told.upTo > 0:
		return w.told.upTo
	}
	return max(receivedAt(read.NotAfter), 1)
}

// due returns the keys of the records that rows have waited for until now, in order.
func (w *waits) due() (due []model.MarginKey) {
	if w.next == 0 || w.next > w.told.upTo {
		return nil
	}
	next := int64(0)
	for key, of := range w.pairs {
		switch {
		case of.until == 0:
		case of.until <= w.told.upTo:
			due = append(due, key)
		case next == 0 || of.until < next:
			next = of.until
		}
	}
	w.next = next
	slices.SortFunc(due, model.MarginKey.Compare)
	return due
}

// pairOf returns what a row has if it begins to wait because of a record: the ratio that it has with the record, whose
// number may be 0, and that is known up to a time. The position is the row as it was until now.
func pairOf(p *model.Position, margins *Margins, record uint32, knownTo int64) wait {
	w := wait{size: p.Number(model.OpenVolume)}
	if record != 0 {
		w.last, _ = margins.ratio(record, p.Number(model.UnrealisedPnl))
	}
	w.last.EndedAt = knownTo
	return w
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
