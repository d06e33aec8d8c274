package detail

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
)

// On a large screen, what is known of the selected row is in a box: its margin ratio with a gauge, the levels, the mark
// price and how far it is from trouble, the latest trades, and at their right a chart of its unrealised PnL.

// boxFrame is how many cells and lines the border of a box takes.
const boxFrame = 2

// The chart takes three of ten cells of the box, within these limits.
const minBoxChart, maxBoxChart = 30, 60

// Box draws what Summary does in a box.
func (p *Position) Box(width, height int) []string {
	chart := min(max(width*3/10, minBoxChart), maxBoxChart)
	left := width - boxFrame - chart - 1
	lines := draw.Fit(boxFacts(p, left), height-boxFrame)
	foot := ""
	if row := p.Store.Moves().TrendOf(p.Key); row != nil {
		for i, line := range draw.Fit(p.profitChart(row, chart, height-boxFrame), height-boxFrame) {
			lines[i] += strings.Repeat(" ", max(left+1-draw.Width(lines[i]), 0)) + line
		}
		if words := rangeWords(&row.Profit, p.writeProfit, p.Number(model.UnrealisedPnl)); words != "" {
			foot = "uPnL in " + words
		}
	}
	if p.isStale() {
		lines = p.Styles.Dimmed(lines, width-boxFrame)
	}
	return draw.Box(width, height, p.Styles.Strong, p.Styles.Dim, p.Format.Title(p.Key), p.levelNotes(), foot, lines)
}

// boxFacts are the lines at the left of the box.
func boxFacts(p *Position, width int) []string {
	levels := []string{draw.Text(width, draw.Plain, " "+p.noLevels())}
	if p.Levels != nil {
		levels = shortLevels(p.Levels, width, p.Format, p.Styles)
		levels[0] += otherFacts(p, width-draw.Width(levels[0]))
	}
	lines := append(levels, p.estimates(width))
	if ratio := p.ratioAndLoss(width); ratio != "" {
		lines = append([]string{ratio}, lines...)
	}
	if closeOut, isOver := p.closeOut(); closeOut.Value != "" && !isOver {
		return append(lines, draw.Text(width, p.Styles.Warning, " "+closeOut.Name+" "+closeOut.Value))
	}
	return append(lines, lastTrades(p, width))
}

// otherFacts draws what an isolated margin has beside its levels, as far as there is room.
func otherFacts(p *Position, width int) string {
	l := draw.NewLine(width)
	if !p.Levels.IsIsolated() {
		return ""
	}
	write := p.Format.RoundedAmount
	for _, f := range slices.Concat(otherNumbers(p.Levels, write), textFacts(p.Levels, write)) {
		if f.Name != columns.MarginTextName(model.MarginMode) && 2+draw.Width(f.Name+" "+f.Value) <= l.Left() {
			l.Space(1).PutFact(p.Styles.Dim, f.Name, f.Value).Space(2)
		}
	}
	return l.String()
}

const boxTrades = 2

func lastTrades(p *Position, width int) string {
	l := draw.NewLine(width).Space(1)
	if p.Trades == nil || len(p.Trades.trades) == 0 {
		return l.Put(p.Styles.Dim, "no trade was seen yet").String()
	}
	l.Put(p.Styles.Dim, "last trades")
	for i, t := range p.Trades.trades[:min(len(p.Trades.trades), boxTrades)] {
		if words := tradeWords(p, &t); i == 0 || 2+draw.Width(words) <= l.Left() {
			l.Space(2).PutNumber(draw.Plain, words)
		}
	}
	return l.String()
}
