package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// fact is one line of the detail: a name, a value, and the integer that the service sent, where it looks different.
type fact struct{ name, value, raw string }

// factCells is the width of the names.
const factCells = 20

// positionFacts are all fields of a position, with whole identifiers.
func (m *Model) positionFacts(p *model.Position) []fact {
	in, f := m.data.instruments, m.format
	market, party := in.Market(p.Market), in.Party(p.Party)
	number := func(name string, field model.Field) fact {
		return newFact(name, f.ExactNumber(p, field), p.Number(field))
	}
	mark, notional := m.exactEstimates(p)
	asset := ""
	if !market.Asset.IsZero() {
		asset = f.Asset(market.Asset)
	}
	facts := []fact{
		{name: "market", value: format.Text(market.Name)},
		{name: "market id", value: format.Text(p.Market.Label())},
		{name: "party", value: format.Text(party.Name)},
		{name: "party id", value: format.Text(p.Party.Label())},
		number("size", model.OpenVolume),
		number("entry price", model.AverageEntryPrice),
		{name: "≈ mark", value: mark},
		{name: "≈ notional", value: notional},
		number("uPnL", model.UnrealisedPnl),
		number("rPnL", model.RealisedPnl),
		number("loss socialised", model.LossSocialisationAmount),
		{name: "asset", value: asset},
		{name: "status", value: format.Text(p.StatusName())},
	}
	updated := fact{name: "updated", value: format.Text(p.Number(model.UpdatedAt).String()) + format.RawWord}
	if at, ok := p.Number(model.UpdatedAt).Time(); ok {
		updated.value = f.Timestamp(at) + ", " + format.Ago(m.serviceNow().Sub(at))
	}
	return append(append(facts, m.changeFacts(p)...), updated)
}

func newFact(name, value string, a model.Amount) fact {
	raw := format.Text(a.String())
	digits := strings.ReplaceAll(strings.TrimLeft(strings.TrimSuffix(value, format.RawWord), "+"), ",", "")
	if a.IsZero() || digits == strings.ReplaceAll(raw, ",", "") || !a.IsInteger() {
		raw = ""
	}
	return fact{name, value, raw}
}

// drawFact draws a fact of the detail.
func (m *Model) drawFact(f fact, width int) []string { return m.drawFactAt(f, factCells, width) }

// drawFactAt draws a fact, with its value from a column on, on as many lines as the value needs.
func (m *Model) drawFactAt(f fact, at, width int) []string {
	var lines []string
	if short := draw.Width(f.name) + 3; !strings.Contains(f.value, " ") && draw.Width(f.value) > width-at && draw.Width(f.value) <= width-short {
		at = short // an identifier on one line rather than in line with the others
	}
	for i, part := range draw.Wrap(f.value, max(width-at, 8)) {
		l := draw.NewLine(width).Space(1)
		if i == 0 {
			l.Put(m.styles.Dim, f.name)
		}
		l.To(at).Put(draw.Plain, part)
		if sent := "   sent as " + f.raw; i == 0 && f.raw != "" && draw.Width(sent) <= l.Left() {
			l.Put(m.styles.Dim, sent)
		}
		lines = append(lines, l.String())
	}
	return lines
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
	var lines []string
	for _, f := range m.positionFacts(p) {
		if f.value != "" && !elsewhere[f.value] {
			lines = append(lines, m.drawFact(f, width)...)
		}
	}
	for _, f := range m.trendFacts(p, width) {
		lines = append(lines, m.drawFact(f, width)...)
	}
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
	var lines []string
	for _, f := range levelFacts(levels, m.format.ExactAmount) {
		lines = append(lines, m.drawFact(f, width)...)
	}
	lines = append(lines, m.drawFact(fact{name: "asset", value: m.format.Asset(levels.Asset)}, width)...)
	if at, ok := levels.Timestamp.Time(); ok {
		value := m.format.Timestamp(at) + ", " + format.Ago(m.serviceNow().Sub(at))
		lines = append(lines, m.drawFact(fact{name: "recorded", value: value}, width)...)
	}
	for _, ratio := range m.ratios(p, levels) {
		if old := m.oldRecordWords(levels); old != "" {
			ratio.value += "  " + old
		}
		lines = append(lines, m.drawFact(ratio, width)...)
	}
	if lost, left := lossBar(p, levels, width-2); lost+left != "" {
		lines = append(lines, "", draw.NewLine(width).Space(1).Put(m.styles.Loss, lost).Put(m.styles.Dim, left).String())
	}
	return append(lines, draw.Text(width, m.styles.Dim, " "+noBalances))
}

// sourceLines are the subscription that the position comes from, with its freshness.
func (m *Model) sourceLines(p *model.Position, width int) []string {
	source, _ := m.data.view.Book().Source(p.Key)
	for i := range m.incoming.links {
		if link := &m.incoming.links[i]; link.Subscription == source {
			words := fmt.Sprintf(" %s  %s  %s", m.linkName(link), m.linkWords(link, m.now()), model.Neutralise(link.Address))
			return []string{draw.Text(width, draw.Plain, words)}
		}
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
