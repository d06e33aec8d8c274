package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// positions is the table of positions.
type positions struct {
	window table.Window[model.Key]
	moved  bool         // the trader has moved the cursor to a row; else it is on the first one
	chosen model.Column // s sorts by it
	before model.Order  // the order before that by trouble
	widths table.Widths
	// columns are those that the trader chose, from left to right.
	columns columnSettings
}

func newPositions(options *Options) positions {
	order := options.Order
	p := positions{chosen: order.Column, columns: rememberedColumns(options.Columns)}
	if order.Column == model.TroubleColumn {
		p.chosen = model.MarginRatioColumn
	}
	return p
}

// positionRows are the rows of a view, for a window.
type positionRows struct{ *model.View }

func (r positionRows) Key(place int) model.Key        { return r.At(place).Key }
func (r positionRows) Find(key model.Key) (int, bool) { return r.Place(key) }

// selected is the position under the cursor, nil where there is none.
func (m *Model) selected() *model.Position {
	w := &m.positions.window
	if _, ok := w.Cursor(); !ok || w.Place() >= m.data.view.Len() {
		return nil
	}
	return m.data.view.At(w.Place())
}

// drawPositions draws the table, its heading first.
func (m *Model) drawPositions(width, height int) []string {
	view := m.data.view
	if view.Len() == 0 {
		return draw.Fit(m.drawEmpty(width, height), height)
	}
	fresh := m.freshness()
	t := table.Table{Chosen: -1, Styles: m.styles.table(), Widths: &m.positions.widths, Now: fresh.now}
	columns := m.positions.columns.shown(width, view.Order)
	for i, c := range columns {
		t.Columns = append(t.Columns, tableColumn(m.positions.columns.of(c), view.Order))
		if c == m.positions.chosen && c != view.Order.Column && m.focus == positionsPane {
			t.Chosen = i
		}
	}
	rows := m.positionRows(columns, &fresh, (height-1)/linesPerRow(width))
	lines := t.Draw(rows, width)
	if linesPerRow(width) == 1 {
		return draw.Fit(lines, height)
	}
	both := lines[:1:1]
	for i := range rows {
		both = append(both, lines[i+1], m.drawSecondLine(view.At(m.positions.window.Top()+i), &rows[i], width))
	}
	return draw.Fit(both, height)
}

// positionRows returns the rows on the screen, at most so many.
func (m *Model) positionRows(columns []model.Column, fresh *freshness, most int) []table.Row {
	view, w := m.data.view, &m.positions.window
	_, hasCursor := w.Cursor()
	now := m.serviceNow()
	for place := w.Top(); place < min(view.Len(), w.Top()+most); place++ {
		m.format.label(view.At(place).Key)
	}
	rows := make([]table.Row, 0, max(most, 0))
	for place := w.Top(); place < view.Len() && len(rows) < most; place++ {
		p := view.At(place)
		row := table.Row{Mark: " ", Cells: m.positionCells(p, columns, now), Stale: fresh.isStale(view.Book(), p.Key)}
		if hasCursor && place == w.Place() {
			row.Mark, row.Cursor = "▌", m.focus == positionsPane
		}
		if row.Stale && !fresh.allStale {
			row.Mark = "?" // also under the cursor, which is reversed as well
		}
		rows = append(rows, row)
	}
	return rows
}

// positionCells formats a position, one cell for each column.
func (m *Model) positionCells(p *model.Position, columns []model.Column, now time.Time) []table.Cell {
	shown := shownPosition{Position: p, format: m.format, styles: &m.styles, now: now}
	if slices.Contains(columns, model.MarkColumn) {
		shown.mark, shown.notional = m.estimates(p)
	}
	shown.margin = m.marginOf(p, now)
	cells := make([]table.Cell, len(columns))
	for i, c := range columns {
		cells[i] = columnViews[c].cell(&shown)
	}
	return cells
}

// freshness is which rows may be out of date.
type freshness struct {
	now      time.Time
	stale    map[model.Subscription]bool
	allStale bool
}

func (m *Model) freshness() freshness {
	f := freshness{now: m.now(), allStale: true}
	for i := range m.incoming.links {
		link := &m.incoming.links[i]
		if how, _ := link.Freshness(f.now); how != model.FreshStale {
			f.allStale = false
			continue
		}
		if f.stale == nil {
			f.stale = make(map[model.Subscription]bool)
		}
		f.stale[link.Subscription] = true
	}
	return f
}

// isStale reports whether the position with the key may be out of date.
func (f *freshness) isStale(book *model.Book, key model.Key) bool {
	if f.allStale || len(f.stale) == 0 {
		return f.allStale
	}
	source, _ := book.Source(key)
	return f.stale[source]
}

// isStale reports whether the position with the key may be out of date.
func (m *Model) isStale(key model.Key) bool {
	fresh := m.freshness()
	return fresh.isStale(m.data.view.Book(), key)
}

func (m *Model) columnLeft() tea.Cmd  { return m.chooseColumn(-1) }
func (m *Model) columnRight() tea.Cmd { return m.chooseColumn(+1) }

// chooseColumn chooses the next column that rows can be sorted by.
func (m *Model) chooseColumn(step int) tea.Cmd {
	var sortable []model.Column
	for _, s := range m.positions.columns {
		if s.column.IsSortable() && (!s.hidden || s.column == m.positions.chosen) {
			sortable = append(sortable, s.column)
		}
	}
	at := slices.Index(sortable, m.positions.chosen)
	m.positions.chosen = sortable[(at+step+len(sortable))%len(sortable)]
	m.notify("s sorts by " + m.positions.chosen.Title() + ".")
	return nil
}

// sort sorts by the chosen column; done again, it reverses the order.
func (m *Model) sort() tea.Cmd { return m.sortBy(m.positions.chosen) }

func (m *Model) sortBySize() tea.Cmd       { return m.sortBy(model.SizeColumn) }
func (m *Model) sortByEntry() tea.Cmd      { return m.sortBy(model.EntryColumn) }
func (m *Model) sortByUnrealised() tea.Cmd { return m.sortBy(model.UnrealisedColumn) }
func (m *Model) sortByRealised() tea.Cmd   { return m.sortBy(model.RealisedColumn) }
func (m *Model) sortByAge() tea.Cmd        { return m.sortBy(model.AgeColumn) }

// rawOrderWords say how rows are sorted by a column with raw numbers of several units, which do not compare.
var rawOrderWords = map[model.Column]string{
	model.SizeColumn:       "Size in unknown markets is sorted per market.",
	model.EntryColumn:      "Entry price in unknown markets is sorted per market.",
	model.UnrealisedColumn: "uPnL of unknown assets is sorted per asset.",
	model.RealisedColumn:   "rPnL of unknown assets is sorted per asset.",
}

func (m *Model) sortBy(by model.Column) tea.Cmd {
	m.positions.chosen = by
	if words := rawOrderWords[by]; words != "" && m.data.view.GroupsRaw(by) {
		m.notify(words)
	}
	descending := by == m.data.order.Column && !m.data.order.Descending
	return m.setOrder(model.Order{Column: by, Descending: descending})
}

// sortByTrouble puts the worst positions first, or goes back to the order before.
func (m *Model) sortByTrouble() tea.Cmd {
	if m.data.order.Column == model.TroubleColumn {
		return m.setOrder(m.positions.before)
	}
	m.positions.before = m.data.order
	m.notify("The worst first: distressed, closed out, then by M%.")
	return m.setOrder(model.Order{Column: model.TroubleColumn})
}

func (m *Model) setOrder(order model.Order) tea.Cmd {
	m.data.order = order
	return m.data.prepare(m.now())
}

func (m *Model) closed() tea.Cmd {
	m.data.filter.ShowClosed = !m.data.filter.ShowClosed
	return m.data.prepare(m.now())
}

func (m *Model) onlyParty() tea.Cmd {
	return m.watch(model.Scope{Parties: []model.ID{m.selected().Party}, Markets: m.data.scope.Markets})
}

func (m *Model) onlyMarket() tea.Cmd {
	return m.watch(model.Scope{Parties: m.data.scope.Parties, Markets: []model.ID{m.selected().Market}})
}
