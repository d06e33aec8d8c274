package layout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/pane"
)

// The headline is what a trader looks at first. It has lines of its own above the table of positions. On a screen that
// is too small for that, the one of the first asset is in the second line while there is no message: the total of all
// positions in scope, how it has moved, and the exposure.

// The size of a screen from which the headline has lines of its own, and the height from which it has more than one
// asset if it is as wide as its whole table.
const (
	headlineFromWidth  = 80
	headlineFromHeight = 24
	largeFrom          = 40
)

// hasHeadline reports whether the headline has lines of its own on a screen, if there is an asset.
func hasHeadline(screen pane.Size) bool {
	return screen.Width >= headlineFromWidth && screen.Height >= headlineFromHeight
}

// isLarge reports whether a screen has room for the headline of several assets and for the box of the selected row.
func isLarge(screen pane.Size) bool {
	return screen.Width >= columns.EstimatesFrom && screen.Height >= largeFrom
}

// HeadlineHeight returns how many lines of its own the headline has on a screen, with totals in the given number of
// known assets.
func HeadlineHeight(screen pane.Size, assets int) int {
	switch {
	case assets == 0 || !hasHeadline(screen):
		return 0
	case isLarge(screen):
		return 1 + min(assets, maxHeadlineAssets)
	}
	return 2
}

// shortHeadline draws the headline of the first asset on the second line; empty if there is none.
func (f *Bars) shortHeadline(width int) string {
	totals := knownAssets(f.Store.View().Totals())
	if len(totals) == 0 {
		return ""
	}
	drawn := f.headlineOf(totals[0], width)
	if f.Store.Stale().Any() {
		return f.Styles.Dimmed([]string{drawn}, width)[0]
	}
	return drawn
}

// knownAssets returns the totals without that of the positions whose asset is not known.
func knownAssets(totals []*view.Total) []*view.Total {
	return slices.DeleteFunc(slices.Clone(totals), func(t *view.Total) bool { return t.Asset.IsZero() })
}

// KnownAssets returns how many totals are of known assets.
func KnownAssets(totals []*view.Total) int { return len(knownAssets(totals)) }

// headlinePart is a part of a headline. If there is no room, those with the lowest keep are left out.
type headlinePart struct {
	texts      []styledText
	keep       int
	isSurveyed bool // it is as old as the survey
}

// keepFirst is the keep of the first part, which is never left out.
const keepFirst = 9

type styledText struct {
	style draw.Style
	text  string
}

// cellsOf returns how many cells texts take one after the other.
func cellsOf(texts []styledText) int {
	width := 0
	for _, each := range texts {
		width += draw.Width(each.text)
	}
	return width
}

// putWhole appends texts with numbers. If there is no room for all of them, # fills the room.
func putWhole(l *draw.Line, texts []styledText) {
	if room := l.Left(); cellsOf(texts) > room {
		texts = []styledText{{draw.Plain, strings.Repeat("#", room)}}
	}
	for _, each := range texts {
		l.Put(each.style, each.text)
	}
}

func (p *headlinePart) put(style draw.Style, text string) {
	p.texts = append(p.texts, styledText{style, text})
}

// headlineOf draws the headline of an asset. What there is no room for is left out whole.
func (f *Bars) headlineOf(total *view.Total, width int) string {
	parts, age := f.headlineParts(total)
	return f.drawParts(fittingParts(parts, age, width), age, width)
}

// fittingParts returns the parts that fit on a line with the age of those that are surveyed.
func fittingParts(parts []headlinePart, age string, width int) []headlinePart {
	fitting := slices.Clone(parts)
	for len(fitting) > 1 && cellsOfParts(fitting, age) > width {
		least := slices.MinFunc(fitting, func(a, b headlinePart) int { return cmp.Compare(a.keep, b.keep) })
		fitting = slices.DeleteFunc(fitting, func(p headlinePart) bool { return p.keep == least.keep })
	}
	return fitting
}

func cellsOfParts(parts []headlinePart, age string) int {
	cells, ofAge := 1, 0
	for i := range parts {
		cells += cellsOf(parts[i].texts) + gap
		if parts[i].isSurveyed {
			ofAge = draw.Width(age)
		}
	}
	return cells + ofAge
}

// drawParts draws parts on a line, then the age of those that are surveyed.
func (f *Bars) drawParts(parts []headlinePart, age string, width int) string {
	l, isSurveyed := draw.NewLine(width).Space(1), false
	for i := range parts {
		if i > 0 {
			l.Space(gap)
		}
		for _, each := range parts[i].texts {
			l.PutNumber(each.style, each.text)
		}
		isSurveyed = isSurveyed || parts[i].isSurveyed
	}
	if isSurveyed {
		l.Put(f.Styles.Dim, age)
	}
	return l.String()
}

// headlineParts returns the parts of a headline, and the words for the age of those that are surveyed.
func (f *Bars) headlineParts(total *view.Total) (parts []headlinePart, age string) {
	v, decimals := f.Store.View(), f.Store.Format().Decimals(total.Asset)
	latest, of := f.Store.Surveys().Latest()
	var survey *analysis.Asset
	if latest != nil {
		survey = latest.Asset(total.Asset)
		age = ", " + format.Age(max(model.Elapsed(f.Store.Now(), f.oldest(latest.At)), 0)) + " ago"
	}
	first := headlinePart{keep: keepFirst}
	first.put(draw.Plain, f.Store.Format().Asset(total.Asset))
	isFiltered := v.Filter.Text != ""
	if isFiltered && survey != nil && of.Filter.Text == v.Filter.Text && of.Filter.ShowClosed == v.Filter.ShowClosed {
		first.isSurveyed = true
		first.put(draw.Plain, "  "+format.Grouped(survey.Shown.Rows)+" match:")
		f.putProfit(&first, "  uPnL ", survey.Shown.Profit.Amount(decimals), total)
		first.put(f.Styles.Dim, leftOut(survey.Shown.Profit.LeftOut(decimals)))
		all := headlinePart{keep: 8}
		f.putProfit(&all, "of all ", total.Sum(model.UnrealisedPnl).Amount(decimals), total)
		all.put(f.Styles.Dim, leftOut(total.Sum(model.UnrealisedPnl).LeftOut(decimals)))
		return []headlinePart{first, all}, age
	}
	f.putProfit(&first, "  uPnL ", total.Sum(model.UnrealisedPnl).Amount(decimals), total)
	first.put(f.Styles.Dim, leftOut(total.Sum(model.UnrealisedPnl).LeftOut(decimals)))
	if isFiltered {
		first.put(f.Styles.Dim, " of all "+format.Counted(total.Rows, "position"))
		return []headlinePart{first}, age
	}
	parts = append(parts, first)
	if ofUnrealised, _, ok := total.Changes(decimals); ok {
		change := headlinePart{keep: 7}
		f.putProfit(&change, "Δ ", ofUnrealised, total)
		change.put(f.Styles.Dim, comparedWords(total))
		parts = append(parts, change)
	}
	if !f.Recording.IsWhatIf {
		parts = append(parts, f.movement(total)...)
	}
	if survey != nil {
		parts = append(parts, f.exposure(survey)...)
	}
	return parts, age
}

// comparedWords says which of the positions of a total are in its change, because the others were not followed at the
// baseline: " of 15 of 180"; empty if all are.
func comparedWords(total *view.Total) string {
	if total.Compared() == total.Rows {
		return ""
	}
	return " of " + format.Grouped(total.Compared()) + " of " + format.Grouped(total.Rows)
}

// leftOut says how many numbers are not in a sum; empty if none is left out.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d left out)", n)
}

// putAmount appends a name and an amount of profit, in the colour of a gain or a loss.
func (f *Bars) putAmount(to *headlinePart, name string, a model.Amount, asset model.ID) {
	to.put(f.Styles.Dim, name)
	to.put(f.Styles.Profit(a.Sign()), f.Store.Format().RoundedAmount(a, asset, true))
}

// The change of the total is that since about changePeriod ago, and its sparkline has sparkColumns cells.
const (
	changePeriod = 5 * time.Minute
	sparkColumns = 8
)

// Sparks are the sparklines of assets, kept from one frame to the next: a trend gets an amount once a second.
type Sparks map[model.ID]sparkline

type sparkline struct {
	start  time.Time     // of the trend
	period time.Duration // of the trend
	drawn  string
}

// maxSparks is how many sparklines are kept.
const maxSparks = 64

func (s Sparks) of(asset model.ID, trend *model.Trend) string {
	kept := s[asset]
	if start, period := trend.Start(), trend.Period(); kept.drawn == "" || !start.Equal(kept.start) || period != kept.period {
		kept = sparkline{start, period, draw.Sparkline(trend.Levels(sparkColumns, draw.SparklineLevels))}
		if len(s) >= maxSparks {
			clear(s)
		}
		s[asset] = kept
	}
	return kept.drawn
}

// movement returns by how much the total has changed in the last minutes, and how it has moved since the session began.
func (f *Bars) movement(total *view.Total) []headlinePart {
	assets := f.Store.Moves().Assets()
	i := slices.IndexFunc(assets, func(a *history.Asset) bool { return a.ID == total.Asset })
	if i < 0 {
		return nil
	}
	now, trend := f.Store.Now(), &assets[i].Totals[history.Unrealised]
	before, at, ok := trend.Near(now.Add(-changePeriod))
	if !ok {
		return nil
	}
	decimals := f.Store.Format().Decimals(total.Asset)
	change, ok := model.Difference(total.Sum(model.UnrealisedPnl).Amount(decimals), before, decimals)
	if !ok {
		return nil
	}
	part, spark := headlinePart{keep: 8}, headlinePart{keep: 5}
	f.putAmount(&part, format.Span(now.Sub(at).Round(time.Second))+" ", change, total.Asset)
	spark.put(f.Styles.Quiet, f.Sparks.of(total.Asset, trend))
	return []headlinePart{part, spark}
}

// withoutFraction returns a number of at least four digits before its decimal point without those after it.
func withoutFraction(number string) string {
	if whole, _, hasPoint := strings.Cut(number, "."); hasPoint && strings.Contains(whole, ",") {
		return whole
	}
	return number
}

// exposure returns what a survey has of an asset.
func (f *Bars) exposure(of *analysis.Asset) (parts []headlinePart) {
	amount := func(name string, keep int, text string) *headlinePart {
		part := headlinePart{keep: keep, isSurveyed: true}
		part.put(f.Styles.Dim, name)
		part.put(draw.Plain, text)
		parts = append(parts, part)
		return &parts[len(parts)-1]
	}
	estimate := func(e model.Estimate, plus bool) string {
		write := f.Store.Format()
		e = write.Shift().NotionalOf(e, of.Open(), model.ID{}, write.Decimals(of.Asset))
		return cmp.Or(withoutFraction(write.EstimatedAmount(e, of.Asset, plus).Marked(format.RawMark)), "?")
	}
	if of.Total.IsEstimated {
		net := amount("net ≈ ", 4, estimate(of.Total.Net, true))
		if of.LeftOut > 0 {
			net.put(f.Styles.Dim, " ("+format.Grouped(of.LeftOut)+" without)")
		}
		amount("gross ≈ ", 2, estimate(of.Total.Gross, false))
	}
	if decimals := f.Store.Format().Decimals(of.Asset); of.Recorded > 0 {
		maintenance := amount("maintenance ", 3, f.Store.Format().RoundedAmount(of.Maintenance.Amount(decimals), of.Asset, false))
		if without := of.Unrecorded + of.Maintenance.LeftOut(decimals); without > 0 {
			maintenance.put(f.Styles.Dim, " ("+format.Grouped(without)+" without)")
		}
	}
	if worst := f.worst(&of.Shown); worst != nil {
		part := headlinePart{keep: 6, isSurveyed: true}
		part.put(f.Styles.Dim, "worst ")
		part.put(draw.Plain, f.Store.Format().Market(worst.Market)+" "+f.Store.Format().Party(worst.Party)+" ")
		part.put(f.Styles.Profit(worst.Number(model.UnrealisedPnl).Sign()), f.loss(worst, of.Asset))
		parts = append(parts, part)
	}
	return parts
}
