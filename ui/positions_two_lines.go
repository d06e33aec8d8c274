package ui

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// On a screen narrower than twoLineRowsBelow each position takes two lines: who it belongs to and what it makes of its
// margin on the first, the rest on the second.

// firstLineColumns are the columns on the first of the two lines, with the column that sorts the rows.
var firstLineColumns = []view.Column{view.MarketColumn, view.PartyColumn, view.UnrealisedColumn, view.MarginRatioColumn}

// isOnSecondLine reports whether a column is on the second line where rows take two.
func isOnSecondLine(c view.Column, order view.Order) bool {
	return c != order.Column && !slices.Contains(firstLineColumns, c)
}

// drawSecondLine draws size, entry, status and age of a position. The row is its first line.
func (m *Model) drawSecondLine(p *model.Position, row *table.Row, width int) string {
	base, shown := m.rowStyle(row), shownPosition{Position: p, format: m.format, styles: &m.styles, now: m.serviceNow()}
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
	if age := columnViews[view.AgeColumn].cell(&shown); draw.Width(age.Text)+1 < l.Left() {
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
