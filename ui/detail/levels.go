package detail

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/theme"
)

// noBalances is why the distance to a liquidation is not shown: that needs balances, and the service's two operations
// have none.
const noBalances = "balances not available"

// What the levels mean whose names do not explain it, and what isolated margin means.
const (
	levelMeaning    = "below search, more collateral is searched for; above release, collateral is released"
	isolatedMeaning = "isolated margin: below maintenance, the position is closed out; no collateral is searched for or released"
)

func meaningOf(levels *model.MarginLevels) string {
	if levels.IsIsolated() {
		return isolatedMeaning
	}
	return levelMeaning
}

// levelSummary draws the levels, and how the position was closed out or how much of the maintenance margin is lost.
func (p *Position) levelSummary(width int) []string {
	lines := []string{draw.Text(width, draw.Plain, " "+p.noLevels())}
	if p.Levels != nil {
		lines = shortLevels(p.Levels, width, p.Format, p.Styles)
	}
	switch closeOut, isOver := p.closeOut(); {
	case closeOut.Value != "" && !isOver:
		lines = append(lines, draw.Text(width, p.Styles.Warning, " "+closeOut.Name+" "+closeOut.Value))
	case p.Levels != nil:
		lines = append(lines, p.ratioAndLoss(width))
	}
	return lines
}

// ratioAndLoss draws the margin ratio, its sparkline, and its gauge.
func (p *Position) ratioAndLoss(width int) string {
	if !p.HasRatio {
		return ""
	}
	l := draw.NewLine(width).Space(1).Put(p.Styles.Dim, columns.RatioName+" ")
	if p.Ratio.HasEnded() {
		if p.Ratio.IsEstimate {
			l.PutNumber(draw.Plain, columns.RatioText(p.Ratio)).Space(2)
		}
		return l.Put(p.Styles.Dim, p.endedWords()).String()
	}
	l.PutNumber(p.Styles.Ratio(p.Ratio), p.Ratio.String()).Space(2)
	if old := p.oldRecord(); old != "" {
		l.Put(p.Styles.Warning, old).Space(2)
	}
	if row := p.Store.Moves().TrendOf(p.Key); row != nil {
		if levels := row.Ratio.Levels(minSparkline, draw.SparklineLevels); levels != nil {
			l.Put(p.Styles.Quiet, draw.Sparkline(levels)).Space(2)
		}
	}
	return p.gauge(l).String()
}

// endedWords is the last margin ratio of a moment, until when it was known, and why there is no newer one.
func (p *Position) endedWords() string {
	why := "the record is of an earlier size"
	recorded, hasTime := p.Levels.Timestamp.Time()
	if updated, isKnown := p.Number(model.UpdatedAt).Time(); hasTime && (!isKnown || recorded.After(updated)) {
		why = "the record is newer than the position"
	}
	if !p.HasLast {
		return why
	}
	return p.Last.String() + ", until " + format.Ago(p.Last.EndedFor(p.ServiceNow)) + ": " + why
}

// levelFacts are the levels in words. The function write formats an amount of an asset.
func levelFacts(levels *model.MarginLevels, write func(a model.Amount, asset model.ID, plus bool) string) []draw.Fact {
	var facts []draw.Fact
	for _, level := range levels.Levels() {
		if !level.IsNone {
			facts = append(facts, newFact(level.Name, write(level.Amount, levels.Asset, false), level.Amount))
		}
	}
	return facts
}

// otherNumbers are the amounts of a margin record that are no levels, if they are not 0.
func otherNumbers(levels *model.MarginLevels, write func(a model.Amount, asset model.ID, plus bool) string) []draw.Fact {
	var facts []draw.Fact
	for n := range model.MarginNumberCount {
		if name, a := columns.MarginNumberName(n), levels.Number(n); name != "" && !n.IsTime() && !a.IsZero() {
			facts = append(facts, newFact(name, write(a, levels.Asset, false), a))
		}
	}
	return facts
}

// textFacts are the texts of a margin record in words: the mode, and others if they are not the usual ones.
func textFacts(levels *model.MarginLevels, write func(a model.Amount, asset model.ID, plus bool) string) []draw.Fact {
	var facts []draw.Fact
	for t := range model.MarginTextCount {
		if t == model.MarginMode || !levels.IsUsual(t) {
			facts = append(facts, draw.Fact{Name: columns.MarginTextName(t), Value: columns.MarginText(levels, t, write)})
		}
	}
	return slices.DeleteFunc(facts, func(f draw.Fact) bool { return f.Name == "" || f.Value == "" })
}

// shortLevels puts the levels on one line. If there is no room, their names are cut to initials, and the levels take
// more lines.
func shortLevels(levels *model.MarginLevels, width int, f *format.Formatter, styles *theme.Styles) []string {
	parts := levelFacts(levels, f.RoundedAmount)
	perLine := len(parts)
	if !levelsFit(parts, perLine, width) {
		for i := range parts {
			parts[i].Name = strings.ToUpper(parts[i].Name[:1])
		}
	}
	for perLine > 1 && !levelsFit(parts, perLine, width) {
		perLine /= 2
	}
	var lines []string
	for some := range slices.Chunk(parts, perLine) {
		l := draw.NewLine(width)
		for _, part := range some {
			l.Space(1).PutFact(styles.Dim, part.Name, part.Value).Space(2)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// levelsFit reports whether the given number of levels fit on each line.
func levelsFit(parts []draw.Fact, perLine, width int) bool {
	for some := range slices.Chunk(parts, perLine) {
		needed := -2
		for _, part := range some {
			needed += 4 + draw.Width(part.Name) + draw.Width(part.Value)
		}
		if needed > width {
			return false
		}
	}
	return true
}

// levelNotes returns how old the margin record is and when it was last read, in as many words as there
// is room for. The age of the record is that of the service, not the time since it was read.
func (p *Position) levelNotes() []string {
	if p.CheckedAt.IsZero() {
		return []string{"margin levels"}
	}
	checked := "checked " + format.Ago(model.Elapsed(p.Now, p.CheckedAt))
	if p.Levels == nil {
		return []string{"margin levels " + checked}
	}
	recorded, ok := p.Levels.Timestamp.Time()
	switch {
	case p.Levels.Timestamp.IsOddTime():
		return []string{"margin recorded " + p.sentTime() + ", " + checked, "margin levels without a time, " + checked}
	case !ok:
		return []string{"margin levels without a time, " + checked}
	}
	words := "margin recorded " + format.Ago(p.ServiceNow.Sub(recorded))
	if p.Levels.IsIsolated() {
		words = "isolated " + words
	}
	at := words + " · " + p.Format.Clock(recorded)
	return []string{at + " · " + checked, words + " · " + checked, words}
}

// sentTime returns the time of the margin record as the service sent it, which is not understood.
func (p *Position) sentTime() string {
	return format.Text(p.Levels.Timestamp.String()) + format.RawWord
}

// oldRecord returns a warning that the margin levels are old; empty if they are not.
func (p *Position) oldRecord() string {
	if !columns.IsOld(p.Levels, p.ServiceNow) {
		return ""
	}
	return "record " + format.AgeOf(p.Levels.Timestamp, p.ServiceNow) + " old"
}

// noLevels returns why no margin levels are shown.
func (p *Position) noLevels() string {
	switch {
	case !p.Key.IsComplete():
		return "No margin levels without both a party and a market."
	case p.Problem != "":
		return "Loading margin levels failed: " + p.Problem
	case p.CheckedAt.IsZero():
		return "Loading margin levels"
	}
	return "The service has no margin levels for this position."
}

// ratios are the unrealised PnL divided by margin levels of the same asset.
func (p *Position) ratios() []draw.Fact {
	if !p.HasRatio {
		return nil
	}
	old := ""
	if words := p.oldRecord(); words != "" {
		old = "  " + words
	}
	if p.Ratio.HasEnded() {
		facts := []draw.Fact{{Name: "uPnL ÷ maintenance", Value: p.endedWords() + old}}
		if p.Ratio.IsEstimate {
			facts = append([]draw.Fact{{Name: "uPnL ÷ maintenance", Value: "≈" + p.Ratio.String()}}, facts...)
		}
		return append(facts, p.distanceFact(old))
	}
	facts := []draw.Fact{{Name: "uPnL ÷ maintenance", Value: p.Ratio.String() + old}}
	if percent, ok := model.Percent(p.Number(model.UnrealisedPnl), p.Levels.Initial, p.Format.Decimals(p.Levels.Asset)); ok {
		facts = append(facts, draw.Fact{Name: "uPnL ÷ initial", Value: percent + old})
	}
	return append(facts, p.distanceFact(old))
}

func (p *Position) addLevels(t *text, width int) {
	levels := p.Levels
	if levels == nil {
		t.addLines(draw.Text(width, draw.Plain, " "+p.noLevels()))
		return
	}
	write := p.Format.ExactAmount
	facts := slices.Concat(levelFacts(levels, write), otherNumbers(levels, write), textFacts(levels, write))
	facts = append(facts, draw.Fact{Name: "asset", Value: p.Format.Asset(levels.Asset)})
	if at, ok := levels.Timestamp.Time(); ok {
		value := p.Format.Timestamp(at) + ", " + format.Ago(p.ServiceNow.Sub(at))
		facts = append(facts, draw.Fact{Name: "recorded", Value: value})
	} else if levels.Timestamp.IsOddTime() {
		facts = append(facts, draw.Fact{Name: "recorded", Value: p.sentTime()})
	}
	t.addFacts(width, p.Styles.Dim, facts...)
	for _, words := range draw.Wrap(meaningOf(levels)+"; "+noBalances, max(width-2, 1)) {
		t.addLines(draw.Text(width, p.Styles.Dim, " "+words))
	}
}

// maxGauge is how many cells the gauge has at most, without its ends.
const maxGauge = 61

// gauge draws what of the maintenance margin is lost or won: the middle is 0, a loss grows from it to the left up to
// -100%, and a gain to the right. There is none without a ratio that is true now, or without room.
func (p *Position) gauge(l *draw.Line) *draw.Line {
	const from, to = "-100% ", " +100%"
	half := (min(l.Left()-len(from)-len(to)-1, maxGauge) - 1) / 2
	if !p.HasRatio || p.Ratio.HasEnded() || half < minGauge {
		return l
	}
	cells := gaugeCells(p.Ratio.Permille(), half)
	lost, won := max(-cells, 0), max(cells, 0)
	dim := func(text string) { l.Put(p.Styles.Dim, text) }
	free, bar := withTick(strings.Repeat("─", half-lost)+strings.Repeat("▇", lost), half, half-lost)
	dim(from + free)
	l.Put(p.Styles.Loss, bar)
	dim("│")
	l.Put(p.Styles.Profit(+1), strings.Repeat("▇", won))
	dim(strings.Repeat("─", half-won) + to)
	return l
}

// withTick returns the half of a gauge for a loss with a mark at -50%, in two parts: the cells that are free, and those
// of the bar.
func withTick(cells string, half, free int) (before, bar string) {
	each := []rune(cells)
	each[half/2] = '┊'
	return string(each[:free]), string(each[free:])
}

// minGauge is how many cells each half of the gauge has at least.
const minGauge = 3

// gaugeCells returns how many of the given number of cells are a ratio in thousandths, negative for a loss. What is not
// 0 has a cell, and what is beyond the end all of them.
func gaugeCells(permille model.Amount, cells int) int {
	n, ok := permille.Int64()
	if !ok || n < -1000 || n > 1000 {
		return permille.Sign() * cells
	}
	size := (max(n, -n)*int64(cells) + 500) / 1000
	if n != 0 {
		size = max(size, 1)
	}
	return permille.Sign() * int(size)
}
