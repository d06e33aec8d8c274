package layout

import (
	"fmt"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/replay"
	"blotter/ui/status"
	"blotter/ui/store"
)

// Bars has what the lines are drawn from.
type Bars struct {
	*pane.Context
	Streams    *status.Streams
	Service    string     // its name or address
	View       string     // the number and name of the view that is shown; empty for the default
	Path       []PathStep // the scopes and the filter
	Past       *Past      // what is shown of the past; nil if the service is shown
	Flags      []string   // other states of the whole screen: DEMO, REC
	Counts     []string   // words about the rows that are shown; shorter ones come after longer ones
	Sparks     Sparks
	SecondLine SecondLine
	DrawKeys   func(width int) string // draws the keys that work now
}

// SecondLine is what the second line can have, beside notices.
type SecondLine struct {
	Prompt pane.Prompt // what is typed; nil if nothing is
	Hint   string      // what the demo says of the screen; empty if it says nothing
	// HasMarks is true if the marks of the past have a line of their own.
	HasMarks bool
}

// TopHeight is how many lines Top has.
const TopHeight = 2

// rowCountsFrom is the height of a screen from which the row counts have a line of their own, below the totals.
const rowCountsFrom = 20

// BottomHeight returns how many lines Bottom has on a screen, with totals of the given number of assets.
func BottomHeight(screen pane.Size, assets int) int {
	if hasHeadline(screen) {
		return 2
	}
	height := max(totalLines(screen.Width, screen.Height, assets), 1) + 1
	if hasRowCounts(screen) {
		height++
	}
	return height
}

// hasRowCounts reports whether the row counts have a line of their own below the totals. Else they are at the right of
// these.
func hasRowCounts(screen pane.Size) bool { return screen.Height >= rowCountsFrom }

// Past is what is shown while the past of a service is.
type Past struct {
	Live *store.Store // of the service
	Bar  *replay.Bar  // of which time is shown; nil if positions are at other prices
}

// Top draws the state and the message. Without a message, its line has the scope on a narrow screen, and the headline
// on one where that has no lines of its own.
func (f *Bars) Top(screen pane.Size) []string {
	message := f.message(screen.Width)
	hasScope := screen.Width >= columns.TwoLinesBelow || message != ""
	if !hasScope {
		message = f.scopeLine(screen.Width)
	}
	if message == "" && !hasHeadline(screen) {
		message = f.shortHeadline(screen.Width)
	}
	return []string{f.status(screen.Width, hasScope), message}
}

// Bottom draws the row counts and the keys, below a headline also what its sums leave out, and without one the totals.
func (f *Bars) Bottom(screen pane.Size) []string {
	if hasHeadline(screen) {
		return []string{f.countsLine(screen), f.DrawKeys(screen.Width)}
	}
	block := f.totals(screen)
	lines := block.draw(screen.Width, max(totalLines(screen.Width, screen.Height, len(block.totals)), 1))
	if hasRowCounts(screen) {
		lines = append(lines, draw.Text(screen.Width, f.Styles.Dim, " "+f.Counts[0]))
	}
	return append(lines, f.DrawKeys(screen.Width))
}

// totals returns what the totals are drawn from. Totals are of all positions in scope, whatever the filter hides. If
// the row counts have no line of their own, they are on the last one.
func (f *Bars) totals(screen pane.Size) *totalsBlock {
	v := f.Store.View()
	line := &totalsBlock{totals: v.Totals(), isStale: f.Store.Stale().Any(), format: f.Store.Format(), profit: f.profit, styles: f.Styles}
	if v.Filtered() > 0 {
		line.of = v.Rows()
	}
	if !f.Store.Settings().ShowClosed {
		line.closed = v.Rows() - v.Open()
	}
	if !hasRowCounts(screen) {
		line.counts = f.Counts
	}
	return line
}

// message draws the second line: the filter while it is typed, else what a key did, else what is wrong, else a hint
// of the demo. It is there also if it is empty, so that the table never moves.
func (f *Bars) message(width int) string {
	if f.SecondLine.Prompt != nil {
		if line := f.SecondLine.Prompt.Prompt(f.Context, width); line != "" {
			return line
		}
	}
	if f.Notice != "" {
		return draw.Text(width, f.Styles.Warning, " "+draw.CutWords(f.Notice, width-2))
	}
	if f.Past != nil && f.Past.Bar != nil {
		return f.Past.Bar.Draw(f.Context, width, f.SecondLine.HasMarks)
	}
	if reason := f.Streams.FitReason(width - 2); reason != "" {
		return draw.Text(width, f.Styles.Warning, " "+reason)
	}
	if f.SecondLine.Hint != "" && width >= columns.TwoLinesBelow {
		return draw.Text(width, f.Styles.Accent, " "+draw.CutWords(f.SecondLine.Hint, width-2))
	}
	return ""
}

// Tiny draws a screen that is too small for a table: how fresh the rows are, alerts, other states, and the unrealised
// PnL of each asset that there is room for, beside them or on the lines below; then the message. A single line has what
// is typed, or what a key did, in place of all that.
func (f *Bars) Tiny(screen pane.Size) []string {
	if screen.Width <= 0 || screen.Height <= 0 {
		return nil
	}
	message, height := f.message(screen.Width), screen.Height
	switch {
	case message == "":
	case height > 1:
		height--
	case f.SecondLine.Prompt != nil || f.Notice != "":
		return []string{message}
	}
	fresh := f.Streams.Freshness()
	if f.Streams.Replay != "" {
		fresh = f.Streams.ShortFreshness()
	}
	l := draw.NewLine(screen.Width).Put(f.Streams.Style(f.Streams.Worst()), draw.Cut(fresh, screen.Width))
	if _, alerts := f.alertWords(); alerts != "" {
		l.Space(2).Put(f.Styles.Alarm+f.Styles.Reverse, alerts)
	}
	for _, flag := range f.flags(f.frozenFor(), f.Store.Alerts().NotJudged()) {
		l.Space(2).Put(f.Styles.Warning, flag)
	}
	style := draw.Plain
	if f.Store.Stale().Any() {
		style = f.Styles.Stale
	}
	lines := []*draw.Line{l}
	for _, total := range f.Store.View().Totals() {
		write, sum := f.Store.Format(), total.Sum(model.UnrealisedPnl)
		words := write.Asset(total.Asset) + " uPnL " + f.profit(total, sum.Amount(write.Decimals(total.Asset)))
		if left := sum.LeftOut(write.Decimals(total.Asset)); left > 0 {
			words += fmt.Sprintf(" (%d left out)", left)
		}
		switch width := draw.Width(words); {
		case total.Asset.IsZero():
		case len(lines) == 1 && 2+width <= l.Left():
			l.Space(2).Put(style, words)
		case len(lines) < height && width <= screen.Width:
			lines = append(lines, draw.NewLine(screen.Width).Put(style, words))
		}
	}
	var drawn []string
	for _, line := range lines {
		drawn = append(drawn, line.String())
	}
	if height < screen.Height {
		drawn = append(drawn, message)
	}
	return drawn
}
