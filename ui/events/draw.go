package events

import (
	"strings"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
	"blotter/ui/theme"
)

type drawer struct {
	Format *format.Formatter
	Styles *theme.Styles
	Now    time.Time
}

// footHeight is how many lines below the list show the whole event under the cursor, on a page of at least footFrom
// lines.
const (
	footHeight = 3
	footFrom   = 12
)

// roomFor returns how many events a page of a height has room for, between its title, heading and foot.
func roomFor(height int) int {
	if height < footFrom {
		return max(height-2, 0)
	}
	return height - 2 - footHeight
}

// page draws the page, its title first. The title has the filter, unless that is shown elsewhere.
func (d *drawer) page(p *Page, width, height int, hidesFilter bool) []string {
	title := "events"
	if p.list.filter != "" && !hidesFilter {
		title += " · " + format.OneLine(p.list.filter)
	}
	lines := []string{draw.Rule(width, d.Styles.Brand, d.Styles.Dim, title, p.notes()...)}
	if p.list.Len() == 0 {
		words := "Nothing has happened since " + d.Format.Clock(p.since) + "."
		if p.list.filter != "" {
			words = "No event matches; esc clears the filter."
		}
		return append(lines, "", draw.Centred(width, draw.Plain, words))
	}
	lines = append(lines, d.list(p, width, roomFor(height))...)
	if height >= footFrom {
		lines = append(draw.Fit(lines, height-footHeight), d.foot(p, width)...)
	}
	return lines
}

// notes are the notes of the title: how many events are listed, and how many are not. Shorter ones are
// for narrow screens.
func (p *Page) notes() []string {
	words := p.Listed()
	long := words
	if above := p.Top(); above > 0 {
		long = format.Grouped(above) + " newer above · " + long
	}
	if dropped := p.list.Log().Dropped(); dropped > 0 {
		long += " · " + format.Grouped(dropped) + " older dropped"
	}
	if missed := p.list.Log().Missed(); missed > 0 {
		long += " · at least " + format.Grouped(missed) + " missed: too many at once"
	}
	return []string{long + " · esc back", long, words}
}

// The columns of the list.
const (
	timeColumn = iota
	marketColumn
	partyColumn
	wordsColumn
)

func (d *drawer) list(p *Page, width, height int) []string {
	t := table.Table{Chosen: -1, Styles: d.Styles.Table(), Widths: &p.widths, Columns: []table.Column{
		timeColumn:   {Title: "TIME", Number: true, Min: 8, Max: 21, Keep: 2},
		marketColumn: {Title: "MARKET", Name: true, Min: 9, Max: 24, Keep: 4},
		partyColumn:  {Title: "PARTY", Name: true, Min: 9, Max: 24, Keep: 3},
		wordsColumn:  {Title: "EVENT", Min: 9, Max: width, Keep: table.Always},
	}}
	room := width - 1
	for _, c := range t.Columns[:wordsColumn] {
		room -= c.Min + 1
	}
	words := &t.Columns[wordsColumn]
	var rows []table.Row
	last := min(p.list.Len(), p.Top()+height)
	for place := p.Top(); place < last; place++ {
		if e, events := p.list.At(place); events == 1 {
			d.Format.Label(e.Key)
		}
	}
	for place := p.Top(); place < last; place++ {
		row := table.Row{Mark: " ", Cells: d.cells(p, place, max(room, words.Min))}
		if place == p.Place() {
			row.Mark, row.Cursor = "▌", true
		}
		words.Min = max(words.Min, draw.Width(row.Cells[wordsColumn].Text))
		rows = append(rows, row)
	}
	return t.Draw(rows, width)
}

// cells formats a line of the list, with its words in at most the given number of cells.
func (d *drawer) cells(p *Page, place, room int) []draw.Cell {
	e, events := p.list.At(place)
	cells := []draw.Cell{timeColumn: {Text: d.clock(e), Style: d.Styles.Quiet, Words: true}, wordsColumn: {Style: d.style(e)}}
	if events > 1 {
		if cells[wordsColumn].Text = sharedWords(e, events); draw.Width(cells[wordsColumn].Text) > room {
			cells[wordsColumn].Text = format.Counted(events, "row")
		}
		return cells
	}
	cells[wordsColumn].Text = d.fitWords(e, room)
	if e.HasPosition() {
		cells[marketColumn].Text, cells[partyColumn].Text = d.Format.Market(e.Market), d.Format.Party(e.Party)
	}
	return cells
}

// sharedWords returns what has happened to several positions, of which this is the first.
func sharedWords(first *event.Event, events int) string {
	if first.Kinds&event.Removed != 0 {
		return format.Counted(events, "position") + " are no longer sent"
	}
	return format.Counted(events, "position") + " were corrected by an audit"
}

// style returns the style of an event: that of an alarm or a warning if its status is one, or if an alert begins.
func (d *drawer) style(e *event.Event) draw.Style {
	status := e.After().Status()
	switch {
	case e.Alert != nil && !e.Alert.Begins:
		return d.Styles.Quiet
	case e.Alert != nil, e.Kinds&event.StatusChanged != 0 && status == model.StatusDistressed:
		return d.Styles.Alarm
	case e.Kinds&event.StatusChanged != 0 && status != model.StatusUnspecified, e.Kinds&event.LossSocialised != 0:
		return d.Styles.Warning
	}
	return draw.Plain
}

// clock is the time of an event, with "by" if it happened some time before, and with the day if that is not
// today.
func (d *drawer) clock(e *event.Event) string {
	at, exact := e.At()
	at = d.Format.Local(at)
	clock := at.Format("15:04:05")
	const day = "01-02 "
	if at.Format(day) != d.Format.Local(d.Now).Format(day) {
		clock = at.Format(day) + clock
	}
	if !exact {
		return "by " + clock
	}
	return clock
}

// words returns the words of an event, one text for each kind, with every digit.
func (d *drawer) words(e *event.Event) []string {
	words := format.Event(e, format.EventNumber(e, d.Format.Instruments(), d.Format.Asset))
	for i := range words {
		words[i] = d.Format.Change(format.Text(words[i]))
	}
	return words
}

// fitWords returns what happened in at most the given number of cells. If there is no room for all of it, the
// last kinds are left out, or all numbers: a part of a number would be another one.
func (d *drawer) fitWords(e *event.Event, room int) string {
	words := d.words(e)
	if whole := strings.Join(words, wordsGap); draw.Width(whole) <= room {
		return whole
	}
	const more = "; …"
	for n := len(words) - 1; n > 0; n-- {
		if part := strings.Join(words[:n], wordsGap) + more; draw.Width(part) <= room {
			return part
		}
	}
	kinds := e.Kinds.Names()
	for n := len(kinds); n > 1; n-- {
		if names := strings.Join(kinds[:n], ", ") + " …"; draw.Width(names) <= room {
			return names
		}
	}
	return draw.Cut(kinds[0]+" …", room)
}

// wordsGap separates two kinds of an event.
const wordsGap = "; "

// foot draws all about the event under the cursor. Of several that share its line it names the first ones.
func (d *drawer) foot(p *Page, width int) []string {
	e, events := p.Selected()
	at, exact := e.At()
	when := []string{d.Format.Timestamp(at), d.Format.ClockOn(at, d.Now)}
	if !exact {
		when = []string{"before " + d.Format.ClockOn(at, d.Now) + ", " + format.EventSource(e), "before " + d.Format.ClockOn(at, d.Now)}
	}
	title, words := titleOf(e, d.Format), strings.Join(d.words(e), wordsGap)
	if events > 1 {
		title, words = format.Counted(events, "position"), sharedWords(e, events)+": "+d.firstNames(p)
	}
	lines := []string{draw.Rule(width, d.Styles.Dim, d.Styles.Dim, title, when...)}
	for _, part := range draw.Wrap(words, max(width-2, 1)) {
		lines = append(lines, draw.Text(width, d.style(e), " "+part))
	}
	return draw.Fit(lines, footHeight)
}

// firstNames returns the names of the first positions of the line under the cursor.
func (d *drawer) firstNames(p *Page) string {
	var names []string
	for e := range p.list.Of(p.Place()) {
		if len(names) == footHeight {
			break
		}
		names = append(names, d.Format.Position(e.Key))
	}
	return strings.Join(names, ", ") + ", …"
}

// titleOf returns what an event is about: its position, a group, or the feed.
func titleOf(e *event.Event, f *format.Formatter) string {
	switch {
	case e.HasPosition():
		return f.Title(e.Key)
	case e.Alert.Group != nil:
		return "group " + format.OneLine(e.Alert.Group.Name)
	}
	return "the feed"
}

// maxLatest is how many of the latest events are drawn.
const maxLatest = 6

// latest draws the latest events of a log, which began at a time, below a title with a note. Each is on one line: its
// time, its position and what happened, or only the kinds if there is no room.
func (d *drawer) latest(log *event.Log, since time.Time, note string, width int) []string {
	lines := []string{draw.Rule(width, d.Styles.Dim, d.Styles.Dim, "latest events", note)}
	if log.Len() == 0 {
		return append(lines, draw.Text(width, d.Styles.Dim, " none since "+d.Format.Clock(since)))
	}
	for number := log.Count(); number >= log.Oldest() && len(lines) <= maxLatest; number-- {
		e, _ := log.Numbered(number)
		l := draw.NewLine(width).Space(1).Put(d.Styles.Quiet, d.clock(e)).Space(1)
		if e.HasPosition() {
			l.Put(draw.Plain, draw.CutMiddle(d.Format.Position(e.Key), max(l.Left()/2, 1))).Space(1)
		}
		lines = append(lines, l.Put(d.style(e), d.fitWords(e, l.Left())).String())
	}
	return lines
}
