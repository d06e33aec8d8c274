// Package pairs decides whether a position and its margin record are of one moment.
//
// A margin ratio divides the unrealised PnL of a position by its maintenance margin. A service sends the two in
// answers to different requests, perhaps of different nodes, and either can come first. So the two can be of different
// sizes, and the position never had their ratio. They are a pair if the size did not change between them.
//
// A [Table] has the time when the size of each row last changed, by the service's clock, and up to which time its
// stream, or an audit of its rows, has told something: no row has changed up to then without being sent. By these times
// a row and its record are a pair, or the row waits:
//
//	the record                              the row
//	has no time                             is a pair with it
//	is older than the size                  waits for a newer record
//	has a time ahead of the clock           is a pair with it: such a time decides nothing
//	is newer than what is told              waits until more is told
//	any other                               is a pair with it
//
// If the rows have no usable times, what is told is when something was received, and the time at which the record was
// read is compared with it. While a row waits, it has an estimate for its present size and profit, and the last ratio
// of a pair. That is known up to a time, and is none if the side has changed since:
//
//	what happens                            the last ratio of a pair of a row that begins to wait
//	a record comes                          with the record before it
//	an update changes the size              of the size before it
//	a snapshot replaces the table           of the table before it
//	a row is watched again                  what was kept when it was watched last: see Unwatched
//	a row is opened by an update            none
//	a row is closed, or removed             it no longer waits: it has no ratio
//
// When the size of a row in a first snapshot changed is not known: 0. It then waits only for what is told.
//
// It takes about 20 bytes for each row whose size has changed, and about 250 bytes for each row that waits.
package pairs

import (
	"maps"
	"math"
	"slices"

	"blotter/model"
)

// Table decides for the rows of a table, which it knows by their numbers. All times are in nanoseconds since the Unix
// epoch. The zero Table is ready for use.
type Table struct {
	sizedAt map[uint32]int64 // when the size of a row last changed
	waits   map[uint32][]LastRatio
	waiting model.RowSet // the rows of waits: this is faster
	next    int64        // not after the earliest LastRatio.Until that is not 0; 0 if there is none

	// told is the newest time of any row that the stream or an audit has sent. If its rows have no usable times, it is
	// when something was received.
	told     int64
	hasTimes bool // some row has a usable time
}

// Row is a row as it is or was.
type Row struct {
	Number       uint32
	Size, Profit model.Amount
}

// RowOf returns the row with the number as a position.
func RowOf(number uint32, p *model.Position) Row {
	return Row{number, p.Number(model.OpenVolume), p.Number(model.UnrealisedPnl)}
}

func (r *Row) side() model.Side { return model.SideOf(r.Size) }

// Record is a margin record of a row. The maintenance margin is 0 if there is no record.
type Record struct {
	Asset           model.ID
	At, Maintenance model.Amount
}

// ReadTimes are when a page of margin records was read. A time of a record that is after NotAfter is ahead of the
// service's clock.
type ReadTimes struct {
	ReadAt   int64
	ServedAt int64 // ReadAt by the clock of the service; 0 if what is told is newer in any case
	NotAfter int64
}

// ReadOf returns the times of a page.
func ReadOf(page *model.Page) ReadTimes {
	served := page.Served()
	return ReadTimes{page.ReadAt.UnixNano(), served.UnixNano(), served.Add(model.AheadFor).UnixNano()}
}

// ReceivedAt returns when something was received that has this NotAfter, as that of a list of updates.
func ReceivedAt(notAfter int64) int64 { return notAfter - int64(model.AheadFor) }

// LastRatio is what a row has while it waits because of the record in an asset.
type LastRatio struct {
	Asset model.ID `json:"asset"`
	// MarginRatio is the last one of a pair. Its maintenance margin is 0 if there was none. EndedAt is up to when it is
	// known.
	model.MarginRatio
	Size  model.Amount `json:"openVolume,omitzero"` // that the ratio is of; 0 if that is not known
	Until int64        `json:"until,omitempty"`     // the time that must be told; 0 if the row waits for a newer record
}

// Ratio returns the ratio of a row that waits and has this profit and size: an estimate, or the last ratio, and false
// if there is neither.
func (l *LastRatio) Ratio(profit, size model.Amount) (model.MarginRatio, bool) {
	if estimate, ok := model.EstimateRatio(profit, l.Maintenance, l.Size, size); ok {
		estimate.EndedAt = l.EndedAt
		return estimate, true
	}
	return l.Last()
}

// Last returns the last ratio of a pair, and false if there was none.
func (l *LastRatio) Last() (model.MarginRatio, bool) { return l.MarginRatio, !l.Maintenance.IsZero() }

// Ratio returns the ratio of the profit of an open position and its maintenance margin, both as the service wrote them,
// and false if there is none: see model.MarginRatio.
func Ratio(profit, maintenance model.Amount) (ratio model.MarginRatio, ok bool) {
	if ok = profit.IsNumber() && maintenance.IsNumber() && maintenance.Sign() > 0; ok {
		ratio.Profit, ratio.Maintenance = profit, maintenance
	}
	return ratio, ok
}

// pairOf returns what a row has that was a pair with a record, which may be none, up to a time.
func pairOf(row *Row, record *Record, knownTo int64) LastRatio {
	l := LastRatio{Size: row.Size}
	l.MarginRatio, _ = Ratio(row.Profit, record.Maintenance)
	l.EndedAt = knownTo
	return l
}

// none is what a row has that has had no pair up to a time.
func none(knownTo int64) LastRatio {
	return LastRatio{MarginRatio: model.MarginRatio{EndedAt: knownTo}}
}

// mustWait reports whether a row waits because of a record that was read at these times, and until which time is told:
// see LastRatio.Until.
func (t *Table) mustWait(number uint32, recorded model.Amount, read ReadTimes) (until int64, waits bool) {
	at, hasTime := recorded.UsableTime(math.MaxInt64)
	switch {
	case !hasTime:
		return 0, false
	case at < t.sizedAt[number]:
		return 0, true
	case at > read.NotAfter:
		return 0, false
	case !t.hasTimes:
		at = read.ServedAt
	}
	return at, at > t.told
}

// stillWaits returns what mustWait does for a record that was there already: then a row goes on to wait until a time is
// told.
func (t *Table) stillWaits(number uint32, record *Record, notAfter int64) (until int64, waits bool) {
	until, waits = t.mustWait(number, record.At, ReadTimes{NotAfter: notAfter})
	if l := t.Waiting(number, record.Asset); !waits && l != nil && l.Until > t.told {
		return l.Until, true
	}
	return until, waits
}

// knownTo returns up to when the pair of a row is known that waits now. Until is as in LastRatio.
func (t *Table) knownTo(number uint32, until, notAfter int64) int64 {
	switch {
	case until == 0:
		return t.sizedAt[number]
	case t.told > 0:
		return t.told
	}
	return max(ReceivedAt(notAfter), 1)
}

// wait makes a row wait because of the record in an asset.
func (t *Table) wait(number uint32, asset model.ID, l LastRatio, until int64) {
	l.Asset, l.Until = asset, until
	if was := t.Waiting(number, asset); was != nil {
		*was = l
	} else {
		if t.waits == nil {
			t.waits = make(map[uint32][]LastRatio)
		}
		t.waits[number] = append(t.waits[number], l)
		t.waiting.Add(number)
	}
	if until != 0 && (t.next == 0 || until < t.next) {
		t.next = until
	}
}

// end makes a row no longer wait because of records.
func (t *Table) end(number uint32, of func(*LastRatio) bool) {
	if !t.Waits(number) {
		return
	}
	left := slices.DeleteFunc(t.waits[number], func(l LastRatio) bool { return of(&l) })
	if t.waits[number] = left; len(left) == 0 {
		t.endAll(number)
	}
}

// endRecord makes a row no longer wait because of the record in an asset.
func (t *Table) endRecord(number uint32, asset model.ID) {
	t.end(number, func(l *LastRatio) bool { return l.Asset == asset })
}

// endAll makes a row no longer wait.
func (t *Table) endAll(number uint32) {
	delete(t.waits, number)
	t.waiting.Remove(number)
}

// Waits reports whether a row waits: its ratio is an estimate, or that of an earlier moment.
func (t *Table) Waits(number uint32) bool { return t.waiting.Has(number) }

// Waiting returns what a row has that waits because of the record in an asset; nil if it does not.
func (t *Table) Waiting(number uint32, asset model.ID) *LastRatio {
	if !t.Waits(number) {
		return nil
	}
	all := t.waits[number]
	for i := range all {
		if all[i].Asset == asset {
			return &all[i]
		}
	}
	return nil
}

// HasWaiting reports whether any row waits.
func (t *Table) HasWaiting() bool { return len(t.waits) > 0 }

// AllWaiting yields each row that waits, and what it has.
func (t *Table) AllWaiting(yield func(number uint32, of []LastRatio) bool) { maps.All(t.waits)(yield) }

// SizedAt returns when the size of a row last changed, and 0 if that is not known.
func (t *Table) SizedAt(number uint32) int64 { return t.sizedAt[number] }

// SetSizedAt sets when the size of a row has changed.
func (t *Table) SetSizedAt(number uint32, at int64) {
	if t.sizedAt == nil {
		t.sizedAt = make(map[uint32]int64)
	}
	t.sizedAt[number] = at
}

// Clone returns a copy that shares nothing with t.
func (t *Table) Clone() Table {
	clone := *t
	clone.sizedAt, clone.waits, clone.waiting = maps.Clone(t.sizedAt), maps.Clone(t.waits), slices.Clone(t.waiting)
	for number, of := range clone.waits {
		clone.waits[number] = slices.Clone(of)
	}
	return clone
}
