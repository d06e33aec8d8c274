package ui

import (
	"iter"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// The limits of Y. A terminal has to take all of a copy at once.
const (
	maxCopiedRows  = 10_000
	maxCopiedBytes = 4 << 20
)

// sentToClipboard is the begin of the notice about a copy. The terminal does not report whether it took the copy.
const sentToClipboard = "Sent to the terminal's clipboard: "

// copyRow sends the selected row to the terminal's clipboard, or the subtotals of the selected group.
func (m *Model) copyRow() tea.Cmd {
	if g, ok := m.selectedGroup(); ok {
		m.notify(sentToClipboard + "subtotals of " + m.headingOf(g).Name() + ".")
		return tea.SetClipboard(m.copiedGroup(g))
	}
	p := m.selected()
	m.notify(sentToClipboard + m.format.Market(p.Market) + " · " + m.format.Party(p.Party) + ".")
	return tea.SetClipboard(m.copiedLine(p))
}

// copyRows sends all lines of the table, in its order, to the terminal's clipboard: the headings of groups with their
// subtotals, and the rows, but not those of folded groups.
func (m *Model) copyRows() tea.Cmd {
	name := "row"
	if m.data.view.Groups.By != view.Ungrouped {
		name = "line"
	}
	return m.copyLines(name, m.data.view.Lines(), m.copiedLines)
}

// copyLines sends lines to the terminal's clipboard, as many as it may have to take. all is how many of name there are.
func (m *Model) copyLines(name string, all int, lines iter.Seq[string]) tea.Cmd {
	var text strings.Builder
	copied := 0
	for line := range lines {
		if copied == maxCopiedRows || text.Len()+len(line) > maxCopiedBytes {
			break
		}
		text.WriteString(line)
		copied++
	}
	words := model.Counted(copied, name)
	if copied < all {
		words = "the first " + words + " of " + format.Grouped(all)
	}
	m.notify(sentToClipboard + words + ".")
	return tea.SetClipboard(text.String())
}

// copiedLines yields each line of the table as it is copied.
func (m *Model) copiedLines(yield func(string) bool) {
	v := m.data.view
	if v.Groups.By == view.Ungrouped {
		for p := range v.Shown {
			if !yield(m.copiedLine(&p)) {
				return
			}
		}
		return
	}
	for g := range v.GroupsShown {
		if !yield(m.copiedGroup(g)) {
			return
		}
		for p := range v.RowsOf(g.ID) {
			if g.IsFolded {
				break
			}
			if !yield(m.copiedLine(&p)) {
				return
			}
		}
	}
}

// copiedGroup returns the subtotals of a group: the fields of copiedLine, with the name of the group, the subtotals of
// the asset that the heading shows, and its status.
func (m *Model) copiedGroup(g *view.Group) string {
	in := m.data.instruments
	fields := make([]string, copiedFields)
	switch m.data.view.Groups.By {
	case view.GroupByParty:
		fields[2], fields[3] = copiedText(in.Party(g.ID).Name), copiedText(g.ID.String())
	case view.GroupByMarket:
		fields[0], fields[1] = copiedText(in.Market(g.ID).Name), copiedText(g.ID.String())
	case view.GroupByAsset:
		fields[12] = copiedText(in.Asset(g.ID).Label())
	}
	if total, ok := g.Total(); ok {
		asset := in.Asset(total.Asset)
		fields[8], fields[10] = copiedNumber(total.Unrealised.Amount(), asset.Decimals), copiedNumber(total.Realised.Amount(), asset.Decimals)
		fields[12] = copiedText(asset.Label())
		if ratio, ok := total.MarginRatio(); ok {
			fields[9] = strings.ReplaceAll(ratio.String(), ",", "")
		}
	}
	heading := m.headingOf(g)
	fields[13] = copiedText(strings.Join(append([]string{heading.Size()}, heading.Statuses()...), ", "))
	return strings.Join(fields, "\t") + "\n"
}

// copiedFields is how many fields a copied line has.
const copiedFields = 15

// copiedLine returns a row for a spreadsheet or a chat: one line, with a tab between two fields. It has whole
// identifiers and every digit, without commas between thousands. The fields are those of the detail, with the margin
// ratio; what a row has none of is empty. Texts are neutralised, also because a clipboard may be pasted into a shell.
func (m *Model) copiedLine(p *model.Position) string {
	in := m.data.instruments
	market := in.Market(p.Market)
	number := func(field model.Field) string { return copiedNumber(p.Number(field), in.Decimals(field, p.Market)) }
	mark, notional, ratio, asset := "", "", "", ""
	if price, value, ok := model.Estimate(p, in); ok {
		mark = copiedNumber(price, in.Decimals(model.AverageEntryPrice, p.Market))
		notional = copiedNumber(value, in.Decimals(model.UnrealisedPnl, p.Market))
	}
	if r, ok := m.data.view.MarginRatio(p); ok {
		ratio = strings.ReplaceAll(r.String(), ",", "")
	}
	if !market.Asset.IsZero() {
		asset = in.Asset(market.Asset).Label()
	}
	updated := ""
	if at, ok := p.Number(model.UpdatedAt).Time(); ok {
		updated = m.format.Timestamp(at)
	}
	fields := []string{
		copiedText(market.Name), copiedText(p.Market.Label()), copiedText(in.Party(p.Party).Name), copiedText(p.Party.Label()),
		number(model.OpenVolume), number(model.AverageEntryPrice), mark, notional,
		number(model.UnrealisedPnl), ratio, number(model.RealisedPnl), number(model.LossSocialisationAmount),
		copiedText(asset), copiedText(p.StatusName()), updated,
	}
	return strings.Join(fields, "\t") + "\n"
}

// copiedText returns a text that neither a shell nor a spreadsheet runs.
func copiedText(text string) string { return model.SpreadsheetCell(format.Text(text)) }

// copiedNumber formats a number with every digit and without commas.
func copiedNumber(a model.Amount, decimals int) string {
	text := format.Exact(a, decimals, false)
	if !a.IsInteger() {
		return copiedText(text)
	}
	return strings.ReplaceAll(text, ",", "")
}
