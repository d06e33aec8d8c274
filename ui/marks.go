package ui

import (
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/table"
)

// marks are the changed cells of the rows that are on the screen. Only these rows are followed, from frame to frame, so
// a mark costs no more among a million rows. A row that comes to the screen is not marked: it was not seen before.
type marks struct {
	view *view.View // after it is replaced, nothing is compared with rows before: a snapshot or a filter marks nothing
	rows map[model.Key]*followedRow
}

// markFor is how long a changed cell is marked. The mark is gone with the first frame after it, at the latest a second
// later.
const markFor = 2 * time.Second

// quietFor is how long a number that moves with prices must have been the same for its change to be marked. Such
// numbers change each second, all over the table, and a table full of marks shows nothing.
const quietFor = 10 * time.Second

// markedCell is a cell of a row that can be marked.
type markedCell uint8

const (
	sizeCell markedCell = iota
	entryCell
	unrealisedCell
	ratioCell
	realisedCell
	statusTextCell
	markedCells
)

// markedColumns has the cell of each column that is marked.
var markedColumns = map[view.Column]markedCell{
	view.SizeColumn: sizeCell, view.EntryColumn: entryCell, view.UnrealisedColumn: unrealisedCell,
	view.MarginRatioColumn: ratioCell, view.RealisedColumn: realisedCell, view.StatusColumn: statusTextCell,
}

// followedRow is a row as it was in the last frame.
type followedRow struct {
	position  model.Position
	ratio     model.MarginRatio
	changedAt [markedCells]time.Time // or when the row was first seen
	markedAt  [markedCells]time.Time // zero: never
}

// followChanges marks what has changed on the screen since the last frame.
func (m *Model) followChanges() {
	if m.options.WithoutMarks || m.incoming.more {
		return
	}
	l, view, before := m.layout(), m.data.view, m.marks
	room := m.positionRoom(&l)
	m.marks = marks{view: view, rows: make(map[model.Key]*followedRow, room)}
	now, top := m.screenNow(), m.positions.window.Top()
	for place := top; place < top+room; place++ {
		p, ok := view.At(place)
		if !ok {
			continue
		}
		ratio, _ := view.MarginRatio(&p)
		row := before.rows[p.Key]
		if row == nil {
			row = new(followedRow)
			for cell := range row.changedAt {
				row.changedAt[cell] = now
			}
		} else if before.view == view {
			m.compareCells(row, &p, ratio, now)
		}
		row.position, row.ratio = p, ratio
		m.marks.rows[p.Key] = row
	}
}

// compareCells marks the cells of a row whose text is another one now.
func (m *Model) compareCells(row *followedRow, p *model.Position, ratio model.MarginRatio, now time.Time) {
	was := &row.position
	number := func(cell markedCell, field model.Field, quiet time.Duration) {
		if p.Number(field) != was.Number(field) && m.format.Number(p, field).Text != m.format.Number(was, field).Text {
			row.mark(cell, now, quiet)
		}
	}
	number(sizeCell, model.OpenVolume, 0)
	number(entryCell, model.AverageEntryPrice, 0)
	number(realisedCell, model.RealisedPnl, 0)
	number(unrealisedCell, model.UnrealisedPnl, quietFor)
	if ratio != row.ratio && ratio.String() != row.ratio.String() {
		row.mark(ratioCell, now, quietFor)
	}
	if p.Status() != was.Status() || format.Status(p) != format.Status(was) {
		row.mark(statusTextCell, now, 0)
	}
}

// mark marks a cell, unless it had changed within the time before.
func (r *followedRow) mark(cell markedCell, now time.Time, quiet time.Duration) {
	if now.Sub(r.changedAt[cell]) >= quiet {
		r.markedAt[cell] = now
	}
	r.changedAt[cell] = now
}

// cellOf returns the cell of a row in a column, marked where it has changed.
func (m *Model) cellOf(c view.Column, r *shownPosition) table.Cell {
	cell := columnViews[c].cell(r)
	if row := m.marks.rows[r.Key]; row != nil {
		of, can := markedColumns[c]
		if at := row.markedAt[of]; can && !at.IsZero() && m.screenNow().Sub(at) < markFor {
			cell.Style += m.styles.Changed
		}
	}
	return cell
}
