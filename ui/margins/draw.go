package margins

import (
	"fmt"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
	"blotter/ui/theme"
)

// Drawer draws the table of margin levels.
type Drawer struct {
	Selected        model.Key // its record is marked
	Format          *format.Formatter
	Styles          *theme.Styles
	FillKeys        func(text string) string // replaces the names of actions in a text, as in {resync}, by their keys
	Spinner         fmt.Stringer             // is put before words that say what is awaited
	HasFocus        bool
	Now, ServiceNow time.Time // by the clock here, and by that of the service
}

// columns are the columns of the margin levels table.
var columns = []table.Column{
	{Title: "MARKET", Name: true, Min: 9, Max: 24, Keep: table.Always},
	{Title: "PARTY", Name: true, Min: 9, Max: 24, Keep: 6},
	{Title: "ASSET", Name: true, Min: 5, Max: 12, Keep: 5},
	{Title: "MAINTENANCE", Number: true, Min: 11, Keep: 7},
	{Title: "SEARCH", Number: true, Min: 9, Keep: 2},
	{Title: "INITIAL", Number: true, Min: 9, Keep: 3},
	{Title: "RELEASE", Number: true, Min: 9, Keep: 4},
	{Title: "RECORDED", Number: true, Min: 8, Keep: 1},
}

// cells formats a record, one cell for each of columns.
func (d *Drawer) cells(r *model.MarginLevels) []table.Cell {
	cells := []table.Cell{{Text: d.Format.Market(r.Market)}, {Text: d.Format.Party(r.Party)}, {Text: d.Format.Asset(r.Asset)}}
	for _, level := range r.Levels() {
		cells = append(cells, d.Format.Amount(level.Amount, r.Asset, false).Cell())
	}
	return append(cells, table.Cell{Text: format.AgeOf(r.Timestamp, d.ServiceNow)})
}

// Draw draws the pane, its title first.
func (d *Drawer) Draw(p *Pages, width, height int) []string {
	style := d.Styles.Dim
	if d.HasFocus {
		style = d.Styles.Brand
	}
	title, right := d.title(p)
	lines := []string{draw.Rule(width, style, d.Styles.Dim, title, right)}
	switch {
	case p.page == nil && p.problem != "":
		lines = append(lines, "", draw.Centred(width, d.Styles.Warning, d.problem(p)))
	case p.page == nil:
		lines = append(lines, "", draw.Centred(width, draw.Plain, d.Spinner.String()+" Loading margin levels"))
	case len(p.page.Rows) == 0:
		lines = append(lines, "", draw.Centred(width, draw.Plain, "No margin levels."))
	case p.Len() == 0:
		lines = append(lines, "", draw.Centred(width, draw.Plain, "No record on this page matches the filter."))
	default:
		lines = append(lines, d.records(p, width)...)
	}
	lines = draw.Fit(lines, height-1)
	return append(lines, d.foot(p, width))
}

// title returns which page is shown, when it was checked, and whether it is refreshed.
func (d *Drawer) title(p *Pages) (title, right string) {
	order := "newest first"
	if !p.newest {
		order = "oldest first"
	}
	title = "Margin levels · " + order + " · " + pageName(p.number)
	right = "follows the scope"
	if p.page == nil {
		return title, right
	}
	checked := "checked " + format.Ago(d.Now.Sub(p.page.ReadAt))
	if p.number == 1 && p.request.Turn == model.FirstPage {
		return title, right + " · " + checked
	}
	return title, checked + d.FillKeys(", {resync} reads it again")
}

// pageName counts pages from the end that was read last. Paginator of Bubbles shows a page of so many, and a service
// does not tell how many there are.
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
func (d *Drawer) foot(p *Pages, width int) string {
	l := draw.NewLine(width).Space(1)
	switch {
	case p.problem != "" && p.page != nil:
		return l.Put(d.Styles.Warning, "Refresh failed: "+d.problem(p)).String()
	case p.message != "":
		return l.Put(d.Styles.Warning, d.FillKeys(p.message)).String()
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
		l.Put(d.Styles.Dim, d.FillKeys("   {previous_page} previous"))
	}
	if p.page.HasNext {
		l.Put(d.Styles.Dim, d.FillKeys("   {next_page} next"))
	}
	turned := "oldest first"
	if !p.newest {
		turned = "newest first"
	}
	l.Put(d.Styles.Dim, "   "+d.FillKeys("{reverse_records}")+" "+turned)
	return l.String()
}

// records draws the heading and the records on the screen.
func (d *Drawer) records(p *Pages, width int) []string {
	height := p.Rows.Height()
	_, hasCursor := p.Rows.Cursor()
	for _, r := range p.rows[p.Rows.Top():min(p.Rows.Top()+height, p.Len())] {
		d.Format.Label(r.Key)
	}
	var rows []table.Row
	for place := p.Rows.Top(); place < p.Len() && len(rows) < height; place++ {
		row := table.Row{Mark: " ", Cells: d.cells(&p.rows[place])}
		switch {
		case hasCursor && place == p.Rows.Place() && d.HasFocus:
			row.Mark, row.Cursor = "▌", true
		case p.rows[place].Key == d.Selected:
			row.Mark, row.MarkStyle = "▸", d.Styles.Strong
		}
		rows = append(rows, row)
	}
	t := table.Table{Columns: columns, Chosen: -1, Styles: d.Styles.Table(), Widths: &p.widths}
	return t.Draw(rows, width)
}

// problem returns why the last request failed, and when it is sent again.
func (d *Drawer) problem(p *Pages) string {
	if wait := p.retryAt.Sub(d.Now); wait > 0 {
		return p.problem + "; next try in " + format.Until(wait)
	}
	return p.problem
}
