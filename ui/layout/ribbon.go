package layout

import (
	"slices"

	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// ribbonFrom is the height of a screen from which the incidents have a line.
const ribbonFrom = 60

// RibbonHeight returns how many lines the incidents have on a screen, below the headline. They are there also if there
// is no incident, so that the table never moves.
func RibbonHeight(screen pane.Size) int {
	if screen.Width < sideFrom || screen.Height < ribbonFrom {
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
	all, write, writer := store.Stories(of), f.Store.Format(), store.StoryWriter(of)
	l := draw.NewLine(width).Space(1)
	if len(all) == 0 {
		return l.Put(f.Styles.Dim, "no "+title+" since "+write.ShortClockOn(of.Alerts().Since(), f.Store.Now())).String()
	}
	l.Put(f.Styles.Dim, title)
	shown := 0
	for _, each := range slices.Backward(all) {
		name, change := write.Position(each.Key)+" ", ""
		total, _ := writer.Change(each)
		if total.IsNumber() && each.Before.Of == event.BeforeTrouble && each.Outcome != event.IsUnderWay {
			change = " " + write.RoundedAmount(total, write.Instruments().Market(each.Key.Market).Asset, true)
		}
		const gaps, more = 4, 12
		words := writer.Words(each, shown > 0)
		if shown > 0 && draw.Width(name+words+change)+gaps+more > l.Left() {
			break
		}
		l.Space(2).Put(draw.Plain, name).Put(f.Styles.Story(each.Outcome), words).Put(draw.Plain, change)
		shown++
	}
	if more := len(all) - shown; more > 0 {
		l.Space(2).PutWhole(f.Styles.Dim, f.Keys.Fill("+"+format.Grouped(more)+", {next_alert}"), "+"+format.Grouped(more))
	}
	return l.String()
}
