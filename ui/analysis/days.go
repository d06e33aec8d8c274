package analysis

import (
	"fmt"
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
	days := p.days()
	if len(days) == 0 {
		return nil
	}
	today := &days[len(days)-1]
	if today.IsFirst && !today.First.Before(p.of.Since) {
		return nil // the line of the session says it
	}
	if today.Date != store.DaysIn(p.store).Date(p.format.Local(p.now)) {
		return nil
	}
	amount, since := today.Change, " since "+p.clock(today.First)
	var words []string
	switch {
	case today.IsFirst && today.Before == "":
		words = []string{since + ", its first total; no day before is known", since}
	case today.IsFirst:
		words = []string{since + ", its first total", since}
	case today.Gap > 0:
		amount = today.Own
		before := p.amount(today.Change) + " since " + today.Before
		words = []string{since + ", its first total; " + before + ", " + gapWords(today.Gap) + " between",
			since + "; " + before + ", " + gapWords(today.Gap), since + "; " + before, "; " + before + ", a gap"}
	default:
		since = " since the last total of the day before, " + p.format.ShortClockOn(today.Since, p.now)
		words = []string{since, " since " + p.format.ShortClockOn(today.Since, p.now)}
	}
	if !amount.IsNumber() {
		return nil
	}
	return []string{p.todayWords(width, amount, withParties(today, words)...)}
}

// withParties returns words about a day that say that it is counted by party, if it is.
func withParties(day *history.DayChange, words []string) []string {
	if day.Parties == 0 {
		return words
	}
	var all []string
	if day.NewSince > 0 && !day.IsFirst {
		all = append(all, fmt.Sprintf("%s, by party, %d of %d since the first total of today", words[1], day.NewSince, day.Parties))
	}
	for _, each := range append(words, "") {
		all = append(all, each+", by party")
	}
	return all
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

// days are the changes of the days in the asset, the oldest first; none in rewind and what if.
func (p *content) days() []history.DayChange {
	if p.isPast {
		return nil
	}
	return store.DaysOf(p.store, p.of.ID)
}

// clock is a time of today.
func (p *content) clock(at time.Time) string { return p.format.Local(at).Format(time.TimeOnly) }

// gapWords says for how many days no total is known.
func gapWords(days int) string { return format.Counted(days, "day") + " without a run" }

// dayLines are the bars of all days, the newest first.
func (p *content) dayLines(width int) []string {
	changes := p.days()
	switch {
	case p.isPast:
		return []string{"", draw.Centred(width, draw.Plain, "Days are of now: not in rewind, and not in what if.")}
	case len(changes) == 0 && store.IsOfRecording(p.store):
		return []string{"", draw.Centred(width, draw.Plain, "A recording has no days.")}
	case len(changes) == 0:
		lines := []string{""}
		for _, words := range draw.WrapWords("No day yet: a day has the totals of current and complete rows whose assets are known.", max(width-2, 1)) {
			lines = append(lines, draw.Text(width, draw.Plain, " "+words))
		}
		return lines
	}
	var largest model.Amount
	for i := range changes {
		if change := changes[i].Change; model.Share(change, largest, draw.BarLength, p.decimals()) == draw.BarLength || largest.IsZero() {
			largest = change
		}
	}
	today := store.DaysIn(p.store).Date(p.format.Local(p.now))
	var bars []draw.Bar
	for _, change := range slices.Backward(changes) {
		bar := p.dayBar(&change, width < twoColumnsFrom)
		if change.Date == today {
			bar.Name += " today"
		}
		bar.Length = model.Share(change.Change, largest, draw.BarLength, p.decimals())
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
func (p *content) dayBar(change *history.DayChange, isNarrow bool) draw.Bar {
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
		bar.Value = "from " + p.clock(change.Since) + " " + bar.Value
	}
	if change.Missing > 0 {
		bar.Value = fmt.Sprintf("%d of %d parties ", change.Parties, change.Parties+change.Missing) + bar.Value
	}
	return bar
}
