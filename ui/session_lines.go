package ui

import (
	"fmt"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/survey"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// The widths of screen from which the session page has two and three columns below the chart.
const (
	twoSessionColumnsFrom   = 60
	threeSessionColumnsFrom = 150
	leastSessionRows        = 3  // of each list
	minGapHeight            = 10 // from which there is a free line between two lists
)

// sessionTitle returns the begin of the totals and the time of the baseline.
func (m *Model) sessionTitle() string {
	at, ok := m.data.book.FirstBaseline().At()
	if !ok {
		return "session"
	}
	title := "session · since " + m.format.ShortClockOn(at, m.now()) + ", " + longAge(m.now().Sub(at))
	if m.data.book.HasTakenBaseline() {
		taken, _ := m.data.book.Baseline().At()
		title += " · baseline " + m.format.ShortClockOn(taken, m.now())
	}
	return title
}

// longAge formats a duration in two units: 5h 2m.
func longAge(d time.Duration) string {
	if d = max(d, 0); d < time.Hour {
		return format.Age(d)
	}
	return fmt.Sprintf("%dh %dm", d/time.Hour, d%time.Hour/time.Minute)
}

// sessionLines are the chart, and below it the lists, for a page of a height.
func (m *Model) sessionLines(width, height int) []string {
	of, place := m.shownAsset()
	if of == nil {
		return []string{"", draw.Centred(width, draw.Plain, "No totals yet: they begin with the first complete snapshot.")}
	}
	chart := max(min(height/2-2, 24), 5)
	lines := m.seriesLines(&of.Totals[m.session.series], of.ID, place, width)
	lines = append(lines, m.chartLines(&of.Totals[m.session.series], of.ID, width, chart)...)
	lines = append(lines, "")
	if !m.session.isSurveyed(m.data.scope) {
		lines = append(lines, draw.Text(width, draw.Plain, " Reading all positions."))
	} else if survey, ok := m.session.surveyOfAsset(of.ID); ok {
		lines = append(lines, m.surveyLines(&survey, width, height-len(lines))...)
	} else {
		lines = append(lines, draw.Text(width, draw.Plain, m.noSurveyWords(of.ID)))
	}
	if m.totalsStyle() == m.styles.Stale {
		return m.styles.Dimmed(lines, width)
	}
	return lines
}

// noSurveyWords returns why an asset with a history has no lists: what is watched has changed since.
func (m *Model) noSurveyWords(asset model.ID) string {
	for _, total := range m.data.view.Totals() {
		if total.Asset == asset {
			return " Moves and exposure are only listed for the assets of the most positions."
		}
	}
	return " No position is in " + m.format.Asset(asset) + " now."
}

// seriesLines returns what the chart shows: the total, and the lowest and highest since the session began.
func (m *Model) seriesLines(of *model.Trend, asset model.ID, place, width int) []string {
	l := draw.NewLine(width).Space(1).Put(m.styles.Strong, m.format.Asset(asset)+" "+m.session.series.String())
	amount := func(a model.Amount) string { return m.format.RoundedAmount(a, asset, true) }
	if last, ok := of.Last(); ok {
		l.Space(2).PutNumber(m.styles.Profit(last.Sign()), amount(last))
	}
	put := func(name string, a model.Amount, at time.Time, ok bool) {
		words := "  " + name + " " + amount(a) + " at " + m.format.ShortClockOn(at, m.now())
		if ok && draw.Width(words) <= l.Left() {
			l.Put(m.styles.Dim, words)
		}
	}
	lowest, lowestAt, ok := of.Lowest()
	put("lowest", lowest, lowestAt, ok)
	highest, highestAt, ok := of.Highest()
	put("highest", highest, highestAt, ok)
	if n := len(m.sessionAssets()); n > 1 {
		note := fmt.Sprintf("asset %d of %d", place+1, n)
		if draw.Width(note)+2 < l.Left() {
			l.To(width-draw.Width(note)-1).Put(m.styles.Dim, note)
		}
	}
	return []string{l.String()}
}

// surveyLines are the lists of moves and exposures, beside each other where there is room.
func (m *Model) surveyLines(s *survey.Asset, width, height int) []string {
	switch {
	case width < twoSessionColumnsFrom:
		rows := max((height-3)/3, leastSessionRows)
		lines := append(m.moveLines(s, width, rows), m.exposureLines("market", s.Markets, s, width, rows)...)
		return append(lines, m.exposureLines("party", s.Parties, s, width, rows)...)
	case width < threeSessionColumnsFrom:
		gap := 0
		if height > minGapHeight {
			gap = 1
		}
		rows := max((height-gap-2)/2, leastSessionRows)
		left := (width - columnGap) / 2
		right := m.exposureLines("market", s.Markets, s, width-left-columnGap, rows)
		right = append(right, make([]string, gap)...)
		right = append(right, m.exposureLines("party", s.Parties, s, width-left-columnGap, rows)...)
		return beside(m.moveLines(s, left, max(height-1, 2*leastSessionRows+1)), right, left)
	}
	rows := max(height-1, leastSessionRows)
	third := (width - 2*columnGap) / 3
	lines := beside(m.moveLines(s, third, rows), m.exposureLines("market", s.Markets, s, third, rows), third)
	return beside(lines, m.exposureLines("party", s.Parties, s, width-2*(third+columnGap), rows), 2*third+columnGap)
}

// columnGap is the space between the columns of the page.
const columnGap = 3

// beside puts lines at the right of others, which have a width.
func beside(lefts, rights []string, width int) []string {
	n := max(len(lefts), len(rights))
	lefts, rights = draw.Fit(lefts, n), draw.Fit(rights, n)
	lines := make([]string, n)
	for i := range lines {
		lines[i] = lefts[i]
		if rights[i] != "" {
			lines[i] = draw.NewLine(width+columnGap).Put(draw.Plain, lefts[i]).To(width+columnGap).String() + rights[i]
		}
	}
	return lines
}

// moveLines list the largest moves, on so many lines below their title.
func (m *Model) moveLines(s *survey.Asset, width, rows int) []string {
	at, _ := m.session.surveyOf.Book().Baseline().At()
	lines := []string{draw.Text(width, m.styles.Dim, " largest moves of PnL since "+m.format.ShortClockOn(at, m.now()))}
	if len(s.Moves) == 0 {
		return append(lines, draw.Text(width, draw.Plain, " Nothing has moved."))
	}
	var bars []draw.Bar
	for _, move := range s.Moves[:min(len(s.Moves), rowsWithMore(rows, s.Moved))] {
		value := m.format.RoundedAmount(move.Change, s.Asset, true)
		if move.IsNew {
			value = "new " + value
		}
		bars = append(bars, draw.Bar{
			Name: m.format.Position(move.Key), Value: value, Style: m.styles.Profit(move.Change.Sign()),
		})
	}
	return m.withMore(append(lines, draw.Bars(width, bars)...), s.Moved-len(bars), "position", width)
}

// exposureLines list the largest exposures, on so many lines below their title.
func (m *Model) exposureLines(by string, exposures []survey.Exposure, s *survey.Asset, width, rows int) []string {
	lines := []string{draw.Text(width, m.styles.Dim, " by "+by+", ≈ notional: ▇ gross, net")}
	if len(exposures) == 0 {
		words := " No open position."
		if s.LeftOut > 0 {
			words = " Not estimated: decimals are not known."
		}
		return append(lines, draw.Text(width, draw.Plain, words))
	}
	name := m.format.Market
	if by == "party" {
		name = m.format.Party
	}
	var bars []draw.Bar
	for _, e := range exposures[:min(len(exposures), rowsWithMore(rows, len(exposures)))] {
		bars = append(bars, draw.Bar{
			Name: name(e.ID), Value: m.format.RoundedAmount(e.Net, s.Asset, true),
			Length: model.Share(e.Gross, exposures[0].Gross, draw.BarLength), Style: m.styles.Quiet,
		})
	}
	lines = append(lines, draw.Bars(width, bars)...)
	if s.LeftOut > 0 && len(bars) == len(exposures) && len(lines) <= rows {
		lines = append(lines, draw.Text(width, m.styles.Dim, " without "+model.Counted(s.LeftOut, "position")+" of unknown decimals"))
	}
	return m.withMore(lines, len(exposures)-len(bars), by, width)
}

// rowsWithMore returns how many of so many elements are listed on some lines: where there are more, the last line says
// so.
func rowsWithMore(rows, elements int) int {
	if elements > rows {
		return rows - 1
	}
	return rows
}

// withMore adds how many elements are not listed.
func (m *Model) withMore(lines []string, more int, what string, width int) []string {
	if more <= 0 {
		return lines
	}
	return slices.Concat(lines, []string{draw.Text(width, m.styles.Dim, " and "+format.Grouped(more)+" more")})
}
