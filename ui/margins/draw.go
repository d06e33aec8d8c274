package margins

import (
	"cmp"
	"fmt"
	"time"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/table"
)

// tableColumns are the columns of the margin levels table. That of the mode is left out if no record has another mode
// than the usual one.
var tableColumns = []table.Column{
	{Title: "MARKET", Name: true, Min: 9, Max: 24, Keep: table.Always},
	{Title: "PARTY", Name: true, Min: 9, Max: 24, Keep: 6},
	{Title: "ASSET", Name: true, Min: 5, Max: 12, Keep: 5},
	{Title: "MAINTENANCE", Number: true, Min: 11, Keep: 7},
	{Title: "SEARCH", Number: true, Min: 9, Keep: 2},
	{Title: "INITIAL", Number: true, Min: 9, Keep: 3},
	{Title: "RELEASE", Number: true, Min: 9, Keep: 4},
	{Title: "RECORDED", Number: true, Min: 8, Keep: 1},
	{Title: "MODE", Min: len("isolated"), Max: 12, HideEmpty: true},
}

// cellsOf formats a record at a time by the service's clock, one cell for each of tableColumns.
func cellsOf(r *model.MarginLevels, f *format.Formatter, now time.Time) []draw.Cell {
	cells := make([]draw.Cell, 0, len(tableColumns))
	cells = append(cells, draw.Cell{Text: f.Market(r.Market)}, draw.Cell{Text: f.Party(r.Party)}, draw.Cell{Text: f.Asset(r.Asset)})
	for _, level := range r.Levels() {
		cell := f.Amount(level.Amount, r.Asset, false)
		if level.IsNone {
			cell = draw.Cell{Text: "–", Words: true}
		}
		cells = append(cells, cell)
	}
	mode := ""
	if !r.IsUsual(model.MarginMode) {
		mode = columns.MarginText(r, model.MarginMode, f.RoundedAmount)
	}
	return append(cells, draw.Cell{Text: format.AgeOf(r.Timestamp, now)}, draw.Cell{Text: mode})
}

// Draw draws the pane, its title first.
func (p *Pane) Draw(c *pane.Context, s pane.Size) []string {
	style := c.Styles.Dim
	if c.HasFocus {
		style = c.Styles.Brand
	}
	title, right := p.title(c, s.Width)
	lines := []string{draw.Rule(s.Width, style, c.Styles.Dim, title, right)}
	if style, words := p.whyEmpty(c); words != "" {
		lines = append(lines, "")
		for _, line := range draw.WrapWords(words, s.Width-2) {
			lines = append(lines, draw.Centred(s.Width, style, line))
		}
	} else {
		lines = append(lines, p.records(c, s.Width)...)
	}
	lines = draw.Fit(lines, s.Height-1)
	return append(lines, p.foot(c, s.Width))
}

// whyEmpty returns why there are no records, and in which style; empty if there are some.
func (p *Pane) whyEmpty(c *pane.Context) (style draw.Style, words string) {
	switch {
	case p.page == nil && p.failed.problem != "":
		problem, next := p.problemWords()
		return c.Styles.Warning, problem + next
	case p.page == nil:
		return draw.Plain, p.Spinner.String() + " Loading margin levels"
	case p.page.ReadAt.IsZero(): // at the beginning of a recording
		return draw.Plain, "No margin levels were read yet."
	case len(p.page.Rows) == 0:
		return draw.Plain, "No margin levels."
	case p.Len() == 0:
		return draw.Plain, "No record on this page matches the filter."
	}
	return draw.Plain, ""
}

// title returns which page is shown, when it was checked, and whether it is refreshed.
func (p *Pane) title(c *pane.Context, width int) (title, right string) {
	const frame = 4 // of the line around a title
	page := orderWords(p.newest) + " · " + pageName(p.number)
	title = cmp.Or(draw.FirstThatFits(width-frame, "Margin levels · "+page, "margins · "+page), page)
	if p.page == nil || p.page.ReadAt.IsZero() {
		return title, ""
	}
	checked := "checked " + format.Ago(model.Elapsed(p.store.Now(), p.page.ReadAt))
	if p.number == 1 && p.request.Turn == model.FirstPage {
		return title, checked
	}
	return title, checked + c.Keys.Fill(", {resync} reads it again")
}

func orderWords(newestFirst bool) string {
	if newestFirst {
		return "newest first"
	}
	return "oldest first"
}

// pageName counts pages from the end that was read last. Paginator of Bubbles shows the number of all pages, and a
// service does not tell how many there are.
func pageName(number int) string {
	switch {
	case number > 0:
		return fmt.Sprintf("page %d", number)
	case number == -1:
		return "last page"
	}
	return fmt.Sprintf("page %d from the end", -number)
}

// foot returns the last line of the pane: which rows are shown, or what went wrong.
func (p *Pane) foot(c *pane.Context, width int) string {
	l := draw.NewLine(width).Space(1)
	switch {
	case p.failed.problem != "" && p.page != nil:
		problem, next := p.problemWords()
		return l.Put(c.Styles.Warning, draw.CutWords("Refresh failed: "+problem, l.Left()-draw.Width(next))+next).String()
	case p.message != "":
		return l.Put(c.Styles.Warning, draw.CutWords(c.Keys.Fill(p.message), l.Left())).String()
	case p.page == nil || len(p.page.Rows) == 0:
		return ""
	}
	first := min(p.Rows.Top()+1, p.Len())
	last := min(p.Rows.Top()+p.Rows.Height(), p.Len())
	l.Put(draw.Plain, fmt.Sprintf("rows %d–%d of %d on this page", first, last, p.Len()))
	if hidden := len(p.page.Rows) - p.Len(); hidden > 0 {
		l.Put(draw.Plain, fmt.Sprintf(", %d filtered out", hidden))
	}
	if p.canTurnBack() && p.number != 1 {
		l.PutWhole(c.Styles.Dim, c.Keys.Fill("   {previous_page} previous"))
	}
	if p.page.HasNext {
		l.PutWhole(c.Styles.Dim, c.Keys.Fill("   {next_page} next"))
	}
	return l.PutWhole(c.Styles.Dim, c.Keys.Fill("   {reverse_records} ")+orderWords(!p.newest)).String()
}

// oldPage is how long ago a page was read at least if it is drawn dim: it should have been read twice since then.
const oldPage = 2 * model.MarginRefresh

func (p *Pane) records(c *pane.Context, width int) []string {
	f, now, top := p.store.Format(), p.store.ServiceNow(), p.Rows.Top()
	shown := p.rows[top:min(top+p.Rows.Height(), p.Len())]
	for _, r := range shown {
		f.Label(r.Key)
	}
	isOld := model.Elapsed(p.store.Now(), p.page.ReadAt) >= oldPage
	_, hasCursor := p.Rows.Cursor()
	selected := p.Selected()
	rows := make([]table.Row, 0, len(shown))
	for i := range shown {
		row := table.Row{Mark: " ", Cells: cellsOf(&shown[i], f, now), Stale: isOld}
		switch {
		case hasCursor && top+i == p.Rows.Place() && c.HasFocus:
			row.Mark, row.Cursor = "▌", true
		case selected != nil && shown[i].Key == selected.Key:
			row.Mark, row.MarkStyle = "▸", c.Styles.Strong
		}
		rows = append(rows, row)
	}
	t := table.Table{Columns: tableColumns, Chosen: -1, Styles: c.Styles.Table(), Widths: &p.widths}
	return t.Draw(rows, width)
}

// problemWords returns why the last request failed, and when it is sent again.
func (p *Pane) problemWords() (problem, next string) {
	if wait := p.failed.retryAt.Sub(p.store.Now()); wait > 0 {
		next = "; next try in " + format.Until(wait)
	}
	return p.failed.problem, next
}
