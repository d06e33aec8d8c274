// Package analysis is the page about the time since the program began: a chart of the total of an asset, the largest
// changes of PnL since the baseline, the exposure by market and by party, as a table and as a matrix, a grid of the
// PnL at other mark prices, and the PnL of each day.
package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// content is what the page shows at a time: what the trader chose, and the data of a store.
type content struct {
	chosen *Pane
	store  *store.Store
	format *format.Formatter
	styles *theme.Styles
	now    time.Time

	of     *history.Asset  // the totals of the asset that is shown; nil before the first complete snapshot
	survey *analysis.Asset // nil if there is none of the asset
	isPast bool            // rewind or a what if is shown
	read   time.Time       // when its positions were read
	heat   *heat           // of the cells that are being made; nil if they have none
	since  time.Time       // since when it has changes of PnL
}

// contentOf returns what the page shows now.
func (p *Pane) contentOf(c *pane.Context) *content {
	shown := &content{chosen: p, store: c.Store, format: c.Store.Format(), styles: c.Styles,
		now: c.Store.Now(), of: p.Asset(c), isPast: c.WhyNotLive != ""}
	if latest, of := c.Store.Surveys().Latest(); latest != nil && shown.of != nil {
		shown.survey, shown.read = latest.Asset(shown.of.ID), latest.At
		shown.since, _ = of.Book().Baselines().Current().At()
	}
	return shown
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
	GridSection
	DaysSection
	sections
)

// sectionNames are the names of the sections, for Pane.ShowSection.
var sectionNames = [sections]string{"session", "exposure", "matrix", "grid", "days"}

// title returns the title of the page for a width: when the session began and the time of the baseline, or what the
// exposure or the matrix shows.
func (p *content) title(width int) string {
	if p.chosen.Section != SessionSection && p.of != nil {
		notional := " · ≈ notional"
		switch {
		case p.chosen.Section == MatrixSection:
			return p.matrixTitle(width)
		case p.chosen.Section == GridSection:
			return p.gridTitle(width)
		case p.chosen.Section == DaysSection:
			return "PnL by day · " + p.format.Asset(p.of.ID)
		case width < twoSessionColumnsFrom: // the headings of the columns say it too
			notional = ""
		}
		return "exposure by " + p.chosen.by.among(p.store.Instruments().Groups()).String() + notional + " · " + p.format.Asset(p.of.ID)
	}
	began, hasBegun := p.store.Baseline().SessionBegan()
	if !hasBegun {
		return "session"
	}
	title := "session · since " + p.format.ShortClockOn(began, p.now) + ", " + format.Span(model.Elapsed(p.now, began))
	if book := p.store.Book(); book.Baselines().HasTaken() {
		at, _ := book.Baselines().Current().At()
		title += " · baseline " + p.format.ShortClockOn(at, p.now)
	}
	return title
}

// headings returns how many lines of headings the exposure or the matrix has; 0 if there is neither.
func (p *content) headings() int {
	isNoTable := p.chosen.Section == SessionSection || p.chosen.Section == DaysSection || p.chosen.Section == GridSection && p.isPast
	if isNoTable || p.survey == nil || len(p.survey.Parties) == 0 {
		return 0
	}
	return 1
}

// lines are those of the section that is shown, for a page of a size.
func (p *content) lines(width, height int) []string {
	if p.headings() == 0 { // no cell of a matrix is under the cursor
		p.chosen.matrix.parties, p.chosen.matrix.markets = nil, nil
	}
	if p.of == nil {
		return []string{"", draw.Centred(width, draw.Plain, p.noTotals())}
	}
	var lines []string
	switch {
	case p.isPast && p.chosen.Section == GridSection:
		return []string{"", draw.Centred(width, draw.Plain, "The grid is of now: not in rewind, and not in what if.")}
	case p.chosen.Section == SessionSection:
		lines = p.sessionLines(width, height)
	case p.chosen.Section == DaysSection:
		lines = p.dayLines(width)
	case p.survey == nil:
		return []string{"", draw.Text(width, draw.Plain, p.noSurvey())}
	case len(p.survey.Parties) == 0:
		lines = []string{"", draw.Centred(width, draw.Plain, p.noExposure())}
	case p.chosen.Section == ExposureSection:
		lines = append(p.exposureTable(width), p.leftOutLines(width, true)...)
		if p.chosen.by.among(p.store.Instruments().Groups()) == byOwn {
			lines = append(lines, p.sharedLines(width)...)
		}
	case p.chosen.Section == GridSection:
		lines = append(p.gridTable(width), p.gridNotes(width)...)
	default:
		lines = append(p.matrixLines(width), p.leftOutLines(width, p.chosen.matrix.number == matrixNotional)...)
	}
	if p.store.Stale().Any() {
		return p.styles.Dimmed(lines, width)
	}
	return lines
}

// noTotals returns why there are no totals.
func (p *content) noTotals() string {
	isKnown := func(total *view.Total) bool { return !total.Asset.IsZero() }
	if totals := p.store.View().Totals(); len(totals) > 0 && !slices.ContainsFunc(totals, isKnown) {
		return "No totals: the assets of the positions are not known."
	}
	return "No totals yet: they begin with the first complete snapshot."
}

// sessionLines are the chart, and below it the lists.
func (p *content) sessionLines(width, height int) []string {
	lines := append(p.changeLines(width, max(height/8, 1)), p.todayLine(width)...)
	chart := max(min(height/2-3-len(lines), 24), 5)
	of := &p.of.Totals[p.chosen.Series]
	lines = append(lines, p.seriesLine(of, width))
	lines = append(lines, p.chartLines(of, width, chart)...)
	lines = append(lines, "")
	if p.survey == nil {
		return append(lines, draw.Text(width, draw.Plain, p.noSurvey()))
	}
	if p.survey.Moved > 0 || p.survey.Change.LeftOut > 0 {
		lines = append(lines, p.whyLines(width)...)
	}
	return append(lines, p.surveyLines(width, height-len(lines))...)
}

// changeLines are the PnL of the session, on the given number of lines: that of each asset, or how many assets have
// none.
func (p *content) changeLines(width, height int) []string {
	var lines []string
	assets := p.store.Moves().Assets()
	for i, of := range assets[:min(len(assets), height)] {
		write := func(series history.Series) string {
			return p.format.RoundedAmount(of.Change(series, p.format.Decimals(of.ID)), of.ID, true)
		}
		both := of.Change(history.Both, p.format.Decimals(of.ID))
		l := draw.NewLine(width).Space(1).Put(p.styles.Strong, p.format.Asset(of.ID)).Put(draw.Plain,
			" since "+p.format.ShortClockOn(of.Since, p.now)).Space(2)
		l.PutNumber(p.styles.Profit(both.Sign()), write(history.Both))
		var below []string
		if of.LeftOut > 0 {
			below = putNote(l, width, fmt.Sprintf(", %d left out", of.LeftOut))
		}
		realised, unrealised := write(history.Realised), write(history.Unrealised)
		l.PutWhole(draw.Plain, " (realised "+realised+", unrealised "+unrealised+")", " (rPnL "+realised+", uPnL "+unrealised+")")
		if more := len(assets) - height; more > 0 && i == height-1 {
			l.PutWhole(p.styles.Dim, "  +"+format.Counted(more, "asset"))
		}
		lines = append(append(lines, l.String()), below...)
	}
	return lines
}

// putNote puts what a sum leaves out after it, and returns nothing; if no text of the note has room there, it returns
// the line below.
func putNote(l *draw.Line, width int, notes ...string) (below []string) {
	if draw.FirstThatFits(l.Left(), notes...) != "" {
		l.PutWhole(draw.Plain, notes...)
		return nil
	}
	shortest := strings.TrimPrefix(notes[len(notes)-1], ", ")
	return []string{draw.Text(width, draw.Plain, "   "+shortest)}
}

// amount writes an amount of the asset.
func (p *content) amount(a model.Amount) string { return p.format.RoundedAmount(a, p.of.ID, true) }

// whyLines say how much the PnL of all positions has changed since the baseline, and by what.
func (p *content) whyLines(width int) []string {
	decimals, places := p.format.Decimals(p.of.ID), p.format.Places(p.of.ID)
	change := p.survey.Change.Known(decimals, places)
	sum := change.Total()
	total := sum.Amount(decimals)
	l := draw.NewLine(width).Space(1).Put(p.styles.Strong, "ΔPnL").Put(draw.Plain, " since "+p.format.ShortClockOn(p.since, p.now)).Space(2)
	l.PutNumber(p.styles.Profit(total.Sign()), p.amount(total))
	parts := format.PnLParts(&change, decimals, places, p.amount)
	words := []string{" = " + parts, " = " + strings.ReplaceAll(parts, " socialised", "")}
	if n := format.Counted(p.survey.UnsplitRows, "position"); parts == "" {
		words = []string{", unexplained: size or rPnL of " + n + " changed", ", unexplained"}
	} else if change.IsUnsplit {
		words = slices.Insert(words, 0, " = "+parts+" of "+n)
	}
	var below []string
	room := l.Left()
	if change.LeftOut > 0 {
		long, short := format.PnLLeftOut(&change), ", without "+format.Counted(change.LeftOut, "position")
		below = putNote(l, width, words[0]+long, words[len(words)-1]+short, short)
	} else {
		l.PutWhole(draw.Plain, words...)
	}
	if offsets := format.PnLOffsets(&change, decimals); offsets != "" && draw.FirstThatFits(room, words...) != "" {
		for _, line := range draw.WrapWords(offsets, max(width-4, 1)) {
			below = append(below, draw.Text(width, p.styles.Dim, "   "+line))
		}
	}
	return append([]string{l.String()}, below...)
}

// noSurvey returns why there are no lists.
func (p *content) noSurvey() string {
	latest, _ := p.store.Surveys().Latest()
	isOfAsset := func(total *view.Total) bool { return total.Asset == p.of.ID }
	switch {
	case latest == nil:
		return " Reading all positions."
	case slices.ContainsFunc(p.store.View().Totals(), isOfAsset):
		return " Moves and exposure are listed only for the assets with the most positions."
	}
	return " No position is in " + p.format.Asset(p.of.ID) + " now."
}

// chartLines draws a trend of the asset on lines of a width: the given number, and one for the times.
func (p *content) chartLines(of *model.Trend, width, height int) []string {
	chart, ok := p.format.Chart(of, p.now, p.decimals(), width-1, height)
	if !ok {
		return draw.Fit(nil, height+1)
	}
	lines := chart.Lines(p.styles.Dim, p.styles.Profit(+1), p.styles.Profit(-1))
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// decimals returns the decimals of the asset.
func (p *content) decimals() int { return p.format.Instruments().Asset(p.of.ID).Decimals }

// seriesLine returns what the chart shows: the total, and the lowest and highest since the session began.
func (p *content) seriesLine(of *model.Trend, width int) string {
	series, now := p.chosen.Series, p.of.Now[p.chosen.Series]
	asset, number := p.format.Asset(p.of.ID)+" ", p.amount(now)
	title := cmp.Or(draw.FirstThatFits(width-draw.Width(number)-3, asset+series.String()), asset+series.Short())
	l := draw.NewLine(width).Space(1).Put(p.styles.Strong, title).Space(2).PutNumber(p.styles.Profit(now.Sign()), number)
	put := func(name string, a model.Amount, at time.Time, ok bool) {
		if ok {
			l.PutWhole(p.styles.Dim, "  "+name+" "+p.amount(a)+" at "+p.format.ShortClockOn(at, p.now))
		}
	}
	lowest, lowestAt, ok := of.Lowest()
	put("lowest", lowest, lowestAt, ok)
	highest, highestAt, ok := of.Highest()
	put("highest", highest, highestAt, ok)
	if assets := p.store.Moves().Assets(); len(assets) > 1 {
		note := fmt.Sprintf("asset %d of %d", p.chosen.place(assets)+1, len(assets))
		if draw.Width(note)+2 < l.Left() {
			l.To(width-draw.Width(note)-1).Put(p.styles.Dim, note)
		}
	}
	return l.String()
}
