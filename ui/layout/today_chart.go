package layout

import (
	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/store"
)

// The chart of the PnL of today is in lines that the table of positions leaves empty. With its title and its times it
// has at least the first number of lines, and at most the second.
const (
	minTodayChart = 6
	maxTodayChart = 15
)

// todayChartHeight returns how many lines the chart has of those that the table leaves empty.
func todayChartHeight(empty int) int {
	if empty <= minTodayChart {
		return 0
	}
	return min(empty-1, maxTodayChart)
}

// HasToday reports whether there is a chart of the PnL of today: that of the first asset of the headline, if it has
// changed.
func HasToday(s *store.Store) bool {
	totals := knownAssets(s.View().Totals())
	if len(totals) == 0 {
		return false
	}
	trend := store.TodayTrend(s, totals[0].Asset)
	if trend == nil {
		return false
	}
	lowest, _, _ := trend.Lowest()
	highest, _, _ := trend.Highest()
	return trend.Compare(lowest, highest) != 0
}

// TodayChart draws the chart on the given number of lines.
func (f *Bars) TodayChart(width, lines int) []string {
	totals, write := knownAssets(f.Store.View().Totals()), f.Store.Format()
	asset := totals[0].Asset
	today, _ := store.TodayOf(f.Store, asset)
	since := "since the day began"
	if !today.IsWhole && !today.Since.IsZero() {
		since = "since " + write.ShortClockOn(today.Since, f.Store.Now())
	}
	title := "PnL " + since + " · " + write.Asset(asset)
	if f.Store.View().Filter.Text != "" {
		title += " · filter"
	}
	amount := func(a model.Amount) string { return write.RoundedAmount(a, asset, true) }
	trend := store.TodayTrend(f.Store, asset)
	lowest, _, _ := trend.Lowest()
	highest, _, _ := trend.Highest()
	drawn := []string{draw.Rule(width, f.Styles.Dim, f.Styles.Dim, title, amount(lowest)+" … "+amount(highest))}
	if chart, ok := write.Chart(trend, f.Store.Now(), write.Decimals(asset), width-1, lines-2); ok {
		for _, line := range chart.Lines(f.Styles.Dim, f.Styles.Profit(+1), f.Styles.Profit(-1)) {
			drawn = append(drawn, " "+line)
		}
	}
	if f.Store.Stale().Any() {
		drawn = f.Styles.Dimmed(drawn, width)
	}
	return draw.Fit(drawn, lines)
}
