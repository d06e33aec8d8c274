package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// The columns of the margin levels table.
const (
	marginMarket = iota
	marginParty
	marginAsset
	marginMaintenance
	marginSearch
	marginInitial
	marginRelease
	marginAge
)

// marginColumns are the columns of the margin levels table.
var marginColumns = []column{
	marginMarket:      {title: "MARKET", least: 9, most: 24, rank: 0},
	marginParty:       {title: "PARTY", least: 9, most: 24, rank: 2},
	marginAsset:       {title: "ASSET", least: 5, most: 12, rank: 3},
	marginMaintenance: {title: "MAINTENANCE", number: true, least: 11, rank: 1},
	marginSearch:      {title: "SEARCH", number: true, least: 9, rank: 6},
	marginInitial:     {title: "INITIAL", number: true, least: 9, rank: 5},
	marginRelease:     {title: "RELEASE", number: true, least: 9, rank: 4},
	marginAge:         {title: "AGE", number: true, least: 4, rank: 7},
}

// drawMargins draws the pane, its title first.
func (m *Model) drawMargins(width, height int) []string {
	p := &m.margins
	look := m.styles.dim
	if m.focus == marginsPane {
		look = m.styles.brand
	}
	title, right := m.marginTitle()
	lines := []string{rule(width, look, &m.styles, title, right)}
	switch {
	case p.page == nil && p.problem != "":
		lines = append(lines, "", centred(width, m.styles.warning, m.marginProblem()))
	case p.page == nil:
		lines = append(lines, "", centred(width, plain, "Reading margin levels"))
	case len(p.page.Rows) == 0:
		lines = append(lines, "", centred(width, plain, "No margin levels."))
	default:
		lines = append(lines, m.drawRecords(width, p.window.height)...)
	}
	lines = fit(lines, height-1)
	return append(lines, m.marginFoot(width))
}

// marginTitle says which page is shown, how old it is and what keeps it so.
func (m *Model) marginTitle() (title, right string) {
	p := &m.margins
	order := "newest first"
	if !p.newest {
		order = "oldest first"
	}
	title = "Margin levels · " + order + " · " + pageName(p.number)
	right = "follows the scope"
	if p.page == nil {
		return title, right
	}
	old := age(m.now().Sub(p.page.ReadAt))
	if p.number == 1 && p.request.Turn == model.FirstPage {
		return title, right + " · " + old
	}
	return title, "read " + old + " ago, r reads it again"
}

func pageName(number int) string {
	switch {
	case number > 0:
		return fmt.Sprintf("page %d", number)
	case number == -1:
		return "last page"
	}
	return fmt.Sprintf("page %d from the end", -number)
}

// marginFoot is the last line of the pane: which rows are shown, and what went wrong.
func (m *Model) marginFoot(width int) string {
	p := &m.margins
	l := newLine(width).space(1)
	switch {
	case p.problem != "" && p.page != nil:
		return l.put(m.styles.warning, "Not read again: "+m.marginProblem()).String()
	case p.words != "":
		return l.put(m.styles.warning, p.words).String()
	case p.Len() == 0:
		return ""
	}
	last := min(p.window.top+p.window.height, p.Len())
	l.put(plain, fmt.Sprintf("rows %d–%d of %d on this page", p.window.top+1, last, p.Len()))
	if p.hasWayBack() && p.number != 1 {
		l.put(m.styles.dim, "   ← previous")
	}
	if p.page.HasNext {
		l.put(m.styles.dim, "   → next")
	}
	turned := "   o oldest first"
	if !p.newest {
		turned = "   o newest first"
	}
	l.put(m.styles.dim, turned)
	return l.String()
}

// drawRecords draws the heading and the records on the screen.
func (m *Model) drawRecords(width, height int) []string {
	p, f, now := &m.margins, m.format, m.now()
	var rows []tableRow
	for place := p.window.top; place < p.Len() && len(rows) < height; place++ {
		r := &p.page.Rows[place]
		row := tableRow{mark: " ", cells: []cell{
			marginMarket:      {text: f.market(r.Market)},
			marginParty:       {text: f.party(r.Party)},
			marginAsset:       {text: f.asset(r.Asset)},
			marginMaintenance: {text: f.level(r.Maintenance, r.Asset)},
			marginSearch:      {text: f.level(r.Search, r.Asset)},
			marginInitial:     {text: f.level(r.Initial, r.Asset)},
			marginRelease:     {text: f.level(r.Release, r.Asset)},
			marginAge:         {text: ageOf(r.Timestamp, now)},
		}}
		if p.window.has && place == p.window.place && m.focus == marginsPane {
			row.mark, row.cursor = "▌", true
		}
		rows = append(rows, row)
	}
	slots := measure(marginColumns, spansOf(marginColumns, rows), width)
	lines := []string{drawHeading(marginColumns, slots, -1, &m.styles, width)}
	for i := range rows {
		lines = append(lines, drawRow(marginColumns, slots, &rows[i], &m.styles, width))
	}
	return lines
}

func (m *Model) previousPage() tea.Cmd  { return m.turnTo(model.PreviousPage) }
func (m *Model) followingPage() tea.Cmd { return m.turnTo(model.NextPage) }
func (m *Model) firstPage() tea.Cmd     { return m.turnTo(model.FirstPage) }
func (m *Model) lastPage() tea.Cmd      { return m.turnTo(model.LastPage) }

// turnOrder has the list the other way round, from its first page.
func (m *Model) turnOrder() tea.Cmd {
	m.margins.newest = !m.margins.newest
	return m.turnTo(model.FirstPage)
}

// pageSizes are the sizes that a page can be given.
var pageSizes = []int{10, 20, 50, 100, 200, 500, 1000}

func (m *Model) largerPages() tea.Cmd {
	for _, size := range pageSizes {
		if size > m.margins.size {
			return m.resizePages(size)
		}
	}
	m.say(fmt.Sprintf("Pages of %d records are the largest.", m.margins.size))
	return nil
}

func (m *Model) smallerPages() tea.Cmd {
	for i := len(pageSizes) - 1; i >= 0; i-- {
		if pageSizes[i] < m.margins.size {
			return m.resizePages(pageSizes[i])
		}
	}
	m.say(fmt.Sprintf("Pages of %d records are the smallest.", m.margins.size))
	return nil
}

func (m *Model) resizePages(size int) tea.Cmd {
	m.margins.size = size
	m.say(fmt.Sprintf("Pages of %d records.", size))
	return m.turnTo(model.FirstPage)
}

// showPosition puts the cursor on the position that the record under the cursor is about.
func (m *Model) showPosition() tea.Cmd {
	p := &m.margins
	if !p.window.has {
		return nil
	}
	place, ok := m.data.view.Place(p.window.cursor.Key)
	switch {
	case ok:
		m.focus = positionsPane
		m.positions.window.to(positionRows{m.data.view}, place)
	case m.data.view.Book().Find(p.window.cursor.Key) != nil:
		m.say("Its position is hidden: it is closed, or the filter leaves it out.")
	default:
		m.say("No position was reported for this row.")
	}
	return nil
}
