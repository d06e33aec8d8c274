package columns

import (
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// Marks are the changed cells of the rows that are on the screen. Only these rows are followed, from frame to frame, so
// a mark costs no more among a million rows. A row that comes to the screen is not marked: it was not seen before.
type Marks struct {
	view *view.View // after it is replaced, nothing is compared with rows before: a snapshot or a filter marks nothing
	rows map[model.Key]*RowMarks
}

// markFor is how long a changed cell is marked. The mark is gone with the first frame after it, at the latest a second
// later.
const markFor = 2 * time.Second

// QuietFor is how long a number that moves with prices must have been the same for its change to be marked. Such
// numbers change each second, all over the table, and a table full of marks shows nothing.
const QuietFor = 10 * time.Second

// markedCell is a cell of a row that can be marked.
type markedCell uint8

const (
	neverMarked markedCell = iota
	sizeCell
	entryCell
	unrealisedCell
	ratioCell
	realisedCell
	statusTextCell
	markedCells
)

// markedColumns has the cell of each column that is marked.
var markedColumns = [len(layouts)]markedCell{
	view.SizeColumn: sizeCell, view.EntryColumn: entryCell, view.UnrealisedColumn: unrealisedCell,
	view.MarginRatioColumn: ratioCell, view.RealisedColumn: realisedCell, view.StatusColumn: statusTextCell,
}

// RowMarks are the marks of a row on the screen, and the row as it was in the last frame.
type RowMarks struct {
	position  model.Position
	ratio     model.MarginRatio
	changedAt [markedCells]time.Time // or when the row was first seen
	markedAt  [markedCells]time.Time // zero: never
}

// Follow marks what has changed since it was called last, in so many lines of a view from the one at top on.
func (k *Marks) Follow(v *view.View, top, lines int, f *format.Formatter, now time.Time) {
	before := *k
	*k = Marks{view: v, rows: make(map[model.Key]*RowMarks, lines)}
	for place := top; place < top+lines; place++ {
		p, ok := v.At(place)
		if !ok {
			continue
		}
		ratio, _ := v.MarginRatio(&p)
		row := before.rows[p.Key]
		if row == nil {
			row = new(RowMarks)
			for cell := range row.changedAt {
				row.changedAt[cell] = now
			}
		} else if before.view == v {
			row.compare(&p, ratio, f, now)
		}
		row.position, row.ratio = p, ratio
		k.rows[p.Key] = row
	}
}

// Of returns the marks of a position, and nil if it was not on the screen.
func (k *Marks) Of(key model.Key) *RowMarks { return k.rows[key] }

// has reports whether the cell in a column is marked.
func (r *RowMarks) has(c view.Column, now time.Time) bool {
	if r == nil || markedColumns[c] == neverMarked {
		return false
	}
	at := r.markedAt[markedColumns[c]]
	return !at.IsZero() && now.Sub(at) < markFor
}

// compare marks the cells of a row whose text is another one now.
func (r *RowMarks) compare(p *model.Position, ratio model.MarginRatio, f *format.Formatter, now time.Time) {
	was := &r.position
	number := func(cell markedCell, field model.Field, quiet time.Duration) {
		if p.Number(field) != was.Number(field) && f.Number(p, field).Text != f.Number(was, field).Text {
			r.mark(cell, now, quiet)
		}
	}
	number(sizeCell, model.OpenVolume, 0)
	number(entryCell, model.AverageEntryPrice, 0)
	number(realisedCell, model.RealisedPnl, 0)
	number(unrealisedCell, model.UnrealisedPnl, QuietFor)
	if ratio != r.ratio && ratio.String() != r.ratio.String() {
		r.mark(ratioCell, now, QuietFor)
	}
	if p.Status() != was.Status() || format.Status(p) != format.Status(was) {
		r.mark(statusTextCell, now, 0)
	}
}

// mark marks a cell, unless it had changed within the time before.
func (r *RowMarks) mark(cell markedCell, now time.Time, quiet time.Duration) {
	if now.Sub(r.changedAt[cell]) >= quiet {
		r.markedAt[cell] = now
	}
	r.changedAt[cell] = now
}
