package layout

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
)

// On a large screen the headline is a table: a line of titles, and one of values for each of the assets with the most
// positions. Each value is always in the same columns. What is not known is –.

// maxHeadlineAssets is how many assets the table has at most.
const maxHeadlineAssets = 3

// The cells of the table: those of the name of the asset, of each number, and of the age.
const (
	headlineName   = 7
	headlineNumber = 11
	headlineAge    = 4
)

// headlineTitles are the titles of the numbers, from left to right.
var headlineTitles = [...]string{"PnL TODAY", "REALISED", "uPNL", "1 MIN", "NET ≈", "GROSS ≈", "MAINTENANCE"}

// unknown is what is not known.
const unknown = "–"

// headlineNumberCells returns how many cells each number has on a screen of a width.
func headlineNumberCells(width int) int {
	return headlineNumber + min((width-columns.EstimatesFrom)/(2*len(headlineTitles)), 4)
}

// headlineTable draws the table on the given number of lines.
func (f *Bars) headlineTable(width, lines int) []string {
	totals := knownAssets(f.Store.View().Totals())
	if lines < 2 || len(totals) == 0 {
		return draw.Fit(nil, lines)
	}
	shown := totals[:min(len(totals), lines-1)]
	var rest []string
	if more := len(totals) - len(shown); more > 0 {
		rest = append(rest, f.Keys.Fill("+"+format.Counted(more, "asset")+", {session}"))
	}
	drawn := []string{""}
	for _, total := range shown {
		numbers := f.headlineNumbers(total)
		drawn = append(drawn, f.headlineRow(total, numbers, width))
		isPart := func(n headlineValue) bool { return n.isPart }
		if slices.ContainsFunc(numbers[:], isPart) && !slices.Contains(rest, partlyWords) {
			rest = append(rest, partlyWords)
		}
	}
	drawn[0] = f.headlineTitles(width, strings.Join(rest, "  "), shown[0])
	if f.Store.Stale().Any() {
		return f.Styles.Dimmed(drawn, width)
	}
	return drawn
}

// headlineValue is a value of the table. One that is only of a part of the positions has partMark after it.
type headlineValue struct {
	styledText
	isPart bool
}

const (
	partMark    = "*"
	partlyWords = partMark + " without some positions"
)

// headlineTitles draws the titles, and what else there is to say. On a terminal without a background for the table they
// are on a rule.
func (f *Bars) headlineTitles(width int, rest string, first *view.Total) string {
	cells, band := headlineNumberCells(width), f.Styles.Band
	l := draw.NewLine(width)
	space := func(n int) {
		if band == draw.Plain {
			l.Put(f.Styles.Dim, strings.Repeat("─", max(min(n, l.Left()), 0)))
		} else {
			l.StyledSpace(band, n)
		}
	}
	space(1)
	if f.Store.View().Filter.Text != "" {
		l.Put(band+f.Styles.Accent, "FILTER")
	}
	space(headlineName - l.Width())
	for i, title := range headlineTitles {
		if today, ok := store.TodayOf(f.Store, first.Asset); i == 0 && ok && !today.IsWhole && !today.Since.IsZero() {
			title = "SINCE " + f.Store.Format().Local(today.Since).Format("15:04")
		}
		space(headlineName + (i+1)*cells + i/(len(headlineTitles)-1) - l.Width() - draw.Width(title)) // the last is wider
		l.Put(band+f.Styles.Dim, title)
	}
	space(2)
	l.Put(band+f.Styles.Dim, "WORST")
	if draw.Width(rest)+1 >= l.Left() {
		rest = draw.Cut(rest, max(l.Left()-2, 0))
	}
	space(l.Left() - draw.Width(rest) - 1)
	l.Put(band+f.Styles.Dim, rest)
	space(l.Left())
	return l.String()
}

// headlineRow draws the values of an asset.
func (f *Bars) headlineRow(total *view.Total, numbers [len(headlineTitles)]headlineValue, width int) string {
	write, band, cells := f.Store.Format(), f.Styles.Band, headlineNumberCells(width)
	l := draw.NewLine(width).Put(band, " "+draw.Cut(write.Asset(total.Asset), headlineName-2))
	l.StyledSpace(band, headlineName-l.Width())
	for i, each := range numbers {
		text := draw.FirstThatFits(cells-1, each.text, withoutFraction(each.text))
		if text == "" {
			text = strings.Repeat("#", cells-1)
		}
		l.StyledSpace(band, headlineName+(i+1)*cells+i/(len(headlineTitles)-1)-l.Width()-draw.Width(text)).Put(band+each.style, text)
		if each.isPart { // in the space before the next number, so that numbers stay below each other
			l.Put(band+f.Styles.Dim, partMark)
		}
	}
	l.StyledSpace(band, headlineName+len(headlineTitles)*cells+2-l.Width())
	survey, age := f.figures(total.Asset)
	if survey != nil && survey.Worst != nil {
		worst := survey.Worst
		loss := write.RoundedAmount(worst.Profit, total.Asset, true)
		l.StyledSpace(band, 1).Put(band, draw.CutMiddle(write.Market(worst.Market)+" "+write.Party(worst.Party), max(l.Left()-draw.Width(loss)-headlineAge-2, 0)))
		l.StyledSpace(band, 1).PutNumber(band+f.Styles.Profit(worst.Profit.Sign()), loss)
	} else {
		l.StyledSpace(band, 1).Put(band+f.Styles.Dim, unknown)
	}
	l.StyledSpace(band, l.Left()-draw.Width(age)-1).Put(band+f.Styles.Dim, age)
	return l.StyledSpace(band, l.Left()).String()
}

// headlineNumbers are the numbers of an asset, in the order of headlineTitles.
func (f *Bars) headlineNumbers(total *view.Total) (numbers [len(headlineTitles)]headlineValue) {
	for i := range numbers {
		numbers[i].styledText = styledText{f.Styles.Dim, unknown}
	}
	write, decimals := f.Store.Format(), f.Store.Format().Decimals(total.Asset)
	put := func(at int, style draw.Style, a model.Amount, leftOut int) {
		if a.IsNumber() {
			text := styledText{style + f.Styles.Profit(a.Sign()), write.RoundedAmount(a, total.Asset, true)}
			numbers[at] = headlineValue{text, leftOut > 0}
		}
	}
	if today, ok := store.TodayOf(f.Store, total.Asset); ok {
		put(0, f.Styles.Strong, today.PnL, today.LeftOut)
		put(1, draw.Plain, today.Realised, today.LeftOut)
	}
	of, _ := f.figures(total.Asset)
	if f.Store.View().Filter.Text == "" {
		unrealised := total.Sum(model.UnrealisedPnl)
		put(2, draw.Plain, unrealised.Amount(decimals), unrealised.LeftOut(decimals))
		if change, ok := f.lastMinute(total); ok {
			put(3, draw.Plain, change, 0)
		}
	} else if of != nil {
		put(2, draw.Plain, of.Profit.Amount(decimals), of.Profit.LeftOut(decimals))
	}
	if of == nil {
		return numbers
	}
	if of.Exposure.IsEstimated {
		for i, e := range []model.Estimate{of.Exposure.Net, of.Exposure.Gross} {
			if text := write.EstimatedAmount(e, total.Asset, i == 0).Marked(format.RawMark); text != "" {
				numbers[4+i] = headlineValue{styledText{draw.Plain, withoutFraction(text)}, of.LeftOut > 0}
			}
		}
	}
	if of.Recorded > 0 {
		text := write.RoundedAmount(of.Maintenance.Amount(decimals), total.Asset, false)
		numbers[6] = headlineValue{styledText{draw.Plain, text}, of.Unrecorded+of.Maintenance.LeftOut(decimals) > 0}
	}
	return numbers
}

// lateFigures is from which age on the age of the figures is shown.
const lateFigures = 5 * time.Second

// figures returns what the latest survey has of the rows that are shown now, nil if it is of others, and its age if it
// is late.
func (f *Bars) figures(asset model.ID) (of *analysis.Figures, age string) {
	survey, shown := f.Store.Surveys().Latest()
	if now := f.Store.View(); survey == nil || shown.Filter.Text != now.Filter.Text || shown.Filter.ShowClosed != now.Filter.ShowClosed {
		return nil, ""
	}
	found := survey.Asset(asset)
	if found == nil {
		return nil, ""
	}
	if old := model.Elapsed(f.Store.Now(), f.oldest(survey.At)); old > lateFigures {
		age = format.Age(old)
	}
	return &found.Shown, age
}

// oldest returns the time of a survey, or that of the last word of the service about its oldest rows: a survey of old
// rows is as old as they are.
func (f *Bars) oldest(at time.Time) time.Time {
	worst := f.Streams.Worst()
	if worst == nil {
		return at
	}
	for _, each := range []time.Time{worst.StaleSince, worst.LastReceived()} {
		if !each.IsZero() && each.Before(at) {
			at = each
		}
	}
	return at
}

// lastMinute returns by how much the total has changed in the last minute, and false if that is not known.
func (f *Bars) lastMinute(total *view.Total) (change model.Amount, ok bool) {
	if f.Recording.IsWhatIf {
		return change, false
	}
	for _, of := range f.Store.Moves().Assets() {
		if of.ID != total.Asset {
			continue
		}
		before, ok := of.MinuteBefore(f.Store.Now())
		if !ok {
			return change, false
		}
		decimals := f.Store.Format().Decimals(total.Asset)
		return model.Difference(total.Sum(model.UnrealisedPnl).Amount(decimals), before, decimals)
	}
	return change, false
}
