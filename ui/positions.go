package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// positions is the table of positions.
type positions struct {
	window window[model.Key]
	chosen int // the column that s sorts by
	drawn  drawnPositions
}

// positionRows are the rows of a view, for a window.
type positionRows struct{ *model.View }

func (r positionRows) key(place int) model.Key        { return r.At(place).Key }
func (r positionRows) find(key model.Key) (int, bool) { return r.Place(key) }

// The columns of the positions table.
const (
	marketColumn = iota
	partyColumn
	sizeColumn
	entryColumn
	markColumn
	notionalColumn
	unrealisedColumn
	realisedColumn
	statusColumn
	ageColumn
)

// estimatesFrom is the width of screen from which the columns of estimates are shown.
const estimatesFrom = 120

// positionColumns are the columns of the positions table.
var positionColumns = []column{
	marketColumn:     {title: "MARKET", least: 9, most: 24, rank: 0},
	partyColumn:      {title: "PARTY", least: 9, most: 24, rank: 2},
	sizeColumn:       {title: "SIZE", number: true, least: 7, rank: 3},
	entryColumn:      {title: "ENTRY", number: true, least: 8, rank: 5},
	markColumn:       {title: "≈ MARK", number: true, least: 8, rank: 8, from: estimatesFrom},
	notionalColumn:   {title: "≈ NOTIONAL", number: true, least: 10, rank: 9, from: estimatesFrom},
	unrealisedColumn: {title: "uPNL", number: true, least: 8, rank: 1},
	realisedColumn:   {title: "rPNL", number: true, least: 8, rank: 7},
	statusColumn:     {title: "STATUS", least: 10, most: 16, rank: 4},
	ageColumn:        {title: "AGE", number: true, least: 4, rank: 6},
}

// sorts is what each column sorts by. Estimates sort nothing: they are not the service's word.
var sorts = map[int]model.Column{
	marketColumn: model.MarketColumn, partyColumn: model.PartyColumn, sizeColumn: model.SizeColumn, entryColumn: model.EntryColumn,
	unrealisedColumn: model.UnrealisedColumn, realisedColumn: model.RealisedColumn, statusColumn: model.StatusColumn, ageColumn: model.AgeColumn,
}

// columnOf is the column that sorts by by.
func columnOf(by model.Column) int {
	for column, sort := range sorts {
		if sort == by {
			return column
		}
	}
	return marketColumn
}

// selected is the position under the cursor, nil where there is none.
func (m *Model) selected() *model.Position {
	w := &m.positions.window
	if !w.has || w.place >= m.data.view.Len() {
		return nil
	}
	return m.data.view.At(w.place)
}

// drawPositions draws the table, its heading first.
func (m *Model) drawPositions(width, height int) []string {
	view, w := m.data.view, &m.positions.window
	if view.Len() == 0 {
		return fit(m.drawEmpty(width, height), height)
	}
	columns := slices.Clone(positionColumns)
	arrow := " ▲"
	if view.Order.Descending {
		arrow = " ▼"
	}
	by := &columns[columnOf(view.Order.Column)]
	by.title += arrow
	by.rank = -1 // what rows are sorted by is never left out
	fresh := m.freshness()
	drawn, n := &m.positions.drawn, 0
	drawn.begin(m.format, &m.styles)
	for place := w.top; place < view.Len() && n < height-1; place++ {
		p := view.At(place)
		row := m.positionRow(n, p, fresh.now)
		n++
		row.mark, row.cursor, row.stale = " ", false, !fresh.vouched(view.Book(), p.Key)
		if w.has && place == w.place {
			row.mark, row.cursor = "▌", m.focus == positionsPane
		}
		if row.stale && !fresh.allStale {
			row.mark = "?" // also under the cursor, which reverses the row besides
		}
	}
	drawn.end(n)
	rows := drawn.rows
	chosen := -1
	if m.focus == positionsPane && sorts[m.positions.chosen] != view.Order.Column {
		chosen = m.positions.chosen
	}
	slots := measure(columns, drawn.steady(spansOf(columns, rows), fresh.now), width)
	if !drawn.heading.is(view.Order, chosen, width, slots) {
		drawn.heading = drawnHeading{view.Order, chosen, width, slots, drawHeading(columns, slots, chosen, &m.styles, width)}
	}
	lines := append(make([]string, 0, height), drawn.heading.line)
	for i := range rows {
		lines = append(lines, drawRow(columns, slots, &rows[i], &m.styles, width))
	}
	return fit(lines, height)
}

// positionCells are a position in words.
func (m *Model) positionCells(p *model.Position, age string) []cell {
	f := m.format
	mark, notional := m.estimates(p)
	return []cell{
		marketColumn:     {text: f.market(p.Market)},
		partyColumn:      {text: f.party(p.Party)},
		sizeColumn:       {text: f.number(p, model.OpenVolume)},
		entryColumn:      {text: f.number(p, model.AverageEntryPrice)},
		markColumn:       {text: mark, look: m.styles.dim},
		notionalColumn:   {text: notional, look: m.styles.dim},
		unrealisedColumn: {text: f.number(p, model.UnrealisedPnl), look: m.profitLook(p, model.UnrealisedPnl)},
		realisedColumn:   {text: f.number(p, model.RealisedPnl), look: m.profitLook(p, model.RealisedPnl)},
		statusColumn:     {text: status(p), look: m.statusLook(p)},
		ageColumn:        {text: age},
	}
}

func (m *Model) profitLook(p *model.Position, field model.Field) style {
	switch p.Number(field).Sign() {
	case -1:
		return m.styles.loss
	case +1:
		return m.styles.gain
	}
	return plain
}

func (m *Model) statusLook(p *model.Position) style {
	switch p.Status() {
	case model.StatusUnspecified:
		return plain
	case model.StatusDistressed:
		return m.styles.alarm
	}
	return m.styles.warning
}

// freshness tells which rows can be vouched for.
type freshness struct {
	now      time.Time
	stale    map[model.Subscription]bool
	allStale bool
}

func (m *Model) freshness() freshness {
	f := freshness{now: m.now(), allStale: true}
	for i := range m.pull.links {
		link := &m.pull.links[i]
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

// vouched tells whether any subscription vouches for the position.
func (f *freshness) vouched(book *model.Book, key model.Key) bool {
	if f.allStale || len(f.stale) == 0 {
		return !f.allStale
	}
	for _, voucher := range book.Vouchers(key) {
		if !f.stale[voucher] {
			return true
		}
	}
	return false
}

func (m *Model) columnLeft() tea.Cmd  { return m.chooseColumn(-1) }
func (m *Model) columnRight() tea.Cmd { return m.chooseColumn(+1) }

// chooseColumn goes to the next column that can be sorted by.
func (m *Model) chooseColumn(step int) tea.Cmd {
	chosen := m.positions.chosen
	for {
		chosen = (chosen + step + len(positionColumns)) % len(positionColumns)
		if _, ok := sorts[chosen]; ok {
			break
		}
	}
	m.positions.chosen = chosen
	m.say("s sorts by " + positionColumns[chosen].title + ".")
	return nil
}

// sort puts the rows in the order of the chosen column; again, the other way round.
func (m *Model) sort() tea.Cmd {
	by := sorts[m.positions.chosen]
	descending := by == m.data.order.Column && !m.data.order.Descending
	m.data.order = model.Order{Column: by, Descending: descending}
	return m.data.prepare(m.now())
}

func (m *Model) closed() tea.Cmd {
	m.data.filter.ShowClosed = !m.data.filter.ShowClosed
	return m.data.prepare(m.now())
}

func (m *Model) onlyParty() tea.Cmd {
	p := m.selected()
	switch {
	case p == nil:
		return nil
	case p.Party.IsZero():
		m.say("The service names no party here.")
		return nil
	}
	return m.watch(model.Scope{Parties: []model.ID{p.Party}, Markets: m.data.scope.Markets})
}

func (m *Model) onlyMarket() tea.Cmd {
	p := m.selected()
	switch {
	case p == nil:
		return nil
	case p.Market.IsZero():
		m.say("The service names no market here.")
		return nil
	}
	return m.watch(model.Scope{Parties: m.data.scope.Parties, Markets: []model.ID{p.Market}})
}

// copyRow puts the row under the cursor on the clipboard, with whole identifiers. It is neutralised like on the
// screen: a clipboard is pasted into shells.
func (m *Model) copyRow() tea.Cmd {
	p := m.selected()
	if p == nil {
		return nil
	}
	m.say("Copied " + m.format.market(p.Market) + " · " + m.format.party(p.Party) + ".")
	var text strings.Builder
	for _, f := range m.positionFacts(p) {
		if f.value != "" {
			text.WriteString(f.name + "\t" + f.value + "\n")
		}
	}
	return tea.SetClipboard(text.String())
}
