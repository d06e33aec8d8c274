package ui

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
)

// positionRows returns the rows on the screen, at most so many.
func (m *Model) positionRows(columns []view.Column, most int) []table.Row {
	view, w := m.data.view, &m.positions.window
	_, hasCursor := w.Cursor()
	now, stale := m.serviceNow(), m.stale()
	last := min(view.Lines(), w.Top()+most)
	for place := w.Top(); place < last; place++ {
		if p, ok := view.At(place); ok {
			m.format.Label(p.Key)
		}
	}
	rows := make([]table.Row, 0, max(most, 0))
	for place := w.Top(); place < last; place++ {
		row := table.Row{Mark: " "}
		p, isRow := view.At(place)
		if isRow {
			row.Cells, row.Stale = m.positionCells(&p, columns, now), stale.HasRow(view.Book(), p.Key)
		} else if g, ok := m.groupAt(place); ok {
			row.Cells, row.Stale = m.groupCells(g, columns), m.isStaleGroup(g, &stale)
		}
		if hasCursor && place == w.Place() {
			row.Mark, row.Cursor = "▌", m.focus == positionsPane
		}
		if isRow && m.data.alerts.IsActive(p.Key) {
			row.Mark, row.MarkStyle = "!", m.styles.Alarm
		}
		if row.Stale && !stale.All() {
			row.Mark = "?" // also under the cursor, which is reversed as well
		}
		rows = append(rows, row)
	}
	return rows
}

// positionCells formats a position, one cell for each column.
func (m *Model) positionCells(p *model.Position, shown []view.Column, now time.Time) []table.Cell {
	row := columns.Row{Position: p, Format: m.format, Styles: &m.styles, Now: now, Margin: m.marginOf(p, now)}
	if slices.Contains(shown, view.MarkColumn) {
		row.Mark, row.Notional = m.format.Estimates(p)
	}
	row.Baseline, row.HasBaseline = m.baselineOf(p)
	cells := make([]table.Cell, len(shown))
	for i, c := range shown {
		cells[i] = m.cellOf(c, &row)
	}
	m.indent(cells, shown)
	return cells
}

// marginOf returns the margin ratio of a position at a time by the service's clock.
func (m *Model) marginOf(p *model.Position, now time.Time) columns.Margin {
	var shown columns.Margin
	levels, _, ok := m.data.view.MarginLevels(p)
	if !ok {
		shown.IsNone = p.IsOpen() && m.walk.IsComplete() && m.data.view.Covered() > 0
		return shown
	}
	shown.Ratio, shown.HasRatio = m.data.view.MarginRatio(p)
	shown.Recorded, shown.IsOld = format.AgeOf(levels.Timestamp, now), isOld(&levels, now)
	return shown
}

// cellOf returns the cell of a row in a column, marked where it has changed.
func (m *Model) cellOf(c view.Column, r *columns.Row) table.Cell {
	cell := r.Cell(c)
	if m.marks.Has(r.Key, c, m.screenNow()) {
		cell.Style += m.styles.Changed
	}
	return cell
}

// followChanges marks what has changed on the screen since the last frame.
func (m *Model) followChanges() {
	if m.options.WithoutMarks || m.incoming.more {
		return
	}
	l := m.layout()
	m.marks.Follow(m.data.view, m.positions.window.Top(), m.positionRoom(&l), m.format, m.screenNow())
}

// drawSecondLine draws size, entry, status and age of a position. The row is its first line.
func (m *Model) drawSecondLine(p *model.Position, row *table.Row, width int) string {
	base, shown := m.rowStyle(row), columns.Row{Position: p, Format: m.format, Styles: &m.styles, Now: m.serviceNow()}
	l := draw.NewLine(width).Put(base, row.Mark+"  ")
	put := func(cell table.Cell, number bool) {
		style := base
		if !row.Stale {
			style += cell.Style
		}
		if number {
			l.PutNumber(style, cell.MarkedText()) // no heading has the marks
		} else {
			l.Put(style, cell.Text)
		}
	}
	put(m.cellOf(view.SizeColumn, &shown), true)
	l.Put(base+m.styles.Dim, " @ ")
	put(m.cellOf(view.EntryColumn, &shown), true)
	l.Put(base, "  ")
	put(m.cellOf(view.StatusColumn, &shown), false)
	if age := shown.Cell(view.AgeColumn); draw.Width(age.Text)+1 < l.Left() {
		l.Put(base, strings.Repeat(" ", l.Left()-draw.Width(age.Text)))
		put(age, false)
	}
	if row.Cursor {
		l.Put(base, strings.Repeat(" ", l.Left()))
	}
	return l.String()
}

// rowStyle is the style of a row, on which its texts have their own.
func (m *Model) rowStyle(row *table.Row) draw.Style {
	switch {
	case row.Cursor && row.Stale:
		return m.styles.StaleCursor
	case row.Cursor:
		return m.styles.Cursor
	case row.Stale:
		return m.styles.Stale
	}
	return draw.Plain
}
