package ui

import (
	"slices"
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
	w := &m.positions
	_, hasCursor := w.Cursor()
	now, stale := m.store.ServiceNow(), m.store.Stale()
	positions := m.labelledPositions(most)
	rows := make([]table.Row, 0, len(positions))
	for i, p := range positions {
		place, isRow := w.Top()+i, p != nil
		row := table.Row{Mark: " "}
		if isRow {
			row.Cells, row.Stale = m.positionCells(p, columns, now), stale.HasRow(p.Key)
		} else if g, ok := m.groupAt(place); ok {
			row.Cells, row.Stale = m.headingOf(g).Cells(columns), m.isStaleGroup(g, stale)
		}
		if hasCursor && place == w.Place() {
			row.Mark, row.Cursor = "▌", m.focus == positionsPane
		}
		if isRow && m.store.Alerts().IsActive(p.Key) {
			row.Mark, row.MarkStyle = "!", m.styles.Alarm
		}
		if row.Stale && !stale.All() {
			row.Mark = "?" // also under the cursor, which is reversed as well
		}
		rows = append(rows, row)
	}
	return rows
}

// labelledPositions returns the positions on the screen, nil for a heading, after it has made the labels of all.
func (m *Model) labelledPositions(most int) []*model.Position {
	view, top := m.store.View(), m.positions.Top()
	positions := make([]*model.Position, max(min(view.Lines()-top, most), 0))
	for i := range positions {
		if p, ok := view.At(top + i); ok {
			m.store.Format().Label(p.Key)
			positions[i] = &p
		}
	}
	return positions
}

// rowOf returns a position with what its cells need in these columns.
func (m *Model) rowOf(p *model.Position, shown []view.Column, now time.Time) *columns.Row {
	row := &columns.Row{
		Position: p, Format: m.store.Format(), Styles: &m.styles, Now: now, Margin: m.marginOf(p, now), Marks: m.marks.Of(p.Key), ScreenNow: m.store.ScreenNow(),
	}
	if slices.Contains(shown, view.MarkColumn) {
		row.Mark, row.Notional = m.store.Format().Estimates(p)
	}
	row.Baseline, row.HasBaseline = m.store.View().BaselineOf(p.Key)
	return row
}

// positionCells formats a position, one cell for each column.
func (m *Model) positionCells(p *model.Position, shown []view.Column, now time.Time) []table.Cell {
	return m.rowOf(p, shown, now).Cells(shown, m.store.View().Groups.By)
}

// marginOf returns the margin ratio of a position at a time by the service's clock.
func (m *Model) marginOf(p *model.Position, now time.Time) columns.Margin {
	var shown columns.Margin
	levels, _, ok := m.store.View().MarginLevels(p)
	if !ok {
		shown.IsNone = p.IsOpen() && m.store.Walk().IsComplete() && m.store.View().Covered() > 0
		return shown
	}
	shown.Ratio, shown.HasRatio = m.store.View().MarginRatio(p)
	shown.Recorded, shown.IsOld = format.AgeOf(levels.Timestamp, now), columns.IsOld(&levels, now)
	return shown
}

// followChanges marks what has changed on the screen since the last frame.
func (m *Model) followChanges() {
	if m.options.WithoutMarks || m.store.Flow().HasMore() {
		return
	}
	l := m.layout()
	m.marks.Follow(m.store.View(), m.positions.Top(), m.positionRoom(&l), m.store.Format(), m.store.ScreenNow())
}

// secondLine draws the second line of a row or a heading, on a screen where each takes two.
func (m *Model) secondLine(line int, row *table.Row, width int) string {
	if p, ok := m.store.View().At(line); ok {
		return m.rowOf(&p, nil, m.store.ServiceNow()).SecondLine(row, width)
	}
	if g, ok := m.groupAt(line); ok {
		return m.headingOf(g).SecondLine(row, width)
	}
	return ""
}

// drawEmpty draws why the table is empty.
func (m *Model) drawEmpty(width, height int) []string {
	words := draw.Wrap(m.emptyWords(), max(width-4, 1))
	lines := draw.Fit(nil, min(max((height-len(words))/4, 1), max(height-len(words), 0)))
	for _, line := range words {
		lines = append(lines, draw.Centred(width, draw.Plain, line))
	}
	return lines
}

func (m *Model) emptyWords() string {
	view := m.store.View()
	if m.store.IsSorting() {
		return "Sorting..."
	}
	if m.store.IsCleared() {
		return ""
	}
	if view.Rows() == 0 {
		if words := m.streams().Loading(m.width - 2); words != "" {
			return words
		}
	}
	closed := view.ClosedHidden()
	switch {
	case view.Rows() == 0:
		return "No positions."
	case view.Filtered() > 0 && closed > 0:
		return "No open position matches; " + m.clearFilterKeys() + " clears the filter, " + m.keys.Key("show_closed") + " shows " +
			model.Counted(closed, "closed position") + " that it matches."
	case view.Filtered() > 0:
		return "No position matches; " + m.clearFilterKeys() + " clears the filter."
	case closed == 1:
		return m.keys.Fill("1 closed position hidden. Press {show_closed} to show it.")
	}
	return model.Counted(closed, "closed position") + m.keys.Fill(" hidden. Press {show_closed} to show them.")
}

// clearFilterKeys are the keys that clear the filter: esc alone where that is the latest step.
func (m *Model) clearFilterKeys() string {
	if latest, ok := m.steps.latest(); m.filter.open || ok && latest.kind == filterStep && m.appliedFilter() == "" {
		return "esc"
	}
	return m.keys.Fill("{filter} and esc")
}
