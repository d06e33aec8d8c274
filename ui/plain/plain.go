// Package plain selects the changes of positions that --plain writes for a screen reader: at once where a position
// opens, closes, flips or gets another status; less often where its profit or margin ratio has changed much. It has no
// words and no clock.
package plain

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"blotter/model"
)

// The limits, so that a reader can follow. A change beyond them is written later, with the values of that time.
const (
	MaxRows   = 10_000           // positions that are followed
	Burst     = 5                // changes that are written at once
	LineEvery = 2 * time.Second  // for each of them, before others are written
	RowEvery  = 15 * time.Second // between two lines about profit or margin ratio of a position
)

// A change is large from this many thousandths of the maintenance margin on; without a margin ratio, from this fraction
// of the unrealised PnL on.
const (
	largeRatio = 50
	largePart  = 5 // a fifth
)

// Row has the values of a position that are compared.
type Row struct {
	model.Key
	Side     int    // the sign of its size
	Status   string // empty where it has none
	Profit   model.Amount
	Ratio    model.Amount // the margin ratio in thousandths
	HasRatio bool
}

// Kind is what a change is.
type Kind uint8

// The kinds of changes, the most important first.
const (
	Status  Kind = iota // it has another status
	Opened              // there was no such position, or it was closed
	Gone                // it is closed, removed, or no longer matches the filter
	Flipped             // from long to short or from short to long
	Turned              // from gain to loss or from loss to gain
	Moved               // a large change of unrealised PnL or margin ratio
)

// Change is a change of a position since its last line.
type Change struct {
	Kind   Kind
	Before Row // as it was written last; only the key for a new position
	Now    Row // only the key for a position that was removed
}

// Follower keeps the values of each position that were written last. The zero Follower has none.
type Follower struct {
	written   map[model.Key]written
	readUntil time.Time // when all lines are read: LineEvery for each
}

type written struct {
	row Row
	at  time.Time
}

// Begin takes rows as written.
func (f *Follower) Begin(rows []Row, now time.Time) {
	f.written, f.readUntil = make(map[model.Key]written, len(rows)), now
	for _, row := range rows {
		f.written[row.Key] = written{row, now}
	}
}

// Changes returns the changes to write now, the most important first, and how many others wait. The most important row
// is first. Where areAll is false, positions that open or were removed are no changes.
func (f *Follower) Changes(rows []Row, areAll bool, now time.Time) (changes []Change, waiting int) {
	present := make(map[model.Key]bool, len(rows))
	for _, row := range rows {
		present[row.Key] = true
		before, known := f.written[row.Key]
		if !known && (!areAll || row.Side == 0) {
			f.written[row.Key] = written{row, now}
			continue
		}
		before.row.Key = row.Key
		if kind, ok := kindOf(&before.row, &row); ok && (kind < Turned || now.Sub(before.at) >= RowEvery) {
			changes = append(changes, Change{kind, before.row, row})
		}
	}
	changes = append(changes, f.gone(present, areAll)...)
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.Kind, b.Kind) })
	room := min(f.room(now), len(changes))
	changes, waiting = changes[:room], len(changes)-room
	for _, c := range changes {
		f.written[c.Now.Key] = written{c.Now, now}
		if !present[c.Now.Key] {
			delete(f.written, c.Now.Key)
		}
	}
	f.readUntil = f.readUntil.Add(time.Duration(room) * LineEvery)
	return changes, waiting
}

// room returns how many changes can be written now.
func (f *Follower) room(now time.Time) int {
	if f.readUntil.Before(now) {
		f.readUntil = now
	}
	return Burst - int((f.readUntil.Sub(now)+LineEvery-1)/LineEvery)
}

// gone returns the changes of positions that were removed.
func (f *Follower) gone(present map[model.Key]bool, areAll bool) []Change {
	var gone []Change
	for key, before := range f.written {
		switch {
		case present[key]:
		case !areAll || before.row.Side == 0:
			delete(f.written, key)
		default:
			gone = append(gone, Change{Gone, before.row, Row{Key: key}})
		}
	}
	slices.SortFunc(gone, func(a, b Change) int { return a.Now.Key.Compare(b.Now.Key) })
	return gone
}

// kindOf returns the most important change, and false where it needs no line.
func kindOf(before, now *Row) (Kind, bool) {
	switch {
	case before.Side == 0 && now.Side != 0:
		return Opened, true
	case before.Side != 0 && now.Side == 0:
		return Gone, true
	case before.Status != now.Status:
		return Status, true
	case before.Side != now.Side:
		return Flipped, true
	case before.Profit.Sign()*now.Profit.Sign() < 0:
		return Turned, true
	}
	return Moved, isLarge(before, now)
}

func isLarge(before, now *Row) bool {
	if before.HasRatio && now.HasRatio {
		moved, _, ok := distance(before.Ratio, now.Ratio)
		return ok && moved.CmpAbs(big.NewInt(largeRatio)) >= 0
	}
	moved, from, ok := distance(before.Profit, now.Profit)
	return ok && moved.Sign() != 0 && moved.Mul(moved, big.NewInt(largePart)).CmpAbs(from) >= 0
}

// distance returns how much an amount has changed, and from which value; false where one is no number.
func distance(before, now model.Amount) (moved, from *big.Int, ok bool) {
	from, ok = before.Int()
	to, isNumber := now.Int()
	if !ok || !isNumber {
		return nil, nil, false
	}
	return to.Sub(to, from), from, true
}
