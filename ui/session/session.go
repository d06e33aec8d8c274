// Package session draws the page about the time since the program began: a chart of the total of an asset, the largest
// changes of PnL since the baseline, and the exposure by market and by party. It only draws what it is given: totals of
// package history and a survey of all positions, with packages format, draw and theme.
package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"blotter/model"
	"blotter/model/survey"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/theme"
	"blotter/ui/wording"
)

// Page is what the page shows.
type Page struct {
	Now      time.Time
	Began    time.Time // the time of the first positions, or zero if there were none
	Baseline time.Time // when the trader took a baseline, or zero if there is none

	Assets []*history.Asset // the totals of each asset; none before the first complete snapshot
	Place  int              // of the asset that is shown
	Series history.Series   // which of its totals

	Survey     *survey.Survey // of the positions that are watched now; nil while it is made
	MovesSince time.Time      // since when it has changes of PnL
	Totals     []*view.Total  // of the positions that are watched now
	IsStale    bool           // a position may be out of date

	Section Section
	ByParty bool // the exposure is by party, not by market
	Matrix  *Matrix
	Find    func(model.Key) (model.Position, bool) // the position with a key, and false if there is none

	Format *format.Formatter
	Styles *theme.Styles
}

// The widths of screen from which the session page has two and three columns below the chart.
const (
	twoSessionColumnsFrom   = 60
	threeSessionColumnsFrom = 150
	leastSessionRows        = 3  // of each list
	minGapHeight            = 10 // from which there is a free line between two lists
)

// Section is one of the pages about all positions.
type Section int

// The sections, in their order.
const (
	SessionSection Section = iota
	ExposureSection
	MatrixSection
	sections
)

// Title returns the begin of the session and the time of the baseline, or what the exposure or the matrix shows, for a
// page of a width.
func (p *Page) Title(width int) string {
	if p.Section != SessionSection && len(p.Assets) > 0 {
		asset := " · " + p.Format.Asset(p.Assets[p.Place].ID)
		switch {
		case p.Section == MatrixSection:
			return p.matrixTitle(width)
		case p.ByParty:
			return "exposure by party · ≈ notional" + asset
		}
		return "exposure by market · ≈ notional" + asset
	}
	if p.Began.IsZero() {
		return "session"
	}
	title := "session · since " + p.Format.ShortClockOn(p.Began, p.Now) + ", " + longAge(p.Now.Sub(p.Began))
	if !p.Baseline.IsZero() {
		title += " · baseline " + p.Format.ShortClockOn(p.Baseline, p.Now)
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

// Lines are the chart, and below it the lists, for a page of a size.
func (p *Page) Lines(width, height int) []string {
	if len(p.Assets) == 0 {
		return []string{"", draw.Centred(width, draw.Plain, "No totals yet: they begin with the first complete snapshot.")}
	}
	of := p.Assets[p.Place]
	if p.Section != SessionSection {
		return p.sectionLines(of.ID, width)
	}
	lines := p.changeLines(width, max(height/8, 1))
	chart := max(min(height/2-3-len(lines), 24), 5)
	lines = append(lines, p.seriesLines(&of.Totals[p.Series], of.ID, width)...)
	lines = append(lines, p.chartLines(&of.Totals[p.Series], of.ID, width, chart)...)
	lines = append(lines, "")
	if s, reason := p.surveyOf(of.ID); s == nil {
		lines = append(lines, draw.Text(width, draw.Plain, reason))
	} else {
		if s.Moved > 0 {
			lines = append(lines, p.whyLine(s, width))
		}
		lines = append(lines, p.surveyLines(s, width, height-len(lines))...)
	}
	if p.IsStale {
		return p.Styles.Dimmed(lines, width)
	}
	return lines
}

// surveyOf returns the survey of an asset, or why there is none.
func (p *Page) surveyOf(asset model.ID) (of *survey.Asset, reason string) {
	if p.Survey == nil {
		return nil, " Reading all positions."
	}
	if i := slices.IndexFunc(p.Survey.Assets, func(a survey.Asset) bool { return a.Asset == asset }); i >= 0 {
		return &p.Survey.Assets[i], ""
	}
	return nil, p.noSurvey(asset)
}

// sectionLines are the exposure or the matrix of an asset.
func (p *Page) sectionLines(asset model.ID, width int) []string {
	s, reason := p.surveyOf(asset)
	if s == nil {
		return []string{"", draw.Text(width, draw.Plain, reason)}
	}
	lines := p.exposurePage(s, width)
	if p.Section == MatrixSection {
		lines = p.matrixLines(s, width)
	}
	if p.IsStale {
		return p.Styles.Dimmed(lines, width)
	}
	return lines
}

// changeLines are the PnL of the session, on so many lines: that of each asset, or how many have none.
func (p *Page) changeLines(width, height int) []string {
	var lines []string
	for i, of := range p.Assets[:min(len(p.Assets), height)] {
		write := func(series history.Series) string { return p.Format.RoundedAmount(of.Change(series), of.ID, true) }
		both := of.Change(history.Both)
		l := draw.NewLine(width).Space(1).Put(p.Styles.Strong, p.Format.Asset(of.ID)).Put(draw.Plain, " since "+p.Format.ShortClockOn(of.Since, p.Now)).Space(2)
		l.PutNumber(p.Styles.Profit(both.Sign()), write(history.Both))
		realised, unrealised := write(history.Realised), write(history.Unrealised)
		for _, parts := range []string{" (realised " + realised + ", unrealised " + unrealised + ")", " (rPnL " + realised + ", uPnL " + unrealised + ")"} {
			if draw.Width(parts) <= l.Left() {
				l.Put(draw.Plain, parts)
				break
			}
		}
		if more := len(p.Assets) - height; more > 0 && i == height-1 {
			if words := "  +" + wording.Counted(more, "asset"); draw.Width(words) <= l.Left() {
				l.Put(p.Styles.Dim, words)
			}
		}
		lines = append(lines, l.String())
	}
	return lines
}

// whyLine says how much the PnL of all positions has changed since the baseline, and by what.
func (p *Page) whyLine(s *survey.Asset, width int) string {
	amount := func(a model.Amount) string { return p.Format.RoundedAmount(a, s.Asset, true) }
	sum := s.Change.Total()
	total := sum.Amount()
	l := draw.NewLine(width).Space(1).Put(p.Styles.Strong, "ΔPnL").Put(draw.Plain, " since "+p.Format.ShortClockOn(p.MovesSince, p.Now)).Space(2)
	l.PutNumber(p.Styles.Profit(total.Sign()), amount(total))
	parts := wording.PnLParts(&s.Change, amount)
	words := []string{" = " + parts, " = " + strings.ReplaceAll(parts, " socialised", "")}
	if n := wording.Counted(s.UnsplitRows, "position"); parts == "" {
		words = []string{", not split: size or rPnL of " + n + " changed", ", not split"}
	} else if s.Change.IsUnsplit {
		words = slices.Insert(words, 0, " = "+parts+" of "+n)
	}
	for _, each := range words {
		if draw.Width(each) <= l.Left() {
			return l.Put(draw.Plain, each).String()
		}
	}
	return l.String()
}

// noSurvey returns why an asset with a history has no lists.
func (p *Page) noSurvey(asset model.ID) string {
	if slices.ContainsFunc(p.Totals, func(total *view.Total) bool { return total.Asset == asset }) {
		return " Moves and exposure are only listed for the assets of the most positions."
	}
	return " No position is in " + p.Format.Asset(asset) + " now."
}

// seriesLines returns what the chart shows: the total, and the lowest and highest since the session began.
func (p *Page) seriesLines(of *model.Trend, asset model.ID, width int) []string {
	l := draw.NewLine(width).Space(1).Put(p.Styles.Strong, p.Format.Asset(asset)+" "+p.Series.String())
	amount := func(a model.Amount) string { return p.Format.RoundedAmount(a, asset, true) }
	if last, ok := of.Last(); ok {
		l.Space(2).PutNumber(p.Styles.Profit(last.Sign()), amount(last))
	}
	put := func(name string, a model.Amount, at time.Time, ok bool) {
		words := "  " + name + " " + amount(a) + " at " + p.Format.ShortClockOn(at, p.Now)
		if ok && draw.Width(words) <= l.Left() {
			l.Put(p.Styles.Dim, words)
		}
	}
	lowest, lowestAt, ok := of.Lowest()
	put("lowest", lowest, lowestAt, ok)
	highest, highestAt, ok := of.Highest()
	put("highest", highest, highestAt, ok)
	if n := len(p.Assets); n > 1 {
		note := fmt.Sprintf("asset %d of %d", p.Place+1, n)
		if draw.Width(note)+2 < l.Left() {
			l.To(width-draw.Width(note)-1).Put(p.Styles.Dim, note)
		}
	}
	return []string{l.String()}
}

// surveyLines are the lists of moves and exposures, beside each other if there is room.
func (p *Page) surveyLines(s *survey.Asset, width, height int) []string {
	switch {
	case width < twoSessionColumnsFrom:
		rows := max((height-3)/3, leastSessionRows)
		lines := append(p.moveLines(s, width, rows), p.exposureLines("market", s.Markets, s, width, rows)...)
		return append(lines, p.exposureLines("party", s.Parties, s, width, rows)...)
	case width < threeSessionColumnsFrom:
		gap := 0
		if height > minGapHeight {
			gap = 1
		}
		rows := max((height-gap-2)/2, leastSessionRows)
		left := (width - columnGap) / 2
		right := p.exposureLines("market", s.Markets, s, width-left-columnGap, rows)
		right = append(right, make([]string, gap)...)
		right = append(right, p.exposureLines("party", s.Parties, s, width-left-columnGap, rows)...)
		return columns(left, p.moveLines(s, left, max(height-1, 2*leastSessionRows+1)), right)
	}
	rows := max(height-1, leastSessionRows)
	third := (width - 2*columnGap) / 3
	return columns(third, p.moveLines(s, third, rows), p.exposureLines("market", s.Markets, s, third, rows),
		p.exposureLines("party", s.Parties, s, width-2*(third+columnGap), rows))
}

// columnGap is the space between the columns of the page.
const columnGap = 3

// columns puts lists beside each other. All but the last have a width.
func columns(width int, lists ...[]string) []string {
	var blocks []string
	for _, list := range lists[:len(lists)-1] {
		blocks = append(blocks, lipgloss.NewStyle().Width(width+columnGap).Render(strings.Join(list, "\n")))
	}
	blocks = append(blocks, strings.Join(lists[len(lists)-1], "\n"))
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, blocks...), "\n")
}

// moveLines list the largest moves, on so many lines below their title.
func (p *Page) moveLines(s *survey.Asset, width, rows int) []string {
	lines := []string{draw.Text(width, p.Styles.Dim, " largest moves of PnL since "+p.Format.ShortClockOn(p.MovesSince, p.Now))}
	if len(s.Moves) == 0 {
		return append(lines, draw.Text(width, draw.Plain, " Nothing has moved."))
	}
	var bars []draw.Bar
	for _, move := range s.Moves[:min(len(s.Moves), rowsWithMore(rows, s.Moved))] {
		value := p.Format.RoundedAmount(move.Change, s.Asset, true)
		if move.IsNew {
			value = "new " + value
		}
		bars = append(bars, draw.Bar{
			Name: p.Format.Position(move.Key), Value: value, Style: p.Styles.Profit(move.Change.Sign()),
		})
	}
	return p.withMore(append(lines, draw.Bars(width, bars)...), s.Moved-len(bars), width)
}

// exposureLines list the largest exposures, on so many lines below their title.
func (p *Page) exposureLines(by string, exposures []survey.Exposure, s *survey.Asset, width, rows int) []string {
	lines := []string{draw.Text(width, p.Styles.Dim, " by "+by+", ≈ notional: ▇ gross, net")}
	if len(exposures) == 0 {
		words := " No open position."
		if s.LeftOut > 0 {
			words = " Not estimated: decimals are not known."
		}
		return append(lines, draw.Text(width, draw.Plain, words))
	}
	name := p.Format.Market
	if by == "party" {
		name = p.Format.Party
	}
	var bars []draw.Bar
	for _, e := range exposures[:min(len(exposures), rowsWithMore(rows, len(exposures)))] {
		bars = append(bars, draw.Bar{
			Name: name(e.ID), Value: p.Format.RoundedAmount(e.Net, s.Asset, true),
			Length: model.Share(e.Gross, exposures[0].Gross, draw.BarLength), Style: p.Styles.Quiet,
		})
	}
	lines = append(lines, draw.Bars(width, bars)...)
	if s.LeftOut > 0 && len(bars) == len(exposures) && len(lines) <= rows {
		lines = append(lines, draw.Text(width, p.Styles.Dim, " without "+wording.Counted(s.LeftOut, "position")+" of unknown decimals"))
	}
	return p.withMore(lines, len(exposures)-len(bars), width)
}

// rowsWithMore returns how many of so many elements are listed on some lines: if there are more, the last line
// has the number of the others.
func rowsWithMore(rows, elements int) int {
	if elements > rows {
		return rows - 1
	}
	return rows
}

// withMore adds how many elements are not listed.
func (p *Page) withMore(lines []string, more, width int) []string {
	if more <= 0 {
		return lines
	}
	return slices.Concat(lines, []string{draw.Text(width, p.Styles.Dim, " and "+format.Grouped(more)+" more")})
}
