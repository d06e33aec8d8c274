package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// positions is the table of positions.
type positions struct {
	pane.Rows[view.LineKey]
	chosen view.Column // s sorts by it
	before view.Order  // the order before that by trouble
	widths table.Widths
	// rawReported is set where a notice about the order of rows with raw numbers was shown.
	rawReported bool
	// columns are those that the trader chose, from left to right.
	columns columns.Settings
}

func newPositions(options *Options, of *store.Store) positions {
	return positions{
		Rows:   pane.NewRows(func() pane.Source[view.LineKey] { return positionRows{of.View()} }),
		chosen: chosenFor(options.Order), columns: columns.Remembered(options.Columns),
	}
}

// chosenFor is the column that s sorts by where rows are in an order.
func chosenFor(order view.Order) view.Column {
	if order.Column == view.TroubleColumn {
		return view.MarginRatioColumn
	}
	return order.Column
}

// positionRows are the lines of a view, for the list.
type positionRows struct{ of *view.View }

func (r positionRows) Len() int { return r.of.Lines() }

func (r positionRows) Key(place int) view.LineKey {
	key, _ := r.of.LineKey(place)
	return key
}

func (r positionRows) Find(key view.LineKey) (int, bool) { return r.of.Line(key) }

// selected is the position under the cursor, nil where there is none.
func (m *Model) selected() *model.Position {
	w := &m.positions
	if _, ok := w.Cursor(); !ok {
		return nil
	}
	if p, ok := m.store.View().At(w.Place()); ok {
		return &p
	}
	return nil
}

// goTo puts the cursor of the table on the position with a key, and reports whether it is shown. Where it is not, it
// shows why; missing is the notice for a position that is not in the book.
func (m *Model) goTo(key model.Key, missing string) bool {
	place, isShown := m.placeOf(key)
	_, isKnown := m.store.View().Book().Find(key)
	switch {
	case isShown:
		m.setFocus(positionsPane)
		m.positions.MoveTo(place)
	case isKnown:
		m.notify("Its position is hidden: it is closed, or the filter leaves it out.")
	default:
		m.notify(missing)
	}
	return isShown
}

// drawPositions draws the table, its heading first.
func (m *Model) drawPositions(width, height int) []string {
	view := m.store.View()
	if view.Len() == 0 {
		return draw.Fit(m.drawEmpty(width, height), height)
	}
	t, columns := m.positionsTable(width)
	rows := m.positionRows(columns, (height-1)/linesPerRow(width))
	lines := t.Draw(rows, width)
	if linesPerRow(width) == 1 {
		return draw.Fit(lines, height)
	}
	both := lines[:1:1]
	for i := range rows {
		both = append(both, lines[i+1], m.secondLine(m.positions.Top()+i, &rows[i], width))
	}
	return draw.Fit(both, height)
}

// positionsTable returns the table of a width without rows, and its columns.
func (m *Model) positionsTable(width int) (*table.Table, []view.Column) {
	order := m.store.View().Order
	t := &table.Table{Chosen: -1, Styles: m.styles.Table(), Widths: &m.positions.widths, Now: m.store.Now()}
	shown := m.positions.columns.Shown(width, m.store.View())
	t.Columns = m.positions.columns.Table(shown, m.store.View())
	if c := m.positions.chosen; c != order.Column && m.focus == positionsPane {
		t.Chosen = slices.Index(shown, c)
	}
	return t, shown
}

func (m *Model) columnLeft() tea.Cmd  { return m.chooseColumn(-1) }
func (m *Model) columnRight() tea.Cmd { return m.chooseColumn(+1) }

// chooseColumn chooses the next column that rows can be sorted by.
func (m *Model) chooseColumn(step int) tea.Cmd {
	var sortable []view.Column
	for _, s := range m.positions.columns {
		unavailable := s.Hidden || s.Column.NeedsBaseline() && !m.store.View().ShowsChanges()
		if s.Column.IsSortable() && (!unavailable || s.Column == m.positions.chosen) {
			sortable = append(sortable, s.Column)
		}
	}
	at := slices.Index(sortable, m.positions.chosen)
	m.positions.chosen = sortable[(at+step+len(sortable))%len(sortable)]
	m.notify(m.keys.Fill("{sort} sorts by ") + m.positions.chosen.Title() + ".")
	return nil
}

// sort sorts by the chosen column; done again, it reverses the order.
func (m *Model) sort() tea.Cmd { return m.sortBy(m.positions.chosen) }

func (m *Model) sortBySize() tea.Cmd       { return m.sortBy(view.SizeColumn) }
func (m *Model) sortByEntry() tea.Cmd      { return m.sortBy(view.EntryColumn) }
func (m *Model) sortByUnrealised() tea.Cmd { return m.sortBy(view.UnrealisedColumn) }
func (m *Model) sortByRealised() tea.Cmd   { return m.sortBy(view.RealisedColumn) }
func (m *Model) sortByAge() tea.Cmd        { return m.sortBy(view.AgeColumn) }

// rawOrderWords describe how rows are sorted by a column with raw numbers of several units, which do not compare.
var rawOrderWords = map[view.Column]string{
	view.SizeColumn:       "Size in unknown markets is sorted per market.",
	view.EntryColumn:      "Entry price in unknown markets is sorted per market.",
	view.UnrealisedColumn: "uPnL of unknown assets is sorted per asset.",
	view.RealisedColumn:   "rPnL of unknown assets is sorted per asset.",

	view.SizeChangeColumn:       "ΔSIZE in unknown markets is sorted per market.",
	view.UnrealisedChangeColumn: "ΔuPNL of unknown assets is sorted per asset.",
	view.RealisedChangeColumn:   "ΔrPNL of unknown assets is sorted per asset.",
}

// reportRawOrder shows once how rows with raw numbers are sorted.
func (m *Model) reportRawOrder() {
	by := m.store.View().Order.Column
	if words := rawOrderWords[by]; words != "" && !m.positions.rawReported && m.store.View().GroupsRaw(by) {
		m.positions.rawReported = true
		m.notify(words)
	}
}

func (m *Model) sortBy(by view.Column) tea.Cmd {
	m.positions.chosen = by
	m.positions.rawReported = false
	order := m.store.Settings().Order
	descending := by == order.Column && !order.Descending
	return m.setOrder(view.Order{Column: by, Descending: descending})
}

// sortByTrouble puts the worst positions first, or goes back to the order before.
func (m *Model) sortByTrouble() tea.Cmd {
	order := m.store.Settings().Order
	if order.Column == view.TroubleColumn {
		return m.setOrder(m.positions.before)
	}
	m.positions.before = order
	m.notify("The worst first: distressed, closed out, then by M%.")
	return m.setOrder(view.Order{Column: view.TroubleColumn})
}

func (m *Model) setOrder(order view.Order) tea.Cmd {
	settings := m.store.Settings()
	settings.Order = order
	return m.store.Set(settings)
}

func (m *Model) closed() tea.Cmd {
	settings := m.store.Settings()
	settings.ShowClosed = !settings.ShowClosed
	return m.store.Set(settings)
}

func (m *Model) onlyParty() tea.Cmd {
	party, _ := m.selectedParty()
	return m.watch(model.Scope{Parties: []model.ID{party}, Markets: m.store.Settings().Scope.Markets})
}

func (m *Model) onlyMarket() tea.Cmd {
	market, _ := m.selectedMarket()
	return m.watch(model.Scope{Parties: m.store.Settings().Scope.Parties, Markets: []model.ID{market}})
}

// noRow and the functions like it return in a few words why a key does nothing now; empty where it does something.
func (m *Model) noRow() string {
	switch _, isGroup := m.selectedGroup(); {
	case isGroup:
		return "this line is a group, not a position"
	case m.selected() == nil:
		return "no row is selected"
	}
	return ""
}

func (m *Model) noClosed() string {
	if v := m.store.View(); v.Rows() > 0 && v.Rows() == v.Open() && !m.store.Settings().ShowClosed {
		return "no closed positions"
	}
	return ""
}

// noRows returns why no baseline can be taken; empty if one can.
func (m *Model) noRows() string {
	if m.store.Book().Len() == 0 {
		return "no positions yet"
	}
	return ""
}
