package ui

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
)

// noBalances says why the distance to a liquidation is not shown: that needs balances, and the service's two operations
// have none.
const noBalances = "balances not available"

// drawSelected draws the margin levels of the selected row below the positions, on height lines.
func (m *Model) drawSelected(width, height int) []string {
	p := m.selected()
	if p == nil {
		return draw.Fit([]string{draw.Rule(width, m.styles.dim, m.styles.dim, "no row selected")}, height)
	}
	title := draw.Rule(width, m.styles.strong, m.styles.dim, m.detailTitle(), m.marginNotes(p)...)
	body := m.drawSelectedLevels(p, width)
	if m.isStale(p.Key) {
		body = m.styles.dimmed(body, width)
	}
	return draw.Fit(append([]string{title}, body...), height)
}

// drawSelectedLevels draws the levels, their scale and the ratios.
func (m *Model) drawSelectedLevels(p *model.Position, width int) []string {
	levels, _ := m.levelsOf(p)
	if levels == nil {
		return []string{draw.Text(width, draw.Plain, " "+m.noLevels(p))}
	}
	lines := m.drawLevels(levels, width)
	if scale := drawScale(levels, min(width-18, 96)); scale != nil && len(lines) == 1 {
		asset := m.format.asset(levels.Asset)
		lines = append(lines, draw.NewLine(width).Put(draw.Plain, " "+scale[0]).Put(draw.Plain, "  "+asset).String(), " "+scale[1])
	}
	ratios := m.ratios(p, levels)
	l := draw.NewLine(width)
	if old := m.oldRecordWords(levels); old != "" && len(ratios) > 0 {
		l.Space(1).Put(m.styles.warning, old+":")
	}
	for _, ratio := range ratios {
		l.Space(1).Put(draw.Plain, ratio.name+"  ").PutNumber(draw.Plain, ratio.value).Space(3)
	}
	if l.Left() > draw.Width(noBalances) {
		l.To(width-draw.Width(noBalances)-1).Put(m.styles.dim, noBalances)
	}
	return append(lines, l.String())
}

// levelFacts are the four levels in words. The function format formats an amount of an asset.
func levelFacts(levels *model.MarginLevels, format func(a model.Amount, asset model.ID, plus bool) string) []fact {
	var facts []fact
	for _, level := range marginLevels {
		a := level.of(levels)
		facts = append(facts, newFact(level.name, format(a, levels.Asset, false), a))
	}
	return facts
}

// drawLevels puts the four levels on one line. Where there is no room, their names are cut to initials, and the levels
// take two or four lines.
func (m *Model) drawLevels(levels *model.MarginLevels, width int) []string {
	parts := levelFacts(levels, m.format.roundedAmount)
	long := 0
	for _, part := range parts {
		long += 2 + draw.Width(part.name) + draw.Width(part.value)
	}
	const gaps = 3 * 2
	perLine := len(parts)
	for perLine > 1 && !levelsFit(parts, perLine, width) {
		perLine /= 2
	}
	var lines []string
	for some := range slices.Chunk(parts, perLine) {
		l := draw.NewLine(width)
		for _, part := range some {
			if long+gaps > width {
				part.name = strings.ToUpper(part.name[:1])
			}
			l.Space(1).Put(m.styles.dim, part.name).Space(1).PutNumber(draw.Plain, part.value).Space(2)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// levelsFit reports whether so many levels, with initials for names, fit on each line.
func levelsFit(parts []fact, perLine, width int) bool {
	for some := range slices.Chunk(parts, perLine) {
		needed := -2
		for _, part := range some {
			needed += 5 + draw.Width(part.value)
		}
		if needed > width {
			return false
		}
	}
	return true
}

// marginNotes say how old the margin record of a position is and when it was last read, in as many words as there is
// room for. The record is as old as the service says, however lately it was read.
func (m *Model) marginNotes(p *model.Position) []string {
	levels, readAt := m.levelsOf(p)
	if readAt.IsZero() {
		return []string{"margin levels"}
	}
	checked := "checked " + ago(m.now().Sub(readAt))
	if levels == nil {
		return []string{"margin levels " + checked}
	}
	recorded, ok := levels.Timestamp.Time()
	if !ok {
		return []string{"margin levels without a time, " + checked}
	}
	words := "margin recorded " + ago(m.now().Sub(recorded))
	return []string{words + " · " + checked, words}
}

// oldRecord is how old a margin record may be before a ratio that it is used in says so.
const oldRecord = 10 * time.Minute

// isOld reports whether a margin record is old at a time by the service's clock.
func isOld(levels *model.MarginLevels, now time.Time) bool {
	recorded, ok := levels.Timestamp.Time()
	return ok && now.Sub(recorded) >= oldRecord
}

// oldRecordWords say that margin levels are old; empty where they are not.
func (m *Model) oldRecordWords(levels *model.MarginLevels) string {
	recorded, ok := levels.Timestamp.Time()
	if !ok || m.now().Sub(recorded) < oldRecord {
		return ""
	}
	return "record " + age(m.now().Sub(recorded)) + " old"
}

// noLevels says why no margin levels of a position are shown.
func (m *Model) noLevels(p *model.Position) string {
	_, readAt := m.levelsOf(p)
	switch {
	case !isComplete(p.Key):
		return "No margin levels without both a party and a market."
	case m.levels.problem != "" && m.levels.key == p.Key:
		return "Loading margin levels failed: " + m.levels.problem
	case readAt.IsZero():
		return "Loading margin levels"
	}
	return "The service has no margin levels for this position."
}

// ratios are the unrealised PnL divided by margin levels of the same asset.
func (m *Model) ratios(p *model.Position, levels *model.MarginLevels) []fact {
	ratio, ok := m.data.view.MarginRatio(p)
	if !ok {
		return nil
	}
	facts := []fact{{name: "uPnL ÷ maintenance", value: ratio.String()}}
	if percent, ok := model.Percent(p.Number(model.UnrealisedPnl), levels.Initial); ok {
		facts = append(facts, fact{name: "uPnL ÷ initial", value: percent})
	}
	return facts
}

// drawScale draws a scale from maintenance to release with the levels at their places, and a line with their initials.
// It returns nil where the levels are not in ascending order.
func drawScale(levels *model.MarginLevels, width int) []string {
	low, ok := levels.Maintenance.Int()
	high, ok2 := levels.Release.Int()
	if !ok || !ok2 || low.Cmp(high) >= 0 || width < 8 {
		return nil
	}
	span := new(big.Int).Sub(high, low)
	line := []rune(strings.Repeat("─", width))
	names := []rune(strings.Repeat(" ", width))
	line[0], names[0], line[width-1], names[width-1] = '├', 'M', '┤', 'R'
	before := 0
	for _, level := range marginLevels[1:3] {
		n, ok := level.of(levels).Int()
		if !ok || n.Cmp(low) < 0 || n.Cmp(high) > 0 {
			return nil
		}
		n.Sub(n, low).Mul(n, big.NewInt(int64(width-1))).Quo(n, span)
		at := int(n.Int64())
		if at < before {
			return nil
		}
		before = at
		if at > 0 && at < width-1 {
			line[at] = '┼'
			names[at] = rune(strings.ToUpper(level.name)[0])
		}
	}
	return []string{string(line), strings.TrimRight(string(names), " ")}
}
