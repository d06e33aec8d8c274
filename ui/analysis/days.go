package analysis

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/store"
)

// todayLine says by how much the positions, or if that is not known the total of the asset, have changed since the day
// began; nothing in a recording, before the first total of the day, and if nothing is known of the time before the
// session.
func (p *content) todayLine(width int) []string {
	if today, ok := store.TodayOf(p.store, p.of.ID); ok && today.IsWhole && !p.isPast && p.store.View().Filter.Text == "" {
		return p.todayByPosition(&today, width)
	}
	of := p.daysOf()
	if of == nil {
		return nil
	}
	last := len(of.Days) - 1
	change, day := of.Change(last), &of.Days[last]
	if change.IsFirst && !day.First.At.Before(p.of.Since) {
		return nil // the line of the session says it
	}
	if change.Date != store.DaysIn(p.store).Date(p.format.Local(p.now)) {
		return nil
	}
	var words []string
	amount := change.Change
	switch {
	case change.IsFirst:
		words = []string{" since " + p.clock(day.First.At) + ", its first total; no day before is known", " since " + p.clock(day.First.At)}
	case change.Gap > 0:
		amount = of.Difference(day.Last.Total, day.First.Total)
		before := p.amount(change.Change) + " since " + of.Days[last-1].Date
		words = []string{
			" since " + p.clock(day.First.At) + ", its first total; " + before + ", " + gapWords(change.Gap) + " between",
			" since " + p.clock(day.First.At) + "; " + before + ", " + gapWords(change.Gap), "; " + before + ", a gap",
		}
	default:
		words = []string{" since the last total of the day before, " + p.format.ShortClockOn(change.Since.At, p.now),
			" since " + p.format.ShortClockOn(change.Since.At, p.now)}
	}
	if !amount.IsNumber() {
		return nil
	}
	return []string{p.todayWords(width, amount, words...)}
}

// todayByPosition says by how much the positions have changed since the day began, and how many of them are left out.
func (p *content) todayByPosition(today *store.Today, width int) []string {
	if !today.PnL.IsNumber() {
		return nil
	}
	words := " of all positions since the day began"
	if !today.Since.IsZero() {
		words = " of all positions since " + p.format.ShortClockOn(today.Since, p.now)
	}
	without := ""
	if today.LeftOut > 0 {
		without = ", without " + format.Counted(today.LeftOut, "position")
	}
	return []string{p.todayWords(width, today.PnL, words+without, without)}
}

// todayWords is the line of today, with the first of the words for which there is room.
func (p *content) todayWords(width int, amount model.Amount, words ...string) string {
	l := draw.NewLine(width).Space(1).Put(p.styles.Strong, p.format.Asset(p.of.ID)).Put(draw.Plain, " today").Space(2)
	return l.PutNumber(p.styles.Profit(amount.Sign()), p.amount(amount)).PutWhole(p.styles.Dim, words...).String()
}

// daysOf returns the days of the asset; nil if there are none, and in rewind and what if.
func (p *content) daysOf() *history.DayLine {
	if p.isPast {
		return nil
	}
	if of := store.DaysOf(p.store, p.of.ID); of != nil && len(of.Days) > 0 {
		return of
	}
	return nil
}

// clock is a time of today.
func (p *content) clock(at time.Time) string { return p.format.Local(at).Format(time.TimeOnly) }

// gapWords says for how many days no total is known.
func gapWords(days int) string { return format.Counted(days, "day") + " without a run" }

// dayLines are the bars of all days, the newest first.
func (p *content) dayLines(width int) []string {
	of := p.daysOf()
	switch {
	case p.isPast:
		return []string{"", draw.Centred(width, draw.Plain, "Days are of now: not in rewind, and not in what if.")}
	case of == nil && store.IsOfRecording(p.store):
		return []string{"", draw.Centred(width, draw.Plain, "A recording has no days.")}
	case of == nil:
		lines := []string{""}
		for _, words := range draw.WrapWords("No day yet: a day has the totals of current and complete rows whose assets are known.", max(width-2, 1)) {
			lines = append(lines, draw.Text(width, draw.Plain, " "+words))
		}
		return lines
	}
	var largest model.Amount
	var changes []history.DayChange
	for place := range of.Days {
		change := of.Change(place)
		changes = append(changes, change)
		if model.Share(change.Change, largest, draw.BarLength, of.Decimals) == draw.BarLength || largest.IsZero() {
			largest = change.Change
		}
	}
	today := store.DaysIn(p.store).Date(p.format.Local(p.now))
	var bars []draw.Bar
	for _, change := range slices.Backward(changes) {
		bar := p.dayBar(change, width < twoColumnsFrom)
		if change.Date == today {
			bar.Name += " today"
		}
		bar.Length = model.Share(change.Change, largest, draw.BarLength, of.Decimals)
		if bars = append(bars, bar); change.Gap > 0 {
			words := gapWords(change.Gap)
			if width < twoColumnsFrom {
				words = format.Counted(change.Gap, "day") + ", no run"
			}
			bars = append(bars, draw.Bar{Name: "  " + words, Style: p.styles.Dim})
		}
	}
	return draw.Bars(width, bars)
}

// dayBar is the bar of a day without its length, with fewer words on a narrow page.
func (p *content) dayBar(change history.DayChange, isNarrow bool) draw.Bar {
	bar := draw.Bar{Name: change.Date, Value: "not known", Style: p.styles.Dim}
	if day, err := time.Parse(time.DateOnly, change.Date); err == nil && isNarrow {
		bar.Name = day.Format("2 Jan")
	} else if err == nil {
		bar.Name = day.Format("Mon " + time.DateOnly)
	}
	if !change.Change.IsNumber() {
		return bar
	}
	bar.Value, bar.Style = p.amount(change.Change), p.styles.Profit(change.Change.Sign())
	switch days := format.Grouped(change.Gap + 1); {
	case change.Gap > 0 && isNarrow:
		bar.Value = days + " days " + bar.Value
	case change.Gap > 0:
		bar.Value = "over " + days + " days " + bar.Value
	case change.IsFirst && !isNarrow:
		bar.Value = "from " + p.clock(change.Since.At) + " " + bar.Value
	}
	return bar
}
