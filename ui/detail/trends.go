package detail

import (
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// The widths of a sparkline.
const (
	minSparkline = 8
	maxSparkline = 60
)

// trendSummary draws the trends as sparklines, with what the numbers are now. It is empty if there are
// no trends yet.
func (p *Position) trendSummary(width int) string {
	row := p.Trends
	if row == nil {
		return ""
	}
	l := draw.NewLine(width)
	columns := min(max((width-56)/2, minSparkline), maxSparkline)
	if levels := row.Profit.Levels(columns, draw.SparklineLevels); levels != nil {
		l.Space(1).Put(p.Styles.Dim, "uPnL").Space(1).Put(draw.Plain, draw.Sparkline(levels)).Space(2)
		l.PutNumber(p.Styles.Profit(p.Number(model.UnrealisedPnl).Sign()), p.Format.Number(p.Position, model.UnrealisedPnl).Marked(format.RawMark))
		if words := trendWords(&row.Profit); draw.Width(words) <= l.Left() {
			l.Put(draw.Plain, words)
		}
	}
	levels, percent := row.Ratio.Levels(columns, draw.SparklineLevels), p.Ratio.String()
	const gap, name = 5, "M%"
	if p.HasRatio && levels != nil && l.Left() >= gap+len(name)+1+len(levels)+2+len(percent) {
		l.Space(gap).Put(p.Styles.Dim, name).Space(1).Put(draw.Plain, draw.Sparkline(levels)).Space(2).Put(p.Styles.Profit(p.Ratio.Sign()), percent)
	}
	return l.String()
}

// trendFacts are the trends as facts.
func (p *Position) trendFacts(width int) []draw.Fact {
	row := p.Trends
	if row == nil {
		return nil
	}
	var facts []draw.Fact
	columns := min(max(width-factCells-20, minSparkline), maxSparkline)
	for _, trend := range []struct {
		name string
		of   *model.Trend
	}{{"uPnL trend", &row.Profit}, {"M% trend", &row.Ratio}} {
		if levels := trend.of.Levels(columns, draw.SparklineLevels); levels != nil {
			facts = append(facts, draw.Fact{Name: trend.name, Value: draw.Sparkline(levels) + trendWords(trend.of)})
		}
	}
	return facts
}

// trendWords returns for how long the last amount is the lowest or the highest, or else how long the trend is.
func trendWords(t *model.Trend) string {
	lowest, highest := t.LowestFor(), t.HighestFor()
	switch {
	case lowest > highest && lowest >= time.Minute:
		return ", lowest in " + format.Age(lowest)
	case highest > lowest && highest >= time.Minute:
		return ", highest in " + format.Age(highest)
	}
	return ", in " + format.Age(t.Period())
}
