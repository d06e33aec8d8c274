package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
)

// marginColumns are the columns of the margin levels table.
var marginColumns = []table.Column{
	{Title: "MARKET", Name: true, Min: 9, Max: 24, Keep: table.Always},
	{Title: "PARTY", Name: true, Min: 9, Max: 24, Keep: 6},
	{Title: "ASSET", Name: true, Min: 5, Max: 12, Keep: 5},
	{Title: "MAINTENANCE", Number: true, Min: 11, Keep: 7},
	{Title: "SEARCH", Number: true, Min: 9, Keep: 2},
	{Title: "INITIAL", Number: true, Min: 9, Keep: 3},
	{Title: "RELEASE", Number: true, Min: 9, Keep: 4},
	{Title: "RECORDED", Number: true, Min: 8, Keep: 1},
}

// marginCells formats a record, one cell for each of marginColumns.
func marginCells(f *format.Formatter, r *model.MarginLevels, now time.Time) []table.Cell {
	cells := []table.Cell{{Text: f.Market(r.Market)}, {Text: f.Party(r.Party)}, {Text: f.Asset(r.Asset)}}
	for _, level := range r.Levels() {
		cells = append(cells, f.Amount(level.Amount, r.Asset, false).Cell())
	}
	return append(cells, table.Cell{Text: format.AgeOf(r.Timestamp, now)})
}

// drawMargins draws the pane, its title first.
func (m *Model) drawMargins(width, height int) []string {
	p := &m.margins
	style := m.styles.Dim
	if m.focus == marginsPane {
		style = m.styles.Brand
	}
	title, right := m.marginTitle()
	lines := []string{draw.Rule(width, style, m.styles.Dim, title, right)}
	switch {
	case p.page == nil && p.problem != "":
		lines = append(lines, "", draw.Centred(width, m.styles.Warning, m.marginProblem()))
	case p.page == nil:
		lines = append(lines, "", draw.Centred(width, draw.Plain, "Loading margin levels"))
	case len(p.page.Rows) == 0:
		lines = append(lines, "", draw.Centred(width, draw.Plain, "No margin levels."))
	case p.Len() == 0:
		lines = append(lines, "", draw.Centred(width, draw.Plain, "No record on this page matches the filter."))
	default:
		lines = append(lines, m.drawRecords(width, p.window.Height())...)
	}
	lines = draw.Fit(lines, height-1)
	return append(lines, m.marginFoot(width))
}

// marginTitle returns which page is shown, when it was checked, and whether it is refreshed.
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
	checked := "checked " + format.Ago(m.now().Sub(p.page.ReadAt))
	if p.number == 1 && p.request.Turn == model.FirstPage {
		return title, right + " · " + checked
	}
	return title, checked + m.keys.Fill(", {resync} reads it again")
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

// marginFoot is the last line of the pane: which rows are shown, or what went wrong.
func (m *Model) marginFoot(width int) string {
	p := &m.margins
	l := draw.NewLine(width).Space(1)
	switch {
	case p.problem != "" && p.page != nil:
		return l.Put(m.styles.Warning, "Refresh failed: "+m.marginProblem()).String()
	case p.message != "":
		return l.Put(m.styles.Warning, p.message).String()
	case p.page == nil || len(p.page.Rows) == 0:
		return ""
	}
	first := min(p.window.Top()+1, p.Len())
	last := min(p.window.Top()+p.window.Height(), p.Len())
	l.Put(draw.Plain, fmt.Sprintf("rows %d–%d of %d on this page", first, last, p.Len()))
	if hidden := len(p.page.Rows) - p.Len(); hidden > 0 {
		l.Put(draw.Plain, fmt.Sprintf(", %d filtered out", hidden))
	}
	if p.canTurnBack() && p.number != 1 {
		l.Put(m.styles.Dim, m.keys.Fill("   {previous_page} previous"))
	}
	if p.page.HasNext {
		l.Put(m.styles.Dim, m.keys.Fill("   {next_page} next"))
	}
	turned := "oldest first"
	if !p.newest {
		turned = "newest first"
	}
	l.Put(m.styles.Dim, "   "+m.keys.Key("reverse_records")+" "+turned)
	return l.String()
}

// drawRecords draws the heading and the records on the screen.
func (m *Model) drawRecords(width, height int) []string {
	p, now := &m.margins, m.serviceNow()
	_, hasCursor := p.window.Cursor()
	for _, r := range p.rows[p.window.Top():min(p.window.Top()+height, p.Len())] {
		m.format.Label(r.Key)
	}
	var rows []table.Row
	for place := p.window.Top(); place < p.Len() && len(rows) < height; place++ {
		row := table.Row{Mark: " ", Cells: marginCells(m.format, &p.rows[place], now)}
		if hasCursor && place == p.window.Place() && m.focus == marginsPane {
			row.Mark, row.Cursor = "▌", true
		}
		rows = append(rows, row)
	}
	t := table.Table{Columns: marginColumns, Chosen: -1, Styles: m.styles.Table(), Widths: &p.widths, Now: now}
	return t.Draw(rows, width)
}

func (m *Model) previousPage() tea.Cmd  { return m.turnTo(model.PreviousPage) }
func (m *Model) followingPage() tea.Cmd { return m.turnTo(model.NextPage) }
func (m *Model) firstPage() tea.Cmd     { return m.turnTo(model.FirstPage) }
func (m *Model) lastPage() tea.Cmd      { return m.turnTo(model.LastPage) }

// turnOrder reverses the list and shows its first page.
func (m *Model) turnOrder() tea.Cmd {
	m.margins.newest = !m.margins.newest
	return m.turnTo(model.FirstPage)
}

// pageSizes are the sizes that a page can have.
var pageSizes = []int{10, 20, 50, 100, 200, 500, 1000}

func (m *Model) largerPages() tea.Cmd {
	for _, size := range pageSizes {
		if size > m.margins.size {
			return m.resizePages(size)
		}
	}
	m.notify(fmt.Sprintf("Pages of %d records are the largest.", m.margins.size))
	return nil
}

func (m *Model) smallerPages() tea.Cmd {
	for i := len(pageSizes) - 1; i >= 0; i-- {
		if pageSizes[i] < m.margins.size {
			return m.resizePages(pageSizes[i])
		}
	}
	m.notify(fmt.Sprintf("Pages of %d records are the smallest.", m.margins.size))
	return nil
}

func (m *Model) resizePages(size int) tea.Cmd {
	m.margins.size = size
	m.notify(fmt.Sprintf("Pages of %d records.", size))
	return m.turnTo(model.FirstPage)
}

// showPosition puts the cursor of the positions on the one that the record under the cursor belongs to.
func (m *Model) showPosition() tea.Cmd {
	record, ok := m.margins.window.Cursor()
	if !ok {
		return nil
	}
	m.goTo(record.Key, "The service has no position for this record.")
	return nil
}
