package layout

import (
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

// The lines of the headline are a table: a line of titles, and one of values for each of the assets with the most
// positions. Each value is always in the same columns. What is not known is –.

// maxHeadlineAssets is how many assets the table has at most.
const maxHeadlineAssets = 3

// The cells of the table: those of the name of the asset, of each number, and of the age.
const (
	headlineName   = 8
	headlineNumber = 11
	headlineAge    = 4
)

// headlineColumn is a number of the table.
type headlineColumn int

// The numbers of the table, from left to right.
const (
	pnlToday headlineColumn = iota
	realisedToday
	unrealised
	lastMinute
	netNotional
	grossNotional
	maintenance
	headlineColumnCount
)

// headlineTitles are the titles of the numbers, and their names in words.
var headlineTitles = [headlineColumnCount]struct{ title, words string }{
	pnlToday: {"PnL TODAY", "PnL today"}, realisedToday: {"REALISED", "realised"}, unrealised: {"uPnL", "uPnL"},
	lastMinute: {"1 MIN", ""}, netNotional: {"NET ≈", "net"}, grossNotional: {"GROSS ≈", "gross"},
	maintenance: {"MAINTENANCE", "maintenance"},
}

// unknown is what is not known.
const unknown = "–"

// headlineShape is how the table is laid out on a screen of a width.
type headlineShape struct {
	columns []headlineColumn
	cells   int // of each number
}

func shapeOf(width int) headlineShape {
	if width < columns.EstimatesFrom {
		return headlineShape{[]headlineColumn{pnlToday, unrealised, lastMinute}, headlineNumber}
	}
	var all []headlineColumn
	for c := range headlineColumnCount {
		all = append(all, c)
	}
	return headlineShape{all, headlineNumber + min((width-columns.EstimatesFrom)/(2*len(all)), 4)}
}

// end returns the cell after the number at a place.
func (s *headlineShape) end(place int) int {
	end := headlineName + (place+1)*s.cells
	if s.columns[place] == maintenance { // which is wider
		end++
	}
	return end
}

// Headline draws the table on the given number of lines.
func (f *Bars) Headline(width, lines int) []string {
	totals := knownAssets(f.Store.View().Totals())
	if lines < 2 || len(totals) == 0 {
		return draw.Fit(nil, lines)
	}
	shown, shape := totals[:min(len(totals), lines-1)], shapeOf(width)
	drawn := []string{f.headlineTitles(&shape, width, shown[0], len(totals)-len(shown))}
	for _, total := range shown {
		drawn = append(drawn, f.headlineRow(&shape, total, width))
	}
	if f.Store.Stale().Any() {
		return f.Styles.Dimmed(drawn, width)
	}
	return drawn
}

// headlineValue is a value of the table. One that leaves positions out has partMark after it.
type headlineValue struct {
	styledText
	leftOut int
}

// partMark is after a value that leaves positions out.
const partMark = "*"

// headlineTitles draws the titles, and how many assets have no line. On a terminal without a background for the table
// they are on a rule.
func (f *Bars) headlineTitles(shape *headlineShape, width int, first *view.Total, more int) string {
	band, rest := f.Styles.Band, ""
	if more > 0 {
		rest = f.Keys.Fill("+" + format.Counted(more, "asset") + ", {session}")
	}
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
	for i, c := range shape.columns {
		title := headlineTitles[c].title
		if today, ok := store.TodayOf(f.Store, first.Asset); c == pnlToday && ok && !today.IsWhole && !today.Since.IsZero() {
			title = "SINCE " + f.Store.Format().Local(today.Since).Format("15:04")
		}
		space(shape.end(i) - l.Width() - draw.Width(title))
		l.Put(band+f.Styles.Dim, title)
	}
	space(2)
	l.Put(band+f.Styles.Dim, "WORST")
	rest = draw.Cut(rest, max(l.Left()-2, 0))
	space(l.Left() - draw.Width(rest) - 1)
	l.Put(band+f.Styles.Dim, rest)
	space(l.Left())
	return l.String()
}

func (f *Bars) headlineRow(shape *headlineShape, total *view.Total, width int) string {
	write, band := f.Store.Format(), f.Styles.Band
	numbers := f.headlineNumbers(total)
	l := draw.NewLine(width).Put(band, " "+draw.Cut(write.Asset(total.Asset), headlineName-2))
	for i, c := range shape.columns {
		value := numbers[c]
		text := draw.FirstThatFits(shape.cells-1, value.text, withoutFraction(value.text))
		if text == "" {
			text = strings.Repeat("#", shape.cells-1)
		}
		l.StyledSpace(band, shape.end(i)-l.Width()-draw.Width(text)).Put(band+value.style, text)
		if value.leftOut > 0 { // in the space before the next number, so that numbers stay below each other
			l.Put(band+f.Styles.Dim, partMark)
		}
	}
	l.StyledSpace(band, shape.end(len(shape.columns)-1)+2-l.Width())
	figures, age := f.figures(total.Asset)
	if worst := f.worst(figures); worst != nil {
		loss, sign := f.loss(worst, total.Asset), worst.Number(model.UnrealisedPnl).Sign()
		room := max(l.Left()-draw.Width(loss)-headlineAge-2, 0)
		l.Put(band, draw.CutMiddle(write.Market(worst.Market)+" "+write.Party(worst.Party), room))
		if room := l.Left() - draw.Width(age) - 2; draw.Width(loss) > room {
			loss = strings.Repeat("#", max(room, 0)) // a number is never cut
		}
		l.StyledSpace(band, 1).PutNumber(band+f.Styles.Profit(sign), loss)
	} else {
		l.Put(band+f.Styles.Dim, unknown)
	}
	l.StyledSpace(band, l.Left()-draw.Width(age)-1).Put(band+f.Styles.Dim, age)
	return l.StyledSpace(band, l.Left()).String()
}

// worst returns the worst position of figures as it is now, because the figures may be older; nil if there is none, or
// if it was closed since then.
func (f *Bars) worst(of *analysis.Figures) *model.Position {
	if of == nil || of.Worst == nil {
		return nil
	}
	if position, ok := f.Store.View().Book().Find(of.Worst.Key); ok && position.IsOpen() {
		return &position
	}
	return nil
}

// leftOutOf returns what the sums of an asset leave out, in words such as uPnL 2, net 4.
func (f *Bars) leftOutOf(total *view.Total, shape *headlineShape) string {
	var words []string
	numbers := f.headlineNumbers(total)
	for _, c := range shape.columns {
		if n := numbers[c].leftOut; n > 0 {
			words = append(words, headlineTitles[c].words+" "+format.Grouped(n))
		}
	}
	return strings.Join(words, ", ")
}

// headlineNumbers are the numbers of an asset, in the order of headlineTitles.
func (f *Bars) headlineNumbers(total *view.Total) (numbers [headlineColumnCount]headlineValue) {
	for i := range numbers {
		numbers[i].styledText = styledText{f.Styles.Dim, unknown}
	}
	write, decimals := f.Store.Format(), f.Store.Format().Decimals(total.Asset)
	put := func(at headlineColumn, style draw.Style, a model.Amount, leftOut int) {
		if a.IsNumber() {
			text := write.RoundedAmount(a, total.Asset, true)
			if at == unrealised {
				text = f.profit(total, a)
			}
			numbers[at] = headlineValue{styledText{style + f.Styles.Profit(a.Sign()), text}, leftOut}
		}
	}
	if today, ok := store.TodayOf(f.Store, total.Asset); ok {
		put(pnlToday, f.Styles.Strong, today.PnL, today.LeftOut)
		put(realisedToday, draw.Plain, today.Realised, today.LeftOut)
	}
	of, _ := f.figures(total.Asset)
	if f.Store.View().Filter.Text == "" {
		sum := total.Sum(model.UnrealisedPnl)
		put(unrealised, draw.Plain, sum.Amount(decimals), sum.LeftOut(decimals))
		if change, ok := f.lastMinute(total); ok {
			put(lastMinute, draw.Plain, change, 0)
		}
	} else if of != nil {
		put(unrealised, draw.Plain, of.Profit.Amount(decimals), of.Profit.LeftOut(decimals))
	}
	if of == nil {
		return numbers
	}
	if of.Exposure.IsEstimated {
		for i, e := range []model.Estimate{of.Exposure.Net, of.Exposure.Gross} {
			e = write.Shift().NotionalOf(e, of.Rows, model.ID{}, decimals)
			if text := write.EstimatedAmount(e, total.Asset, i == 0).Marked(format.RawMark); text != "" {
				numbers[netNotional+headlineColumn(i)] = headlineValue{styledText{draw.Plain, withoutFraction(text)}, of.LeftOut}
			}
		}
	}
	if of.Recorded > 0 {
		text := write.RoundedAmount(of.Maintenance.Amount(decimals), total.Asset, false)
		numbers[maintenance] = headlineValue{styledText{draw.Plain, text}, of.Unrecorded + of.Maintenance.LeftOut(decimals)}
	}
	return numbers
}

// lateFigures is from which age on the age of the figures is shown.
const lateFigures = 5 * time.Second

// figures returns what the latest survey has of the rows that are shown now, nil if it is of others, and the age of the
// oldest data of the headline if that is late.
func (f *Bars) figures(asset model.ID) (of *analysis.Figures, age string) {
	at := f.Store.Now()
	survey, shown := f.Store.Surveys().Latest()
	now := f.Store.View()
	if survey != nil && shown.Filter.Text == now.Filter.Text && shown.Filter.ShowClosed == now.Filter.ShowClosed {
		if found := survey.Asset(asset); found != nil {
			of, at = &found.Shown, survey.At
		}
	}
	if old := model.Elapsed(f.Store.Now(), f.oldest(at)); old > lateFigures {
		age = format.Age(old)
	}
	return of, age
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

// lastMinute returns by how much the total has changed in the last minute, of frozen rows in the one before they were
// frozen, and false if that is not known.
func (f *Bars) lastMinute(total *view.Total) (change model.Amount, ok bool) {
	if f.Recording.IsWhatIf {
		return change, false
	}
	now := f.Store.Now()
	if frozen := store.FrozenOf(f.Store); frozen != nil {
		now = frozen.Since()
	}
	for _, of := range f.Store.Moves().Assets() {
		if of.ID != total.Asset {
			continue
		}
		before, ok := of.MinuteBefore(now)
		if !ok {
			return change, false
		}
		decimals := f.Store.Format().Decimals(total.Asset)
		return model.Difference(total.Sum(model.UnrealisedPnl).Amount(decimals), before, decimals)
	}
	return change, false
}
