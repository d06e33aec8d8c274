package layout

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// linesEach is how many lines of the screen there are for each line of totals.
const linesEach = 12

// minTotal is how many cells the total of an asset has at least if several are on a line.
const minTotal = 60

// totalLines returns how many lines the totals of the given number of assets have on a screen of a width and a height.
func totalLines(width, height, assets int) int {
	most := max(height/linesEach, 1)
	each := perLine(width, assets, most)
	return min((assets+each-1)/each, most)
}

// perLine returns how many assets there are on each of at most the given number of lines.
func perLine(width, assets, lines int) int {
	return max(min((assets+lines-1)/lines, width/minTotal), 1)
}

// totalsBlock is what the totals are drawn from. Each asset has a place, which it keeps; texts are shortened, and the
// assets with the fewest positions are counted if there is no room for them.
type totalsBlock struct {
	totals  []*view.Total // of all positions in scope, those with the most positions first
	of      int           // how many positions these are; 0 if all are shown
	closed  int           // how many of them are closed and not shown
	counts  []string      // words about the rows that are shown, at the right of the last line; shorter ones come after longer ones
	isStale bool          // a position may be out of date
	format  *format.Formatter
	profit  func(*view.Total, model.Amount) string // formats what has the unrealised PnL of a total in it
	styles  *theme.Styles
}

// draw draws the totals on the given number of lines, of a width.
func (b *totalsBlock) draw(width, lines int) []string {
	totals := slices.Clone(b.totals)
	if at := slices.IndexFunc(totals, func(t *view.Total) bool { return t.Asset.IsZero() }); at >= 0 { // it has no total
		totals = append(slices.Delete(totals, at, at+1), b.totals[at])
	}
	each := perLine(width, len(totals), lines)
	var drawn []string
	for i := range lines {
		on := totals[min(i*each, len(totals)):min((i+1)*each, len(totals))]
		more := ""
		if left := len(totals) - (i+1)*each; left > 0 && i == lines-1 {
			more = "+" + format.Counted(left, "asset")
		}
		drawn = append(drawn, b.line(on, more, width, i == 0, i == lines-1))
	}
	if b.isStale && len(totals) > 0 {
		return b.styles.Dimmed(drawn, width)
	}
	return drawn
}

// line draws some totals, all of the same width, how many assets have no place, and on the last line the words about
// the rows.
func (b *totalsBlock) line(totals []*view.Total, more string, width int, isFirst, isLast bool) string {
	counts := ""
	switch {
	case !isLast || len(b.counts) == 0:
	case len(totals) == 0:
		counts = b.counts[0]
	default:
		counts = b.fitCounts(totals[len(totals)-1], more, width/len(totals), isFirst && len(totals) == 1)
	}
	l := draw.NewLine(width).Space(1)
	for i, total := range totals {
		room := width/len(totals)*(i+1) - l.Width() - gap
		if i == len(totals)-1 {
			room = width - 1 - l.Width() - with(more) - with(counts)
		}
		texts := b.texts(total, isFirst && i == 0)
		at := slices.IndexFunc(texts, func(t []styledText) bool { return cellsOf(t) <= room })
		if at < 0 {
			at = len(texts) - 1
		}
		putWhole(l, texts[at])
		if i < len(totals)-1 {
			l.To(width/len(totals)*(i+1) + 1)
		}
	}
	if more != "" {
		l.Space(gap).Put(b.styles.Dim, more)
	}
	return l.To(width-draw.Width(counts)-1).Put(b.styles.Dim, counts).String()
}

// gap is the space between texts.
const gap = 2

// with returns how many cells a text takes, with the space before it; 0 if it is empty.
func with(text string) int {
	if text == "" {
		return 0
	}
	return gap + draw.Width(text)
}

// fitCounts returns the longest words about the rows beside which there is room for a total.
func (b *totalsBlock) fitCounts(total *view.Total, more string, room int, isFirst bool) string {
	texts := b.texts(total, isFirst)
	needed := cellsOf(texts[max(len(texts)-2, 0)]) + with(more)
	return draw.FirstThatFits(room-2-needed-gap, b.counts...)
}

// texts are the total of one asset. Shorter texts come after longer ones. The first also shows which positions
// all of them include.
func (b *totalsBlock) texts(total *view.Total, isFirst bool) [][]styledText {
	plain := func(text string) []styledText { return []styledText{{draw.Plain, text}} }
	if rows := format.Counted(total.Rows, "position"); total.Asset.IsZero() {
		return [][]styledText{plain(rows + " of unknown assets, without a total"), plain(rows + " without a total")}
	}
	decimals := b.format.Decimals(total.Asset)
	write := func(before string, a model.Amount, text, after string) []styledText {
		return []styledText{{draw.Plain, before}, {b.styles.Profit(a.Sign()), text}, {draw.Plain, after}}
	}
	amount := func(before string, a model.Amount, after string) []styledText {
		return write(before, a, b.format.RoundedAmount(a, total.Asset, true), after)
	}
	profit := func(before string, a model.Amount, after string) []styledText {
		return write(before, a, b.profit(total, a), after)
	}
	ofUnrealised, ofRealised, hasChanges := total.Changes(decimals)
	unrealised := profit(b.format.Asset(total.Asset)+"  uPnL ", total.Sum(model.UnrealisedPnl).Amount(decimals), "")
	compared := comparedWords(total) + ")"
	changed := slices.Concat(unrealised, profit(" (Δ ", ofUnrealised, compared))
	left := total.Sum(model.UnrealisedPnl).LeftOut(decimals) + total.Sum(model.RealisedPnl).LeftOut(decimals)
	realised := amount("  rPnL ", total.Sum(model.RealisedPnl).Amount(decimals), "")
	both := slices.Concat(unrealised, realised)
	texts := [][]styledText{both, unrealised}
	if hasChanges {
		both = slices.Concat(changed, realised, amount(" (Δ ", ofRealised, compared))
		texts = slices.Insert(texts, 0, both)
	}
	if left > 0 {
		both = slices.Concat(both, plain(leftOut(left)))
		texts = [][]styledText{both, slices.Concat(unrealised, plain(leftOut(left)))} // no changes are known
	}
	of, included := "", ""
	if isFirst {
		of, included = b.notes()
	}
	texts = slices.Insert(texts, 0, slices.Concat(both, plain(included)))
	for i := range texts {
		texts[i] = slices.Concat(plain(of), texts[i])
	}
	return texts
}

// notes are what the totals include that is not shown: positions that the filter hides, and closed ones.
func (b *totalsBlock) notes() (of, closed string) {
	if b.of > 0 {
		of = "all " + format.Grouped(b.of) + ": "
	}
	if b.closed > 0 {
		closed = " (with closed)"
	}
	return of, closed
}

// countsLine draws how many rows are shown, and at the right how the total has changed since the baseline, and what the
// sums of the headline leave out.
func (f *Bars) countsLine(screen pane.Size) string {
	totals, shape := f.Store.View().Totals(), shapeOf(screen.Width)
	known := knownAssets(totals)
	shown := known[:min(len(known), max(HeadlineHeight(screen, len(known))-1, 0))]
	var parts []string
	for _, total := range shown {
		name := ""
		if len(shown) > 1 {
			name = f.Store.Format().Asset(total.Asset) + " "
		}
		if words := f.leftOutOf(total, &shape); words != "" {
			parts = append(parts, partMark+" "+name+"without: "+words)
		}
	}
	for _, total := range totals {
		if total.Asset.IsZero() && total.Rows > 0 {
			parts = append(parts, format.Counted(total.Rows, "position")+" of unknown assets, without a total")
		}
	}
	short := ""
	if len(parts) > 0 {
		short = partMark + " some positions are left out"
	}
	l := draw.NewLine(screen.Width).Space(1).Put(f.Styles.Dim, f.Counts[0])
	f.putChanges(l.Space(2), shown)
	right := draw.FirstThatFits(l.Left()-2, strings.Join(parts, "; "), short, partMark)
	return l.To(screen.Width-1-draw.Width(right)).Put(f.Styles.Dim, right).String()
}

// putChanges puts how much the totals have changed since the baseline on a line, as far as there is room: without that
// of the realised PnL if both do not fit.
func (f *Bars) putChanges(l *draw.Line, totals []*view.Total) {
	write := f.Store.Format()
	for _, total := range totals {
		ofUnrealised, ofRealised, ok := total.Changes(write.Decimals(total.Asset))
		if !ok {
			continue
		}
		change := func(name string, a model.Amount, text string) []styledText {
			style := f.Styles.Profit(a.Sign())
			if f.Store.Stale().Any() {
				style = f.Styles.Stale
			}
			return []styledText{{f.Styles.Dim, name}, {style, text}}
		}
		compared := []styledText{{f.Styles.Dim, comparedWords(total)}}
		first := change(write.Asset(total.Asset)+" ΔuPnL ", ofUnrealised, f.profit(total, ofUnrealised))
		both := slices.Concat(first, change("  ΔrPnL ", ofRealised, write.RoundedAmount(ofRealised, total.Asset, true)))
		for _, texts := range [][]styledText{slices.Concat(both, compared), slices.Concat(first, compared)} {
			if cellsOf(texts)+gap <= l.Left() {
				putWhole(l, texts)
				l.Space(gap)
				break
			}
		}
	}
}
