package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// What Y copies at most. A terminal has to take all of it at once.
const (
	maxCopiedRows  = 10_000
	maxCopiedBytes = 4 << 20
)

// sentToClipboard begins what is said about a copy. Whether the terminal took it, nobody knows.
const sentToClipboard = "Sent to the terminal's clipboard: "

// copyRow sends the selected row to the terminal's clipboard.
func (m *Model) copyRow() tea.Cmd {
	p := m.selected()
	m.notify(sentToClipboard + m.format.market(p.Market) + " · " + m.format.party(p.Party) + ".")
	return tea.SetClipboard(m.copiedLine(p))
}

// copyRows sends all rows of the table, in its order, to the terminal's clipboard.
func (m *Model) copyRows() tea.Cmd {
	var text strings.Builder
	rows, all := 0, m.data.view.Len()
	for p := range m.data.view.Shown {
		line := m.copiedLine(p)
		if rows == maxCopiedRows || text.Len()+len(line) > maxCopiedBytes {
			break
		}
		text.WriteString(line)
		rows++
	}
	words := model.Counted(rows, "row")
	if rows < all {
		words = "the first " + words + " of " + grouped(all)
	}
	m.notify(sentToClipboard + words + ".")
	return tea.SetClipboard(text.String())
}

// copiedLine returns a row for a spreadsheet or a chat: one line, with a tab between two fields. It has whole identifiers
// and every digit, without commas between thousands. The fields are those of the detail, with the margin ratio; what a
// row has none of is empty. Texts are neutralised, also because a clipboard may be pasted into a shell.
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
		updated = m.format.timestamp(at)
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
func copiedText(text string) string { return model.SpreadsheetCell(shown(text)) }

// copiedNumber formats a number with every digit and without commas.
func copiedNumber(a model.Amount, decimals int) string {
	text := exact(a, decimals, false)
	if !a.IsInteger() {
		return copiedText(text)
	}
	return strings.ReplaceAll(text, ",", "")
}
