package analysis

import (
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// shortestChart is the shortest time that a chart shows. After less time, a part at its right is empty.
const shortestChart = time.Minute

// chartLines draws a trend of the asset on lines of a width: the given number, and one for the times.
func (p *content) chartLines(of *model.Trend, width, height int) []string {
	from := of.Start()
	to := from.Add(max(p.now.Sub(from), shortestChart))
	lowest, _, hasLowest := of.Lowest()
	highest, _, _ := of.Highest()
	axis, hasAxis := model.NewAxis([]model.Amount{lowest, highest}, (height-1)/2, p.decimals())
	if !hasLowest || !hasAxis || width < 3 {
		return draw.Fit(nil, height+1)
	}
	chart := draw.Chart{Height: height}
	for _, amount := range axis.Ticks() {
		level, _ := axis.Level(amount, height)
		chart.Values = append(chart.Values, draw.Tick{At: level, Text: p.tickText(amount)})
	}
	columns := max(width-1-draw.LabelWidth(chart.Values), 1)
	for _, column := range of.Columns(from, to, columns) {
		level, ok := axis.Level(column.Last, height)
		if column.HasGap || !ok {
			level = model.NoLevel
		}
		chart.Levels = append(chart.Levels, level)
	}
	chart.Times = timeTicks(p.format.Local(from), p.format.Local(to), columns)
	lines := chart.Lines(p.styles.Dim, draw.Plain)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// decimals returns the decimals of the asset.
func (p *content) decimals() int { return p.format.Instruments().Asset(p.of.ID).Decimals }

// tickText formats a round number of the axis, without zeros at the end.
func (p *content) tickText(a model.Amount) string {
	number := format.Rounded(a, p.decimals(), max(p.decimals(), 0), true)
	if strings.Contains(number.Text, ".") {
		number.Text = strings.TrimRight(strings.TrimRight(number.Text, "0"), ".")
	}
	return number.Marked(format.RawMark)
}

// timeSteps are the steps between the times below a chart.
var timeSteps = []time.Duration{
	10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// timeTicks returns round times of day from one time to another in its zone, in the given number of columns, with room
// between them.
func timeTicks(from, to time.Time, columns int) []draw.Tick {
	period := to.Sub(from)
	for _, step := range timeSteps {
		layout := "15:04"
		if step < time.Minute {
			layout = "15:04:05"
		}
		const gap = 3
		if int64(columns)*int64(step) < int64(period)*int64(len(layout)+gap) && step != timeSteps[len(timeSteps)-1] {
			continue
		}
		_, offset := from.Zone()
		sinceMidnight := time.Duration((from.Unix()+int64(offset))%(24*60*60)) * time.Second
		at := from.Truncate(time.Second).Add((step - sinceMidnight%step) % step)
		var ticks []draw.Tick
		for ; at.Before(to); at = at.Add(step) {
			ticks = append(ticks, draw.Tick{At: int(int64(at.Sub(from)) * int64(columns) / int64(period)), Text: at.Format(layout)})
		}
		return ticks
	}
	return nil
}
