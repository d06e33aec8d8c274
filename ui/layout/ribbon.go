package layout

import (
	"slices"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// RibbonHeight returns how many lines the incidents have on a screen, below the headline. They are there also if there
// is no incident, so that the table never moves.
func RibbonHeight(screen pane.Size) int {
	if screen.Width < sideFrom || screen.Height < 3*linesPerHeadline {
		return 0
	}
	return 1
}

// Ribbon draws the newest incidents that there is room for: those of the service, also while its past is shown.
func (f *Bars) Ribbon(width int) string {
	of, title := f.Store, "incidents"
	if f.Past != nil {
		of, title = f.Past.Live, "incidents, live"
	}
	all, write := of.Incidents().CloseOuts.Incidents(), f.Store.Format()
	l := draw.NewLine(width).Space(1)
	if len(all) == 0 {
		return l.Put(f.Styles.Dim, "no "+title+" since "+write.ShortClockOn(of.Alerts().Since(), f.Store.Now())).String()
	}
	l.Put(f.Styles.Dim, title)
	shown := 0
	for _, each := range slices.Backward(all) {
		name, cost := write.Position(each.Key)+" ", ""
		if amount, ok := each.Cost(); ok {
			cost = " " + write.RoundedAmount(amount, write.Instruments().Market(each.Key.Market).Asset, true)
		}
		const gaps, more = 4, 12
		words := store.IncidentWords(each, write, f.Store.Now(), shown > 0)
		if shown > 0 && draw.Width(name+words+cost)+gaps+more > l.Left() {
			break
		}
		style := f.Styles.Quiet
		switch {
		case each.Closed != nil:
			style = f.Styles.Alarm
		case !each.IsOver:
			style = f.Styles.Warning
		}
		l.Space(2).Put(draw.Plain, name).Put(style, words).Put(draw.Plain, cost)
		shown++
	}
	if more := len(all) - shown; more > 0 {
		l.Space(2).PutWhole(f.Styles.Dim, f.Keys.Fill("+"+format.Grouped(more)+", {next_alert}"), "+"+format.Grouped(more))
	}
	return l.String()
}
