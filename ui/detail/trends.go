package detail

import (
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
)

// The widths of a sparkline.
const (
	minSparkline = 8
	maxSparkline = 60
)

// trendLine draws the trend of the unrealised PnL as a sparkline, and its lowest and highest amount if that leaves free
// the given number of cells. The line is empty if there is no trend yet.
func (p *Position) trendLine(width, free int) *draw.Line {
	l := draw.NewLine(width)
	row := p.Store.Moves().TrendOf(p.Key)
	if row == nil {
		return l
	}
	levels := row.Profit.Levels(minSparkline, draw.SparklineLevels)
	if levels == nil {
		return l
	}
	l.Space(1).Put(p.Styles.Dim, "uPnL").Space(1).Put(p.Styles.Quiet, draw.Sparkline(levels)).Space(2)
	now := p.Number(model.UnrealisedPnl)
	return l.Put(p.Styles.Dim, draw.FirstThatFits(l.Left()-2-free, rangeWords(&row.Profit, p.writeProfit, now),
		rangeWords(&row.Profit, p.writeWholeProfit, now))).Space(2)
}

func (p *Position) trendFacts(width int) []draw.Fact {
	row := p.Store.Moves().TrendOf(p.Key)
	if row == nil {
		return nil
	}
	var facts []draw.Fact
	const wordsCells = 30
	cells := min(max(width-factCells-wordsCells, minSparkline), maxSparkline)
	for _, trend := range []struct {
		name  string
		of    *model.Trend
		write func(model.Amount) string
		now   []model.Amount
	}{{"uPnL trend", &row.Profit, p.writeProfit, []model.Amount{p.Number(model.UnrealisedPnl)}},
		{columns.RatioName + " trend", &row.Ratio, writePermille, nil}} {
		if levels := trend.of.Levels(cells, draw.SparklineLevels); levels != nil {
			facts = append(facts, draw.Fact{Name: trend.name,
				Value: strings.TrimRight(draw.Sparkline(levels)+"  "+rangeWords(trend.of, trend.write, trend.now...), " ")})
		}
	}
	return facts
}

// A chart has chartLines lines, and one for the times, on a page of at least chartFrom lines.
const (
	chartLines = 8
	chartFrom  = 40
)

// chart draws the trend of the unrealised PnL as bars from a zero line, below a title with its range; nil if there is
// no trend yet.
func (p *Position) chart(width int) []string {
	row := p.Store.Moves().TrendOf(p.Key)
	if row == nil {
		return nil
	}
	chart := p.profitChart(row, width-1, chartLines)
	if chart == nil {
		return nil
	}
	now := p.Number(model.UnrealisedPnl)
	exact, whole := rangeWords(&row.Profit, p.writeProfit, now), rangeWords(&row.Profit, p.writeWholeProfit, now)
	lines := []string{"", draw.Rule(width, p.Styles.Dim, p.Styles.Dim, "uPnL", exact, whole)}
	for _, line := range chart {
		lines = append(lines, " "+line)
	}
	return lines
}

// profitChart draws the chart of the unrealised PnL on the given number of lines, and one for the times; nil if there
// is no amount yet.
func (p *Position) profitChart(row *history.Row, width, lines int) []string {
	chart, ok := p.Format.Chart(&row.Profit, p.Now, p.decimals(model.UnrealisedPnl), width, lines)
	if !ok {
		return nil
	}
	return chart.Lines(p.Styles.Dim, p.Styles.Profit(+1), p.Styles.Profit(-1))
}

// rangeWords returns how long a trend is, and its lowest and highest amount: "60s: -312.50 … -95.00"; empty if it is
// shorter than a second. The trend gets an amount once a second, so the current amount is compared too.
func rangeWords(t *model.Trend, write func(model.Amount) string, now ...model.Amount) string {
	if t.Period() < time.Second {
		return ""
	}
	period := format.Span(t.Period()) + ": "
	lowest, _, _ := t.Lowest()
	highest, _, _ := t.Highest()
	for _, a := range now {
		if t.Compare(a, lowest) < 0 {
			lowest = a
		}
		if t.Compare(a, highest) > 0 {
			highest = a
		}
	}
	if t.Compare(lowest, highest) == 0 {
		return period + "no change"
	}
	return period + write(lowest) + " … " + write(highest)
}

func (p *Position) writeProfit(a model.Amount) string {
	return p.Format.NumberIn(a, model.UnrealisedPnl, p.Market, true).Marked(format.RawMark)
}

// writeWholeProfit writes a profit without decimals, if there is little room.
func (p *Position) writeWholeProfit(a model.Amount) string {
	return format.Rounded(a, p.Format.Instruments().Decimals(model.UnrealisedPnl, p.Market), 0, true).Marked(format.RawMark)
}

func writePermille(a model.Amount) string { return format.Rounded(a, 1, 1, true).Text + "%" }
