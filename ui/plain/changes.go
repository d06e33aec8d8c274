package plain

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// The limits, so that lines do not come faster than they can be read. A change beyond them is written later, with the
// values of that time.
const (
	MaxRows   = 10_000           // positions that are followed
	burst     = 5                // changes that are written at once
	lineEvery = 2 * time.Second  // for each of them, before others are written
	rowEvery  = 15 * time.Second // between two lines about profit or margin ratio of a position
)

// A change is large if it is at least this part of the maintenance margin, in thousandths; without a margin ratio, from
// this fraction of the unrealised PnL on.
const (
	largeRatio = 50
	largePart  = 5 // a fifth
)

// followedRow has the values of a position that are compared.
type followedRow struct {
	model.Position              // only its key if there is none
	ratio          model.Amount // the margin ratio in thousandths
	hasRatio       bool
}

func (r *followedRow) profit() model.Amount { return r.Number(model.UnrealisedPnl) }

// changeKind is what a change is.
type changeKind uint8

// The kinds of changes, the most important first.
const (
	statusKind  changeKind = iota // it has another status
	openedKind                    // there was no such position, or it was closed
	goneKind                      // it is closed, removed, or no longer matches the filter
	flippedKind                   // from long to short or from short to long
	turnedKind                    // from gain to loss or from loss to gain
	movedKind                     // a large change of unrealised PnL or margin ratio
)

// rowChange is a change of a position since its last line.
type rowChange struct {
	kind   changeKind
	before followedRow // as it was written last; empty for a new position
	now    followedRow // only the key for a position that was removed
}

// writtenRows keeps the values of each position that were written last. The zero value is empty.
type writtenRows struct {
	rows      map[model.Key]written
	readUntil time.Time // when all lines are read: lineEvery for each
}

type written struct {
	row followedRow
	at  time.Time
}

// begin takes rows as written.
func (w *writtenRows) begin(rows []followedRow, now time.Time) {
	w.rows, w.readUntil = make(map[model.Key]written, len(rows)), now
	for _, row := range rows {
		w.rows[row.Key] = written{row, now}
	}
}

// changes returns the changes to write now, the most important first, and how many others wait. The most important row
// is first. If areAll is false, positions that open or were removed are no changes. Rows that may be out of date stay
// as they were written.
func (w *writtenRows) changes(rows []followedRow, areAll bool, isOutOfDate func(model.Key) bool,
	now time.Time) (changes []rowChange, waiting int) {
	present := make(map[model.Key]bool, len(rows))
	for _, row := range rows {
		present[row.Key] = true
		if isOutOfDate(row.Key) {
			continue
		}
		before, known := w.rows[row.Key]
		if !known && (!areAll || !row.IsOpen()) {
			w.rows[row.Key] = written{row, now}
			continue
		}
		if kind, ok := kindOf(&before.row, &row); ok && (kind < turnedKind || now.Sub(before.at) >= rowEvery) {
			changes = append(changes, rowChange{kind, before.row, row})
		}
	}
	changes = append(changes, w.gone(present, areAll, isOutOfDate)...)
	slices.SortStableFunc(changes, func(a, b rowChange) int { return cmp.Compare(a.kind, b.kind) })
	room := min(w.room(now), len(changes))
	changes, waiting = changes[:room], len(changes)-room
	for _, c := range changes {
		w.rows[c.now.Key] = written{c.now, now} // one that is gone has no size, so the next call drops it
	}
	w.readUntil = w.readUntil.Add(time.Duration(room) * lineEvery)
	return changes, waiting
}

func (w *writtenRows) room(now time.Time) int {
	if w.readUntil.Before(now) {
		w.readUntil = now
	}
	return burst - int((w.readUntil.Sub(now)+lineEvery-1)/lineEvery)
}

func (w *writtenRows) gone(present map[model.Key]bool, areAll bool, isOutOfDate func(model.Key) bool) []rowChange {
	var gone []rowChange
	for key, before := range w.rows {
		switch {
		case present[key] || isOutOfDate(key):
		case !areAll || !before.row.IsOpen():
			delete(w.rows, key)
		default:
			gone = append(gone, rowChange{goneKind, before.row, followedRow{Position: model.Position{Key: key}}})
		}
	}
	slices.SortFunc(gone, func(a, b rowChange) int { return a.now.Key.Compare(b.now.Key) })
	return gone
}

// kindOf returns the most important change, and false if it needs no line.
func kindOf(before, now *followedRow) (changeKind, bool) {
	kinds := event.Between(&before.Position, &now.Position)
	switch {
	case kinds&event.Opened != 0:
		return openedKind, true
	case kinds&event.Closed != 0:
		return goneKind, true
	case kinds&event.StatusChanged != 0:
		return statusKind, true
	case kinds&event.Flipped != 0:
		return flippedKind, true
	case before.profit().Sign()*now.profit().Sign() < 0:
		return turnedKind, true
	}
	return movedKind, isLarge(before, now)
}

func isLarge(before, now *followedRow) bool {
	if before.hasRatio && now.hasRatio {
		moved, _, ok := distance(before.ratio, now.ratio)
		return ok && moved.CmpAbs(big.NewInt(largeRatio)) >= 0
	}
	moved, from, ok := distance(before.profit(), now.profit())
	return ok && moved.Sign() != 0 && moved.Mul(moved, big.NewInt(largePart)).CmpAbs(from) >= 0
}

// distance returns how much an amount has changed, and from which value, in the same unit; false if one of the amounts
// is no number, or only one is a decimal.
func distance(before, now model.Amount) (moved, from *big.Int, ok bool) {
	from, to, _, ok := model.Aligned(before, now, model.Unscaled)
	if !ok {
		return nil, nil, false
	}
	return to.Sub(to, from), from, true
}
