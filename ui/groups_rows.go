package ui

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/status"
	"blotter/ui/table"
)

// The headings of groups in the positions table, and the totals of a group below it.

// groupColumns are the columns of the groupings. The grouping by asset has none.
var groupColumns = map[view.Grouping]view.Column{
	view.GroupByParty: view.PartyColumn, view.GroupByMarket: view.MarketColumn,
}

// groupTitles are the titles of the column of headings, before its own title.
var groupTitles = map[view.Grouping]string{
	view.GroupByParty: "PARTY / ", view.GroupByMarket: "MARKET / ", view.GroupByAsset: "ASSET / ",
}

// The widths of columns where rows are grouped: headings have longer texts than rows.
const (
	maxGroupName   = 32
	maxGroupStatus = 80
)

// positionColumns returns the columns of the positions table on a width. What rows are grouped by is in the
// headings, and has no column.
func (m *Model) positionColumns(width int) []view.Column {
	v := m.data.view
	columns := m.positions.columns.Shown(width, v.Order)
	if grouped, ok := groupColumns[v.Groups.By]; ok {
		columns = slices.DeleteFunc(columns, func(c view.Column) bool { return c == grouped })
	}
	return columns
}

// headingColumn returns the place of the column with the names of groups.
func headingColumn(shown []view.Column) int { return slices.IndexFunc(shown, columns.IsIdentity) }

// groupColumn changes how a column is laid out where rows are grouped.
func (m *Model) groupColumn(column *table.Column, c view.Column, shown []view.Column) {
	v := m.data.view
	if v.Groups.By == view.Ungrouped {
		return
	}
	switch {
	case c == shown[headingColumn(shown)]:
		column.Title = groupTitles[v.Groups.By] + column.Title
		column.Min = max(column.Min, draw.Width(column.Title))
		column.Max = max(column.Max, maxGroupName)
		if grouped, ok := groupColumns[v.Groups.By]; ok && grouped == v.Order.Column {
			column.Order = columns.Arrow(v.Order)
		}
	case c == view.StatusColumn:
		column.Max = max(column.Max, maxGroupStatus)
		if len(v.Totals()) > 1 {
			column.Keep = table.Always // it names the assets that a heading leaves out
		}
	}
}

// indent moves the names of rows to the right of those of their groups.
func (m *Model) indent(cells []table.Cell, columns []view.Column) {
	if m.data.view.Groups.By != view.Ungrouped {
		c := &cells[headingColumn(columns)]
		c.Text = "  " + c.Text
	}
}

// groupName returns the name of a party, market or asset that rows are grouped by.
func (m *Model) groupName(id model.ID) string {
	switch by := m.data.view.Groups.By; {
	case by == view.GroupByAsset && id.IsZero():
		return "unknown asset"
	case by == view.GroupByAsset:
		return m.format.Asset(id)
	case id.IsZero():
		return "no " + by.String()
	case by == view.GroupByMarket:
		return m.format.Market(id)
	}
	return m.format.Party(id)
}

// groupCells formats the heading of a group, one cell for each column.
func (m *Model) groupCells(g *view.Group, columns []view.Column) []table.Cell {
	cells := make([]table.Cell, len(columns))
	total, hasTotal := g.Total()
	assetAt := assetColumn(g, columns)
	for i, c := range columns {
		switch {
		case i == headingColumn(columns):
			cells[i] = table.Cell{Text: foldMark(g) + m.groupName(g.ID), Style: m.styles.Strong}
		case c == view.SizeColumn:
			cells[i] = table.Cell{Text: format.Grouped(g.Rows) + " pos", Words: true}
		case c == view.StatusColumn:
			cells[i] = m.groupStatus(g)
		case i == assetAt:
			cells[i] = table.Cell{Text: "in " + m.format.Asset(total.Asset), Words: true, Style: m.styles.Dim}
		case !hasTotal:
		case c == view.UnrealisedColumn:
			cells[i] = m.subtotalCell(total.Unrealised.Amount(), total.Asset)
		case c == view.RealisedColumn:
			cells[i] = m.subtotalCell(total.Realised.Amount(), total.Asset).Styled(m.styles.Dim)
		case c == view.MarginRatioColumn:
			cells[i] = m.groupRatioCell(&total)
		}
	}
	return cells
}

// groupRatioCell formats the margin ratio of a group. What it is worth less for is before it, as in a row.
func (m *Model) groupRatioCell(total *view.GroupTotal) table.Cell {
	ratio, ok := total.MarginRatio()
	switch {
	case !ok:
		return table.Cell{}
	case m.hasOldRecord(total):
		return table.Cell{Text: "old " + ratio.String(), Style: m.styles.Dim}
	case total.WithoutRatio() > 0: // as while margin levels are read for the first time
		return table.Cell{Text: "some " + ratio.String(), Style: m.styles.Dim}
	}
	return table.Cell{Text: ratio.String(), Style: m.styles.Profit(ratio.Sign())}
}

// hasOldRecord reports whether the margin ratio of a group is made of an old margin record.
func (m *Model) hasOldRecord(total *view.GroupTotal) bool {
	return total.HasRecordUpTo(m.serviceNow().Add(-oldRecord))
}

// assetColumn returns the place of the column, left of the uPnL, in which a heading shows the asset of the subtotals;
// -1 where there is none. It is needed only where a group has several assets. Unlike the status, this column is not cut
// off.
func assetColumn(g *view.Group, columns []view.Column) int {
	if _, ok := g.Total(); !ok || len(g.Totals) < 2 {
		return -1
	}
	i := slices.Index(columns, view.UnrealisedColumn) - 1
	if i < 0 || !slices.Contains([]view.Column{view.EntryColumn, view.MarkColumn, view.NotionalColumn}, columns[i]) {
		return -1
	}
	return i
}

// foldMark returns the mark before the name of a group.
func foldMark(g *view.Group) string {
	if g.IsFolded {
		return "▸"
	}
	return "▾"
}

func (m *Model) subtotalCell(a model.Amount, asset model.ID) table.Cell {
	return m.format.Amount(a, asset, true).Cell().Styled(m.styles.Profit(a.Sign()))
}

// groupStatus returns how many positions of a group are in trouble, and what its numbers leave out.
func (m *Model) groupStatus(g *view.Group) table.Cell {
	style := m.styles.Dim
	switch {
	case g.Distressed > 0:
		style = m.styles.Status(model.StatusDistressed)
	case g.ClosedOut > 0:
		style = m.styles.Status(model.StatusClosedOut)
	}
	return table.Cell{Text: strings.Join(m.groupStatuses(g), ", "), Style: style}
}

// groupStatuses are the words of groupStatus.
func (m *Model) groupStatuses(g *view.Group) (words []string) {
	if g.Distressed > 0 {
		words = append(words, format.Grouped(g.Distressed)+" DISTRESSED")
	}
	if g.ClosedOut > 0 {
		words = append(words, format.Grouped(g.ClosedOut)+" CLOSED OUT")
	}
	return append(words, m.leftOutWords(g)...)
}

// leftOutWords returns what the numbers on the heading of a group leave out: other assets, amounts that cannot be
// added, and positions without margin levels.
func (m *Model) leftOutWords(g *view.Group) (words []string) {
	total, ok := g.Total()
	if !ok {
		return []string{"no subtotal"}
	}
	if others := len(g.Totals) - 1; others > 0 {
		words = append(words, "+"+model.Counted(others, "asset")+" beside "+m.format.Asset(total.Asset))
	}
	if left := total.Unrealised.LeftOut() + total.Realised.LeftOut(); left > 0 {
		words = append(words, model.Counted(left, "number")+" left out")
	}
	if _, hasRatio := total.MarginRatio(); hasRatio && total.WithoutRatio() > 0 {
		words = append(words, format.Grouped(total.WithoutRatio())+" without M%")
	}
	return words
}

// isStaleGroup reports whether a row of a group may be out of date: where its rows come from several streams, whether
// any of them is stale.
func (m *Model) isStaleGroup(g *view.Group, stale *status.Stale) bool {
	if stale.All() || !stale.Any() {
		return stale.All()
	}
	v := m.data.view
	for p := range v.RowsOf(g.ID) {
		source, _ := v.Book().Source(p.Key)
		isOwn := v.Groups.By == view.GroupByParty && !source.Party.IsZero() || v.Groups.By == view.GroupByMarket && !source.Market.IsZero()
		return !isOwn || stale.Has(source)
	}
	return false
}

// drawSecondLineAt draws the second line of a row or a heading, on a screen where each takes two.
func (m *Model) drawSecondLineAt(line int, row *table.Row, width int) string {
	if p, ok := m.data.view.At(line); ok {
		return m.drawSecondLine(&p, row, width)
	}
	g, ok := m.groupAt(line)
	if !ok {
		return ""
	}
	base := m.rowStyle(row)
	status := m.groupStatus(g)
	if row.Stale {
		status.Style = draw.Plain
	}
	l := draw.NewLine(width).Put(base, row.Mark+"  "+model.Counted(g.Rows, "position")+"  ").Put(base+status.Style, draw.Cut(status.Text, width))
	if row.Cursor {
		l.Put(base, strings.Repeat(" ", l.Left()))
	}
	return l.String()
}

// groupSize returns how many positions a group has.
func groupSize(g *view.Group) string {
	if g.ClosedHidden == 0 {
		return model.Counted(g.Rows, "position")
	}
	return model.Counted(g.Rows, "open position") + " and " + format.Grouped(g.ClosedHidden) + " closed"
}

// drawSelectedGroup draws the totals of a group below the positions, on height lines.
func (m *Model) drawSelectedGroup(g *view.Group, width, height int) []string {
	title := draw.Rule(width, m.styles.Strong, m.styles.Dim, m.groupName(g.ID), groupSize(g))
	var body []string
	for i := range g.Totals {
		if room := height - 1; len(g.Totals) > room && i == room-1 {
			words := " and " + model.Counted(len(g.Totals)-i, "asset") + m.keys.Fill(" more; {detail} lists all")
			body = append(body, draw.Text(width, m.styles.Dim, words))
			break
		}
		body = append(body, m.drawGroupTotal(&g.Totals[i], width))
	}
	stale := m.stale()
	if m.isStaleGroup(g, &stale) {
		body = m.styles.Dimmed(body, width)
	}
	return draw.Fit(append([]string{title}, body...), height)
}

// drawGroupTotal draws the total of a group in one asset. Where there is no room for all of it, the line ends with a mark.
func (m *Model) drawGroupTotal(total *view.GroupTotal, width int) string {
	const mark = "  …"
	l := draw.NewLine(width).Space(1)
	facts := m.groupFacts(total, m.format.RoundedAmount)
	for i, f := range facts {
		needed := draw.Width("  " + f.Name + " " + f.Value)
		if i < len(facts)-1 {
			needed += draw.Width(mark)
		}
		if i > 0 && needed > l.Left() {
			return l.Put(m.styles.Dim, mark).String()
		}
		if i > 0 {
			l.Space(2)
		}
		if f.Name != "" {
			l.Put(m.styles.Dim, f.Name).Space(1)
		}
		l.PutNumber(draw.Plain, f.Value)
	}
	return l.String()
}

// groupFacts are the total of a group in one asset, the asset first. The function write formats an amount of an asset.
func (m *Model) groupFacts(total *view.GroupTotal, write func(a model.Amount, asset model.ID, plus bool) string) []draw.Fact {
	rows := model.Counted(total.Rows, "position")
	if total.Asset.IsZero() {
		return []draw.Fact{{Value: rows + " of unknown assets, without a subtotal"}}
	}
	facts := []draw.Fact{
		{Value: m.format.Asset(total.Asset)},
		{Name: "uPnL", Value: write(total.Unrealised.Amount(), total.Asset, true)},
	}
	if ratio, ok := total.MarginRatio(); ok {
		of := draw.Fact{Name: view.MarginRatioColumn.Title(), Value: ratio.String()}
		if m.hasOldRecord(total) {
			of.Value += "  old records"
		}
		facts = append(facts, of)
		if n := total.WithoutRatio(); n > 0 {
			facts = append(facts, draw.Fact{Name: "of", Value: format.Grouped(total.Open-n) + " of " + format.Grouped(total.Open) + " open"})
		}
		facts = append(facts, draw.Fact{Name: "maintenance", Value: write(total.Maintenance(), total.Asset, false)})
	}
	facts = append(facts, draw.Fact{Name: "rPnL", Value: write(total.Realised.Amount(), total.Asset, true)}, draw.Fact{Name: "in", Value: rows})
	if left := total.Unrealised.LeftOut() + total.Realised.LeftOut(); left > 0 {
		facts = append(facts, draw.Fact{Name: "without", Value: model.Counted(left, "number") + " that cannot be added"})
	}
	return facts
}

// groupLines are everything about a group.
func (m *Model) groupLines(g *view.Group, width int) []string {
	lines := m.drawFacts(width, draw.Fact{Name: m.data.view.Groups.By.String(), Value: m.groupName(g.ID)},
		draw.Fact{Name: "positions", Value: groupSize(g)}, draw.Fact{Name: "status", Value: m.groupStatus(g).Text})
	for i := range g.Totals {
		facts := m.groupFacts(&g.Totals[i], m.format.ExactAmount)
		lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, facts[0].Value))
		lines = append(lines, m.drawFacts(width, facts[1:]...)...)
	}
	stale := m.stale()
	if m.isStaleGroup(g, &stale) {
		lines = m.styles.Dimmed(lines, width)
	}
	return lines
}
