package detail

import (
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// why tells by how much the realised and unrealised PnL of a position together have changed, and by what.
type why struct {
	*Position
	recent *analysis.Recent
}

// whyOf returns why the PnL of a position has changed, and false if it is not followed, or if its PnL is an estimate.
func whyOf(p *Position) (w why, ok bool) {
	row := p.Store.Moves().TrendOf(p.Key)
	if row == nil || p.IsWhatIf {
		return w, false
	}
	return why{p, &row.Recent}, true
}

// facts are the changes in the last minute, five minutes and hour. If less than a period is known, it is the change
// since the first state that is known.
func (w why) facts() []draw.Fact {
	var facts []draw.Fact
	var longest time.Duration
	for i, period := range analysis.Periods {
		change, from, ok := w.recent.Since(i, w.Position.Position, w.Format.Instruments(), w.Now)
		lasts := w.Now.Sub(from)
		if !ok || lasts < time.Second || lasts < longest+longest/4 { // else it is nearly the same as that before
			continue
		}
		longest = lasts
		fact := draw.Fact{Name: "PnL in " + format.Span(lasts), Value: w.words(&change)}
		if lasts >= period-time.Second && lasts < period+period/10 {
			fact.Name = "PnL in " + format.Duration(period)
		} else {
			fact.Value += ", since " + w.Format.ShortClockOn(from, w.Now)
		}
		facts = append(facts, fact)
	}
	return facts
}

// words are a change and its parts: "-557.51 = ≈ price -410.20, ≈ trading -147.31".
func (w why) words(of *analysis.Change) string {
	decimals := w.decimals(model.UnrealisedPnl)
	change := of.Known(decimals, format.EveryDigit)
	write := func(a model.Amount) string { return w.exactChange(a, model.UnrealisedPnl) }
	total := change.Total()
	value := write(total.Amount(decimals))
	if total.IsZero() && change.Price.IsZero() && change.Trading.IsZero() && change.Loss.IsZero() && change.Other.IsZero() {
		return value
	}
	parts := format.PnLParts(&change, decimals, format.EveryDigit, write)
	if parts == "" {
		return value + ", unexplained"
	}
	value += " = " + strings.ReplaceAll(parts, " (funding, fees…)", "")
	if offsets := format.PnLOffsets(&change, decimals); offsets != "" && change.IsUnsplit {
		value += "; " + offsets
	}
	return value
}

// line is a line of the PnL in the last hour, and below it where something was bought or sold.
func (w why) line(width int) []draw.Fact {
	line, from := &w.recent.Line, w.Now.Add(-analysis.Periods[len(analysis.Periods)-1])
	if start := line.Start(); start.After(from) {
		from = start
	}
	lasts := w.Now.Sub(from)
	cells := min(width-factCells-lineMargin, maxSparkline, int(lasts/time.Second))
	if line.Start().IsZero() || cells < minSparkline {
		return nil
	}
	name := "PnL line, " + format.Span(lasts)
	facts := []draw.Fact{{Name: name, Value: draw.Sparkline(levelsOf(line.Columns(from, w.Now, cells),
		draw.SparklineLevels, line.Decimals))}}
	if marks := w.Trades.marks(from.Add(w.ServiceNow.Sub(w.Now)), lasts, cells); marks != "" {
		facts = append(facts, draw.Fact{Name: "▲ bought ▼ sold", Value: marks})
	}
	return facts
}

// lineMargin is the room beside the line.
const lineMargin = 4

// levelsOf returns the levels of columns, from 0 to levels-1, and model.NoLevel for a gap.
func levelsOf(columns []model.TrendColumn, levels, decimals int) []int {
	var amounts []model.Amount
	for i := range columns {
		if !columns[i].HasGap {
			amounts = append(amounts, columns[i].Last)
		}
	}
	axis, _ := model.NewAxis(amounts, finestSteps, decimals)
	result := make([]int, len(columns))
	for i := range columns {
		if result[i] = model.NoLevel; !columns[i].HasGap {
			result[i], _ = axis.Level(columns[i].Last, levels)
		}
	}
	return result
}

// finestSteps is how many steps an axis has that begins and ends close to its lowest and highest amount.
const finestSteps = 40

// marks are marks of the trades in a time from a time on, in as many cells as the line above has; empty if there are
// none.
func (l *tradeList) marks(from time.Time, lasts time.Duration, cells int) string {
	if l == nil {
		return ""
	}
	marks := make([]rune, cells)
	for i := range marks {
		marks[i] = '─'
	}
	has := false
	for _, t := range l.trades {
		at := t.at.Sub(from)
		if at < 0 || at > lasts {
			continue
		}
		cell := min(int(int64(at)*int64(cells)/int64(lasts)), cells-1)
		mark := '▲'
		if t.size.Sign() < 0 {
			mark = '▼'
		}
		if marks[cell] != '─' && marks[cell] != mark {
			mark = '●' // both
		}
		marks[cell], has = mark, true
	}
	if !has {
		return ""
	}
	return string(marks)
}
