package ui

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// noBalances is why the distance to a liquidation is not shown: that needs balances, and the service's two operations
// have none.
const noBalances = "balances not available"

// drawSelected draws what belongs to the selected row, below the positions, on height lines.
func (m *Model) drawSelected(width, height int) []string {
	if g, ok := m.selectedGroup(); ok {
		return m.drawSelectedGroup(g, width, height)
	}
	p := m.selected()
	if p == nil {
		return draw.Fit([]string{draw.Rule(width, m.styles.Dim, m.styles.Dim, "no row selected")}, height)
	}
	title := draw.Rule(width, m.styles.Strong, m.styles.Dim, m.detailTitle(), m.marginNotes(p)...)
	body := append(m.drawSelectedLevels(p, width), m.drawTrends(p, width))
	if width < columns.EstimatesFrom { // else they are columns of the table
		body = append(body, m.drawEstimates(p, width))
	}
	if m.isStale(p.Key) {
		body = m.styles.Dimmed(body, width)
	}
	return draw.Fit(append([]string{title}, body...), height)
}

// drawSelectedLevels draws the levels, and what of them is lost.
func (m *Model) drawSelectedLevels(p *model.Position, width int) []string {
	levels, _ := m.levelsOf(p)
	if levels == nil {
		return []string{draw.Text(width, draw.Plain, " "+m.noLevels(p))}
	}
	return append(m.drawLevels(levels, width), m.drawMarginRatio(p, levels, width))
}

// drawMarginRatio draws the margin ratio, and the bar of the loss against the levels.
func (m *Model) drawMarginRatio(p *model.Position, levels *model.MarginLevels, width int) string {
	ratio, ok := m.data.view.MarginRatio(p)
	if !ok {
		return ""
	}
	l := draw.NewLine(width).Space(1).Put(m.styles.Dim, view.MarginRatioColumn.Title()+" ")
	l.PutNumber(m.styles.Profit(ratio.Sign()), ratio.String()).Space(2)
	if old := m.oldRecordWords(levels); old != "" {
		l.Put(m.styles.Warning, old).Space(2)
	}
	lost, left := lossBar(p, levels, min(l.Left()-1, maxLossBar))
	return l.Put(m.styles.Loss, lost).Put(m.styles.Dim, left).String()
}

// drawEstimates draws the mark price and the notional, which are estimates.
func (m *Model) drawEstimates(p *model.Position, width int) string {
	mark, notional := m.format.Estimates(p)
	if mark.Text == "" {
		return ""
	}
	l := draw.NewLine(width)
	for _, f := range []draw.Fact{{Name: "≈ mark", Value: mark.Text}, {Name: "≈ notional", Value: notional.Text}} {
		l.Space(1).Put(m.styles.Dim, f.Name).Space(1).PutNumber(draw.Plain, f.Value).Space(2)
	}
	return l.String()
}

// levelFacts are the four levels in words. The function write formats an amount of an asset.
func levelFacts(levels *model.MarginLevels, write func(a model.Amount, asset model.ID, plus bool) string) []draw.Fact {
	var facts []draw.Fact
	for _, level := range marginLevels {
		a := level.of(levels)
		facts = append(facts, newFact(level.name, write(a, levels.Asset, false), a))
	}
	return facts
}

// drawLevels puts the four levels on one line. Where there is no room, their names are cut to initials, and the levels
// take two or four lines.
func (m *Model) drawLevels(levels *model.MarginLevels, width int) []string {
	parts := levelFacts(levels, m.format.RoundedAmount)
	long := 0
	for _, part := range parts {
		long += 2 + draw.Width(part.Name) + draw.Width(part.Value)
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
				part.Name = strings.ToUpper(part.Name[:1])
			}
			l.Space(1).Put(m.styles.Dim, part.Name).Space(1).PutNumber(draw.Plain, part.Value).Space(2)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// levelsFit reports whether so many levels, with initials for names, fit on each line.
func levelsFit(parts []draw.Fact, perLine, width int) bool {
	for some := range slices.Chunk(parts, perLine) {
		needed := -2
		for _, part := range some {
			needed += 5 + draw.Width(part.Value)
		}
		if needed > width {
			return false
		}
	}
	return true
}

// marginNotes returns how old the margin record of a position is and when it was last read, in as many words as there
// is room for. The age of the record is that of the service, not the time since it was read.
func (m *Model) marginNotes(p *model.Position) []string {
	levels, readAt := m.levelsOf(p)
	if readAt.IsZero() {
		return []string{"margin levels"}
	}
	checked := "checked " + format.Ago(m.now().Sub(readAt))
	if levels == nil {
		return []string{"margin levels " + checked}
	}
	recorded, ok := levels.Timestamp.Time()
	if !ok {
		return []string{"margin levels without a time, " + checked}
	}
	words := "margin recorded " + format.Ago(m.now().Sub(recorded))
	at := words + " · " + m.format.Clock(recorded)
	return []string{at + " · " + checked, words + " · " + checked, words}
}

// oldRecord is how old a margin record may be before a ratio with it is marked as old.
const oldRecord = 10 * time.Minute

// isOld reports whether a margin record is old at a time by the service's clock.
func isOld(levels *model.MarginLevels, now time.Time) bool {
	recorded, ok := levels.Timestamp.Time()
	return ok && now.Sub(recorded) >= oldRecord
}

// oldRecordWords returns a warning that margin levels are old; empty where they are not.
func (m *Model) oldRecordWords(levels *model.MarginLevels) string {
	recorded, ok := levels.Timestamp.Time()
	if !ok || m.now().Sub(recorded) < oldRecord {
		return ""
	}
	return "record " + format.Age(m.now().Sub(recorded)) + " old"
}

// noLevels returns why no margin levels of a position are shown.
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
func (m *Model) ratios(p *model.Position, levels *model.MarginLevels) []draw.Fact {
	ratio, ok := m.data.view.MarginRatio(p)
	if !ok {
		return nil
	}
	facts := []draw.Fact{{Name: "uPnL ÷ maintenance", Value: ratio.String()}}
	if percent, ok := model.Percent(p.Number(model.UnrealisedPnl), levels.Initial); ok {
		facts = append(facts, draw.Fact{Name: "uPnL ÷ initial", Value: percent})
	}
	return facts
}

// maxLossBar is how many cells the bar of the loss has at most.
const maxLossBar = 60

// lossBar returns a bar from 0 to the release level with the initials of the levels at their places, in two parts: what
// the position has lost of them, and the rest. Both are empty where the levels are not in ascending order.
func lossBar(p *model.Position, levels *model.MarginLevels, width int) (lost, left string) {
	end, ok := levels.Release.Int()
	if !ok || end.Sign() <= 0 || width < 12 {
		return "", ""
	}
	place := func(a model.Amount) (cell int, ok bool) {
		n, ok := a.Int()
		if !ok || n.Sign() < 0 || n.Cmp(end) > 0 {
			return 0, false
		}
		n.Mul(n, big.NewInt(int64(width-1))).Quo(n, end)
		return int(n.Int64()), true
	}
	bar := []rune(strings.Repeat("─", width))
	before := 0
	for _, level := range marginLevels {
		at, ok := place(level.of(levels))
		if !ok || at < before {
			return "", ""
		}
		bar[at], before = rune(strings.ToUpper(level.name)[0]), at
	}
	loss := 0
	if profit := p.Number(model.UnrealisedPnl); profit.Sign() < 0 {
		loss = width // more than the release level
		if n, ok := profit.Int(); ok && n.CmpAbs(end) < 0 {
			n.Abs(n).Mul(n, big.NewInt(int64(width))).Quo(n, end)
			loss = int(n.Int64())
		}
	}
	for i := range loss {
		if bar[i] == '─' {
			bar[i] = '▇'
		}
	}
	return string(bar[:loss]), string(bar[loss:])
}
