package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// Session is the page about the time since the program began.
type Session struct {
	ofAsset
	Series history.Series // the total that its chart shows
}

// SessionActions are the keys of the session besides those of all pages of text, and AssetActions.
func SessionActions() []keys.Action[*Session] {
	turn := func(step int) func(*Session, *pane.Context) []pane.Effect {
		return func(p *Session, _ *pane.Context) []pane.Effect {
			p.Series = p.Series.Step(step)
			p.First()
			return nil
		}
	}
	return []keys.Action[*Session]{
		{Name: "next_series", Keys: []string{"right"}, Help: "next total", Hint: "next total", Priority: 2, Do: turn(+1), WhyNot: whyNoTotal},
		{Name: "previous_series", Keys: []string{"left"}, Help: "total before", Do: turn(-1), WhyNot: whyNoTotal},
	}
}

func whyNoTotal(_ *Session, c *pane.Context) string {
	return keys.ReasonIf(len(c.Store.Moves().Assets()) == 0, "there are no totals yet")
}

// sessionTitle returns when the session began, and the time of the baseline.
func sessionTitle(p *content) string {
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

// sessionLines are the chart, and below it the lists.
func (p *content) sessionLines(series history.Series, width, height int) []string {
	lines := append(p.changeLines(width, max(height/8, 1)), p.todayLine(width)...)
	chart := max(min(height/2-3-len(lines), 24), 5)
	of := &p.of.Totals[series]
	lines = append(lines, p.seriesLine(series, width))
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
			return profitOf(p, series, of.Change(series, p.format.Decimals(of.ID)), of.ID)
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

// profitOf formats a total of an asset: ? if it is not known at other mark prices.
func profitOf(p *content, series history.Series, a model.Amount, asset model.ID) string {
	if series == history.Realised {
		return p.format.RoundedAmount(a, asset, true)
	}
	return cmp.Or(p.store.Surveys().Profit(p.store.Format(), a, asset), "?")
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

// seriesLine returns what the chart shows: the total, and the lowest and highest since the session began.
func (p *content) seriesLine(series history.Series, width int) string {
	of, now := &p.of.Totals[series], p.of.Now[series]
	asset, number := p.format.Asset(p.of.ID)+" ", profitOf(p, series, now, p.of.ID)
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
		note := fmt.Sprintf("asset %d of %d", slices.Index(assets, p.of)+1, len(assets))
		if draw.Width(note)+2 < l.Left() {
			l.To(width-draw.Width(note)-1).Put(p.styles.Dim, note)
		}
	}
	return l.String()
}
