package format

import (
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
)

// shortestChart is the shortest time that a chart shows. After less time, a part at its right is empty.
const shortestChart = time.Minute

// Chart returns a chart of a trend of amounts, which have these decimals, from its start to now: in a width, of the
// given number of lines, and one for the times. It returns false if there is no amount or no room.
func (f *Formatter) Chart(of *model.Trend, now time.Time, decimals, width, height int) (draw.Chart, bool) {
	from := of.Start()
	to := from.Add(max(now.Sub(from), shortestChart))
	lowest, _, hasLowest := of.Lowest()
	highest, _, _ := of.Highest()
	axis, hasAxis := model.NewAxis([]model.Amount{lowest, highest, {}}, (height-1)/2, decimals)
	if !hasLowest || !hasAxis {
		return draw.Chart{}, false
	}
	chart := draw.Chart{Height: height}
	chart.Zero, _ = axis.Level(model.Amount{}, height)
	for _, amount := range axis.Ticks() {
		level, _ := axis.Level(amount, height)
		chart.Values = append(chart.Values, draw.Tick{At: level, Text: tickText(amount, decimals)})
	}
	columns := width - draw.LabelWidth(chart.Values)
	if columns < 1 { // the amounts are long
		return draw.Chart{}, false
	}
	for _, column := range of.Columns(from, to, columns) {
		halves, ok := axis.Bar(column.Last, height)
		chart.Columns = append(chart.Columns, draw.ChartColumn{Halves: halves, HasGap: column.HasGap || !ok})
	}
	chart.Times = timeTicks(f.Local(from), f.Local(to), columns)
	return chart, true
}

// tickText formats a round number of the axis, without zeros at the end.
func tickText(a model.Amount, decimals int) string {
	number := Rounded(a, decimals, max(decimals, 0), true)
	if strings.Contains(number.Text, ".") {
		number.Text = strings.TrimRight(strings.TrimRight(number.Text, "0"), ".")
	}
	return number.Marked(RawMark)
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
