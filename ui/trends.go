package ui

import (
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// trends are how the numbers of some positions have moved since the program began: of those that were selected, and of
// those at the top of the table while it is sorted by trouble, margin ratio or unrealised PnL.
type trends struct{ rows map[model.Key]*rowTrends }

// rowTrends are the trends of one position.
type rowTrends struct {
	profit   model.Trend // the unrealised PnL
	ratio    model.Trend // the margin ratio, in thousandths
	wantedAt time.Time   // when the position was last selected or at the top
}

// The bounds of trends: how many rows of the table count as its top, and for how many positions trends are kept.
const (
	topRows   = 50
	maxTrends = 150
)

// want keeps the trends of a position, and drops those that were not needed for longest.
func (t *trends) want(key model.Key, now time.Time) {
	if t.rows == nil {
		t.rows = make(map[model.Key]*rowTrends)
	}
	if t.rows[key] == nil {
		if len(t.rows) >= maxTrends {
			t.dropOldest()
		}
		t.rows[key] = new(rowTrends)
	}
	t.rows[key].wantedAt = now
}

func (t *trends) dropOldest() {
	var oldest model.Key
	var at time.Time
	for key, row := range t.rows {
		if at.IsZero() || row.wantedAt.Before(at) {
			oldest, at = key, row.wantedAt
		}
	}
	delete(t.rows, oldest)
}

// sampleTrends adds what the numbers are now. While rows are frozen or stale, what is on the screen is not what is
// true, so nothing is added: the trend has a gap.
func (m *Model) sampleTrends() {
	if m.incoming.frozen {
		return
	}
	now, v := m.now(), m.data.view
	switch v.Order.Column {
	case view.TroubleColumn, view.MarginRatioColumn, view.UnrealisedColumn:
		rows := 0
		for p := range v.Shown {
			if rows++; rows > topRows {
				break
			}
			m.trends.want(p.Key, now)
		}
	}
	if p := m.selected(); p != nil {
		m.trends.want(p.Key, now)
	}
	stale, book := m.stale(), v.Book()
	for key, row := range m.trends.rows {
		p, ok := book.Find(key)
		if !ok || stale.HasRow(book, key) {
			continue
		}
		row.profit.Add(now, p.Number(model.UnrealisedPnl))
		if ratio, ok := v.MarginRatio(&p); ok {
			row.ratio.Add(now, ratio.Permille())
		}
	}
}

// The widths of a sparkline.
const (
	minSparkline = 8
	maxSparkline = 60
)

// drawTrends draws the trends of a position as sparklines, with what the numbers are now. It is empty where there are
// no trends yet.
func (m *Model) drawTrends(p *model.Position, width int) string {
	row := m.trends.rows[p.Key]
	if row == nil {
		return ""
	}
	l := draw.NewLine(width)
	columns := min(max((width-56)/2, minSparkline), maxSparkline)
	if levels := row.profit.Levels(columns, draw.SparklineLevels); levels != nil {
		l.Space(1).Put(m.styles.Dim, "uPnL").Space(1).Put(draw.Plain, draw.Sparkline(levels)).Space(2)
		l.PutNumber(m.styles.Profit(p.Number(model.UnrealisedPnl).Sign()), m.format.Number(p, model.UnrealisedPnl).Marked(format.RawMark))
		if words := trendWords(&row.profit); draw.Width(words) <= l.Left() {
			l.Put(draw.Plain, words)
		}
	}
	ratio, ok := m.data.view.MarginRatio(p)
	levels, percent := row.ratio.Levels(columns, draw.SparklineLevels), ratio.String()
	const gap, name = 5, "M%"
	if ok && levels != nil && l.Left() >= gap+len(name)+1+len(levels)+2+len(percent) {
		l.Space(gap).Put(m.styles.Dim, name).Space(1).Put(draw.Plain, draw.Sparkline(levels)).Space(2).Put(m.styles.Profit(ratio.Sign()), percent)
	}
	return l.String()
}

// trendFacts are the trends of a position for the detail.
func (m *Model) trendFacts(p *model.Position, width int) []draw.Fact {
	row := m.trends.rows[p.Key]
	if row == nil {
		return nil
	}
	var facts []draw.Fact
	columns := min(max(width-factCells-20, minSparkline), maxSparkline)
	for _, trend := range []struct {
		name string
		of   *model.Trend
	}{{"uPnL trend", &row.profit}, {"M% trend", &row.ratio}} {
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
