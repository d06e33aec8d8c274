package replay

import (
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/history"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Bar is the line that shows where the past is between its oldest time and now: the total PnL of an asset, as far as it
// is known, with marks for alerts and close-outs. Progress of Bubbles has no marks.
type Bar struct {
	oldest time.Time
	span   time.Duration
	live   func() time.Time // the clock of the service
	asset  model.ID         // whose total is shown; zero if none is
	levels []int            // of the total, of barParts parts; empty if none is known
	marks  [barParts]mark
}

// barParts is how many parts of the past have a level and a mark of their own. Few screens are wider.
const barParts = 512

// mark is what has happened in a part of the past. Close-outs are shown before alerts.
type mark struct {
	isAlert   bool
	closeOuts int
	first     model.Key // of the positions that were closed out
}

// newBar returns the bar of a recording, with marks for its close-outs. It reads all of its events, so it is called in
// a command.
func newBar(past Past) *Bar {
	oldest, newest := past.Range()
	b := &Bar{oldest: oldest, span: max(newest.Sub(oldest), 1)}
	log, troubles := new(event.Log), event.Troubles{Present: new(event.Present)}
	for _, e := range past.Events(newest) {
		troubles.Take(log, e)
	}
	for number, e := range log.Lasting() {
		if e.Story != nil && e.Story.Ended == number && e.Story.Outcome == event.ClosedOut {
			b.mark(e.SeenAt(), func(m *mark) {
				m.closeOuts++
				m.first = e.Key // the newest comes first
			})
		}
	}
	return b
}

// Begin begins to draw the bar of a service that goes on, with what its store knows: the total of its first asset, and
// when alerts began. These times are by the clock of now. If that was set back, it is behind the clock of the
// recording: what counts is how long ago they were.
func (b *Bar) Begin(of *store.Store, live func() time.Time) {
	b.live = live
	now := of.ServiceNow()
	for _, at := range of.Alerts().Began() {
		b.mark(live().Add(-model.Elapsed(now, at)), func(m *mark) { m.isAlert = true })
	}
	if assets := of.Moves().Assets(); len(assets) > 0 {
		from := of.Now().Add(-live().Sub(b.oldest))
		b.asset = assets[0].ID
		b.levels = assets[0].Totals[history.Both].LevelsBetween(from, from.Add(b.span), barParts, draw.SparklineLevels)
	}
}

// mark changes the mark of a time, if the bar has it.
func (b *Bar) mark(at time.Time, do func(*mark)) {
	if place := b.place(at, barParts); place >= 0 && place < barParts {
		do(&b.marks[place])
	}
}

// place returns which of the given number of equal parts of the past has a time.
func (b *Bar) place(at time.Time, parts int) int {
	return int(float64(at.Sub(b.oldest)) / float64(b.span) * float64(parts))
}

// ends returns what is at the left and at the right of the cells of the bar, and how many cells there are.
func (b *Bar) ends(c *pane.Context, width int) (from, to string, cells int) {
	clock := func(at time.Time) string { return c.Store.Format().Local(at).Format("15:04") }
	from, to = " "+clock(b.oldest)+" ", " "+clock(b.oldest.Add(b.span))
	if live := clock(b.live()); strings.HasSuffix(to, live) {
		to += " live"
	} else {
		to += ", live " + live
	}
	return from, to, max(width-draw.Width(from)-draw.Width(to), 1)
}

// Draw draws the bar with the time that is shown. If the marks have no line of their own, they are in it. What the
// service has sent since the past was opened is not in it.
func (b *Bar) Draw(c *pane.Context, width int, hasMarks bool) string {
	from, to, cells := b.ends(c, width)
	shown := max(min(b.place(c.Store.Now(), cells), cells-1), 0)
	line := draw.NewLine(width).Put(c.Styles.Dim, from)
	for cell := range cells {
		mark := b.markOf(cell, cells)
		switch text := mark.text(); {
		case cell == shown:
			line.Put(c.Styles.Brand, "●")
		case text != "" && !hasMarks:
			line.Put(c.Styles.Alarm, text)
		default:
			b.putLevel(line, c, cell, cells)
		}
	}
	return line.Put(c.Styles.Dim, to).String()
}

// putLevel puts the lowest level of one of the given number of cells, or a line if none is known.
func (b *Bar) putLevel(line *draw.Line, c *pane.Context, cell, cells int) {
	lowest := model.NoLevel
	if len(b.levels) > 0 {
		from, to := partsOf(cell, cells)
		for _, level := range b.levels[from:to] {
			if level != model.NoLevel && (lowest == model.NoLevel || level < lowest) {
				lowest = level
			}
		}
	}
	if lowest == model.NoLevel {
		line.Put(c.Styles.Dim, "─")
		return
	}
	line.Put(c.Styles.Quiet, draw.SparklineBar(lowest))
}

// Marks draws the line of the marks: with the markets of close-outs, as far as there is room.
func (b *Bar) Marks(c *pane.Context, width int) string {
	from, _, cells := b.ends(c, width)
	line := draw.NewLine(width)
	if !b.asset.IsZero() {
		line.Space(1).Put(c.Styles.Dim, draw.Cut(c.Store.Format().Asset(b.asset), draw.Width(from)-2))
	}
	for cell := 0; cell < cells; cell++ {
		mark := b.markOf(cell, cells)
		if mark.text() == "" {
			continue
		}
		line.To(draw.Width(from)+cell).Put(c.Styles.Alarm, mark.text())
		if mark.closeOuts == 0 {
			continue
		}
		words := " " + c.Store.Format().Market(mark.first.Market)
		if mark.closeOuts > 1 {
			words += fmt.Sprintf(" +%d", mark.closeOuts-1)
		}
		room := 1
		for room < line.Left() && (cell+room >= cells || b.isFree(cell+room, cells)) {
			room++
		}
		if draw.Width(words) < room {
			line.Put(draw.Plain, words)
		}
	}
	return line.String()
}

func (b *Bar) isFree(cell, cells int) bool {
	mark := b.markOf(cell, cells)
	return mark.text() == ""
}

// TimeAt returns the time of a cell of a line that was drawn for a width, and false if it is beside the bar.
func (b *Bar) TimeAt(c *pane.Context, width, x int) (time.Time, bool) {
	from, _, cells := b.ends(c, width)
	cell := x - draw.Width(from)
	return b.oldest.Add(time.Duration(float64(b.span) * (float64(cell) + 0.5) / float64(cells))), cell >= 0 && cell < cells
}

// text is the character of a mark; empty if nothing has happened.
func (m *mark) text() string {
	switch {
	case m.closeOuts > 0:
		return "×"
	case m.isAlert:
		return "!"
	}
	return ""
}

// partsOf returns which parts one of the given number of cells has.
func partsOf(cell, cells int) (from, to int) {
	from = cell * barParts / cells
	return from, max((cell+1)*barParts/cells, from+1)
}

// markOf returns the mark of one of the given number of cells.
func (b *Bar) markOf(cell, cells int) (all mark) {
	from, to := partsOf(cell, cells)
	for _, each := range b.marks[from:to] {
		all.isAlert = all.isAlert || each.isAlert
		if all.closeOuts == 0 {
			all.first = each.first
		}
		all.closeOuts += each.closeOuts
	}
	return all
}
