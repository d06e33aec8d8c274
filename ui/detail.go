package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// factCells is the width of the names.
const factCells = 20

// positionFacts are all fields of a position, with whole identifiers.
func (m *Model) positionFacts(p *model.Position) []draw.Fact {
	in, f := m.data.instruments, m.format
	market, party := in.Market(p.Market), in.Party(p.Party)
	number := func(name string, field model.Field) draw.Fact {
		return newFact(name, f.ExactNumber(p, field), p.Number(field))
	}
	mark, notional := f.ExactEstimates(p)
	asset := ""
	if !market.Asset.IsZero() {
		asset = f.Asset(market.Asset)
	}
	facts := []draw.Fact{
		{Name: "market", Value: format.Text(market.Name)},
		{Name: "market id", Value: format.Text(p.Market.Label())},
		{Name: "party", Value: format.Text(party.Name)},
		{Name: "party id", Value: format.Text(p.Party.Label())},
		number("size", model.OpenVolume),
		number("entry price", model.AverageEntryPrice),
		{Name: "≈ mark", Value: mark},
		{Name: "≈ notional", Value: notional},
		number("uPnL", model.UnrealisedPnl),
		number("rPnL", model.RealisedPnl),
		number("loss socialised", model.LossSocialisationAmount),
		{Name: "asset", Value: asset},
		{Name: "status", Value: format.Text(p.StatusName())},
	}
	updated := draw.Fact{Name: "updated", Value: format.Text(p.Number(model.UpdatedAt).String()) + format.RawWord}
	if at, ok := p.Number(model.UpdatedAt).Time(); ok {
		updated.Value = f.Timestamp(at) + ", " + format.Ago(m.serviceNow().Sub(at))
	}
	return append(append(facts, m.changeFacts(p)...), updated)
}

// newFact returns a fact with an amount, and the integer that the service sent where it looks different.
func newFact(name, value string, a model.Amount) draw.Fact {
	f := draw.Fact{Name: name, Value: value}
	raw := format.Text(a.String())
	digits := strings.ReplaceAll(strings.TrimLeft(strings.TrimSuffix(value, format.RawWord), "+"), ",", "")
	if !a.IsZero() && a.IsInteger() && digits != strings.ReplaceAll(raw, ",", "") {
		f.Note = "sent as " + raw
	}
	return f
}

// drawFacts draws facts of the detail.
func (m *Model) drawFacts(width int, facts ...draw.Fact) []string {
	return draw.Facts(width, factCells, m.styles.Dim, facts...)
}

// detailLines are everything about the selected position.
func (m *Model) detailLines(width int) []string {
	if g, ok := m.selectedGroup(); ok {
		return m.groupLines(g, width)
	}
	p := m.selected()
	if p == nil {
		return []string{"", draw.Centred(width, draw.Plain, "No position is selected.")}
	}
	lines := m.positionLines(p, nil, width)
	lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, "source", ""))
	return append(lines, m.sourceLines(p, width)...)
}

// positionLines are the facts, the trends and the margin levels of a position, without the values that are shown elsewhere.
func (m *Model) positionLines(p *model.Position, elsewhere map[string]bool, width int) []string {
	isElsewhere := func(f draw.Fact) bool { return elsewhere[f.Value] }
	facts := append(slices.DeleteFunc(m.positionFacts(p), isElsewhere), m.trendFacts(p, width)...)
	lines := m.drawFacts(width, facts...)
	lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, m.marginNotes(p)[0]))
	lines = append(lines, m.levelLines(p, width)...)
	if m.isStale(p.Key) {
		lines = m.styles.Dimmed(lines, width)
	}
	return lines
}

// levelLines are the margin levels of a position, and its ratios.
func (m *Model) levelLines(p *model.Position, width int) []string {
	levels, _ := m.levelsOf(p)
	if levels == nil {
		return []string{draw.Text(width, draw.Plain, " "+m.noLevels(p))}
	}
	facts := append(levelFacts(levels, m.format.ExactAmount), draw.Fact{Name: "asset", Value: m.format.Asset(levels.Asset)})
	if at, ok := levels.Timestamp.Time(); ok {
		value := m.format.Timestamp(at) + ", " + format.Ago(m.serviceNow().Sub(at))
		facts = append(facts, draw.Fact{Name: "recorded", Value: value})
	}
	for _, ratio := range m.ratios(p, levels) {
		if old := m.oldRecordWords(levels); old != "" {
			ratio.Value += "  " + old
		}
		facts = append(facts, ratio)
	}
	lines := m.drawFacts(width, facts...)
	if lost, left := lossBar(p, levels, width-2); lost+left != "" {
		lines = append(lines, "", draw.NewLine(width).Space(1).Put(m.styles.Loss, lost).Put(m.styles.Dim, left).String())
	}
	return append(lines, draw.Text(width, m.styles.Dim, " "+noBalances))
}

// sourceLines are the subscription that the position comes from, with its freshness.
func (m *Model) sourceLines(p *model.Position, width int) []string {
	streams := m.streams()
	source, _ := m.data.view.Book().Source(p.Key)
	if link := streams.Link(source); link != nil {
		return []string{streams.Line(link, width)}
	}
	return nil
}

// detailTitle returns the market and the party of the selected position.
func (m *Model) detailTitle() string {
	if g, ok := m.selectedGroup(); ok {
		return m.groupName(g.ID)
	}
	p := m.selected()
	if p == nil {
		return "detail"
	}
	return m.format.Market(p.Market) + " · " + m.format.Party(p.Party)
}

func (m *Model) showDetail() tea.Cmd {
	m.open(detailPage)
	return nil
}
