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
	view *view.View // rows of another view are not compared: after a snapshot or a new filter nothing is marked
	rows map[model.Key]*RowMarks
	gone map[model.Key]*RowMarks // empty; it is used again
}

// markFor is how long a changed cell is marked, and priceMarkFor how long a number that moves with prices. The mark is
// gone with the first frame after it, at the latest a second later.
const (
	markFor      = 2 * time.Second
	priceMarkFor = time.Second
)

// QuietFor is how long a number that moves with prices must have been the same for its change to be marked. Such
// numbers change each second, all over the table, and a table full of marks shows nothing.
const QuietFor = 10 * time.Second

// RowMarks are the marks of a row on the screen, and the row as it was in the last frame.
type RowMarks struct {
	seen
	changedAt [columnCount]time.Time // or when the row was first seen
	moved     [columnCount]move      // by the change that is marked
	markedAt  [columnCount]time.Time // zero: never
}

// seen is a row in a frame.
type seen struct {
	position model.Position
	ratio    model.MarginRatio
}

// move is how a cell has changed.
type move int8

const (
	unmoved move = iota
	replaced
	up   // a number is larger
	down // a number is smaller
)

// cellChanged returns how a cell has changed; unmoved if its text is the same as before.
type cellChanged func(is, was *seen, f *format.Formatter) move

func numberChanged(field model.Field) cellChanged {
	return func(is, was *seen, f *format.Formatter) move {
		p, before := &is.position, &was.position
		if p.Number(field) == before.Number(field) || f.Number(p, field).Text == f.Number(before, field).Text {
			return unmoved
		}
		if p.Number(field).Compare(before.Number(field)) < 0 {
			return down
		}
		return up
	}
}

func ratioChanged(is, was *seen, _ *format.Formatter) move {
	if is.ratio != was.ratio && !is.ratio.HasEnded() && !was.ratio.HasEnded() && is.ratio.String() != was.ratio.String() {
		return replaced // its arrow is that of the profit
	}
	return unmoved
}

func statusChanged(is, was *seen, _ *format.Formatter) move {
	if is.position.Status() != was.position.Status() || format.Status(&is.position) != format.Status(&was.position) {
		return replaced
	}
	return unmoved
}

// Follow marks what has changed since it was called last, in the given number of lines of a view from the one at top
// on.
func (k *Marks) Follow(v *view.View, top, lines int, f *format.Formatter, now time.Time) {
	before := *k
	if *k = (Marks{view: v, rows: before.gone, gone: before.rows}); k.rows == nil {
		k.rows = make(map[model.Key]*RowMarks, lines)
	}
	defer clear(k.gone)
	for place := top; place < top+lines; place++ {
		p, ok := v.At(place)
		if !ok {
			continue
		}
		is := seen{position: p}
		is.ratio, _ = v.Margins().Ratio(&p)
		row := before.rows[p.Key]
		if row == nil {
			row = new(RowMarks)
			for cell := range row.changedAt {
				row.changedAt[cell] = now
			}
		} else if before.view == v && row.seen != is {
			row.compare(&is, f, now)
		}
		row.seen = is
		k.rows[p.Key] = row
	}
}

// Of returns the marks of a position, and nil if it was not on the screen.
func (k *Marks) Of(key model.Key) *RowMarks { return k.rows[key] }

// of returns how the cell in a column has changed, as long as it is marked.
func (r *RowMarks) of(c view.Column, now time.Time) move {
	if r == nil || r.markedAt[c].IsZero() {
		return unmoved
	}
	lasts := markFor
	if layouts[c].quiet > 0 {
		lasts = priceMarkFor
	}
	if now.Sub(r.markedAt[c]) >= lasts {
		return unmoved
	}
	return r.moved[c]
}

// compare marks the cells of a row whose text is another one now, unless they had changed a short time before.
func (r *RowMarks) compare(is *seen, f *format.Formatter, now time.Time) {
	for c := range columnCount {
		l := &layouts[c]
		if l.changed == nil {
			continue
		}
		moved := l.changed(is, &r.seen, f)
		if moved == unmoved {
			continue
		}
		if now.Sub(r.changedAt[c]) >= l.quiet {
			r.markedAt[c], r.moved[c] = now, moved
		}
		r.changedAt[c] = now
	}
}
