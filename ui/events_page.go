package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/table"
)

// eventFootHeight is how many lines below the list show the whole event under the cursor, on a page of at least
// eventFootFrom lines.
const (
	eventFootHeight = 3
	eventFootFrom   = 12
)

// eventRoom returns how many events the page has room for, between its title, heading and foot.
func (m *Model) eventRoom(l *layout) int {
	if l.middle < eventFootFrom {
		return max(l.middle-2, 0)
	}
	return l.middle - 2 - eventFootHeight
}

// drawEvents draws the page, its title first.
func (m *Model) drawEvents(width, height int) []string {
	e := &m.events
	title := "events"
	if e.filter != "" && !m.filter.open {
		title += " · " + format.OneLine(e.filter)
	}
	lines := []string{draw.Rule(width, m.styles.Brand, m.styles.Dim, title, m.eventNotes()...)}
	if e.list.Len() == 0 {
		words := "Nothing has happened since " + m.format.Clock(e.since) + "."
		if e.filter != "" {
			words = "No event matches; esc clears the filter."
		}
		return append(lines, "", draw.Centred(width, draw.Plain, words))
	}
	l := m.layout()
	lines = append(lines, m.drawEventList(width, m.eventRoom(&l))...)
	if height >= eventFootFrom {
		lines = append(draw.Fit(lines, height-eventFootHeight), m.drawEventFoot(width)...)
	}
	return lines
}

// listedEvents returns how many events are listed, and of how many.
func (m *Model) listedEvents() string {
	e := &m.events
	words := model.Counted(e.list.Len(), "event")
	if e.filter != "" {
		words += " of " + format.Grouped(e.log.Len())
	}
	return words
}

// eventNotes are the notes of the title: how many events are listed, and how many are not. Shorter ones are
// for narrow screens.
func (m *Model) eventNotes() []string {
	e := &m.events
	words := m.listedEvents()
	long := words
	if above := e.window.Top(); above > 0 {
		long = format.Grouped(above) + " newer above · " + long
	}
	if dropped := e.log.Dropped(); dropped > 0 {
		long += " · " + format.Grouped(dropped) + " older dropped"
	}
	if missed := e.log.Missed(); missed > 0 {
		long += " · " + format.Grouped(missed) + " missed: too many at once"
	}
	return []string{long + " · esc back", long, words}
}

// The columns of the list.
const (
	eventTimeColumn = iota
	eventMarketColumn
	eventPartyColumn
	eventWordsColumn
)

// drawEventList draws the heading and the events on the screen.
func (m *Model) drawEventList(width, height int) []string {
	e := &m.events
	t := table.Table{Chosen: -1, Styles: m.styles.Table(), Widths: &e.widths, Now: m.now(), Columns: []table.Column{
		eventTimeColumn:   {Title: " TIME", Min: 9, Max: 21, Keep: 2},
		eventMarketColumn: {Title: "MARKET", Name: true, Min: 9, Max: 24, Keep: 4},
		eventPartyColumn:  {Title: "PARTY", Name: true, Min: 9, Max: 24, Keep: 3},
		eventWordsColumn:  {Title: "EVENT", Min: 12, Max: width, Keep: table.Always},
	}}
	shown := e.shown(height)
	for _, event := range shown {
		m.format.Label(event.Key)
	}
	room := width - 1
	for _, c := range t.Columns[:eventWordsColumn] {
		room -= c.Min + 1
	}
	words := &t.Columns[eventWordsColumn]
	var rows []table.Row
	for i, event := range shown {
		row := table.Row{Mark: " ", Cells: m.eventCells(event, max(room, words.Min))}
		if e.window.Top()+i == e.window.Place() {
			row.Mark, row.Cursor = "▌", true
		}
		words.Min = max(words.Min, draw.Width(row.Cells[eventWordsColumn].Text))
		rows = append(rows, row)
	}
	return t.Draw(rows, width)
}

// shown returns the events on the screen, at most most of them.
func (e *events) shown(most int) []*event.Event {
	var shown []*event.Event
	for place := e.window.Top(); place < min(e.list.Len(), e.window.Top()+most); place++ {
		if event, ok := e.list.At(place); ok {
			shown = append(shown, event)
		}
	}
	return shown
}

// eventCells formats an event for the list, its words in at most room cells.
func (m *Model) eventCells(e *event.Event, room int) []table.Cell {
	return []table.Cell{
		eventTimeColumn:   {Text: m.eventClock(e), Style: m.styles.Quiet},
		eventMarketColumn: {Text: m.format.Market(e.Market)},
		eventPartyColumn:  {Text: m.format.Party(e.Party)},
		eventWordsColumn:  {Text: m.fitEventWords(e, room), Style: m.eventStyle(e)},
	}
}

// eventStyle returns the style of an event: that of an alarm or a warning where its status is one.
func (m *Model) eventStyle(e *event.Event) draw.Style {
	after := e.After()
	switch {
	case e.Kinds&event.StatusChanged != 0 && after.Status == model.StatusDistressed:
		return m.styles.Alarm
	case e.Kinds&event.StatusChanged != 0 && after.Status != model.StatusUnspecified, e.Kinds&event.LossSocialised != 0:
		return m.styles.Warning
	}
	return draw.Plain
}

// eventClock is the time of an event, with ≤ where it happened some time before, and with the day where that is not
// today.
func (m *Model) eventClock(e *event.Event) string {
	at, exact := e.At()
	at = m.format.Local(at)
	clock := at.Format("15:04:05")
	const day = "01-02 "
	if at.Format(day) != m.format.Local(m.now()).Format(day) {
		clock = at.Format(day) + clock
	}
	if !exact {
		return "≤" + clock
	}
	return " " + clock
}

// eventWords returns the words of an event, one text for each kind, with every digit.
func (m *Model) eventWords(e *event.Event) []string {
	in := m.data.instruments
	words := e.Words(func(field model.Field, a model.Amount) string {
		text := format.Exact(a, in.Decimals(field, e.Market), format.HasSign(field))
		if asset := in.Market(e.Market).Asset; field == model.LossSocialisationAmount && !asset.IsZero() {
			text += " " + m.format.Asset(asset)
		}
		return text
	})
	for i := range words {
		words[i] = m.format.Change(format.Text(words[i]))
	}
	return words
}

// fitEventWords returns what happened in at most the given number of cells. Where there is no room for all of it, the
// last kinds are left out, or all numbers: a part of a number would be another one.
func (m *Model) fitEventWords(e *event.Event, room int) string {
	words := m.eventWords(e)
	if whole := strings.Join(words, eventWordsGap); draw.Width(whole) <= room {
		return whole
	}
	const more = "; …"
	for n := len(words) - 1; n > 0; n-- {
		if part := strings.Join(words[:n], eventWordsGap) + more; draw.Width(part) <= room {
			return part
		}
	}
	return draw.Cut(strings.Join(e.Kinds.Names(), ", ")+" …", room)
}

// eventWordsGap separates two kinds of an event.
const eventWordsGap = "; "

// drawEventFoot draws all about the event under the cursor.
func (m *Model) drawEventFoot(width int) []string {
	e := m.selectedEvent()
	at, exact := e.At()
	when := []string{m.format.Timestamp(at), m.format.ClockOn(at, m.now())}
	if !exact {
		when = []string{"before " + m.format.ClockOn(at, m.now()) + ", " + e.SourceWords(), "before " + m.format.ClockOn(at, m.now())}
	}
	title := m.format.Market(e.Market) + " · " + m.format.Party(e.Party)
	lines := []string{draw.Rule(width, m.styles.Dim, m.styles.Dim, title, when...)}
	for _, part := range draw.Wrap(strings.Join(m.eventWords(e), eventWordsGap), max(width-2, 1)) {
		lines = append(lines, draw.Text(width, m.eventStyle(e), " "+part))
	}
	return draw.Fit(lines, eventFootHeight)
}

// maxLatestEvents is how many events the side pane shows.
const maxLatestEvents = 6

// latestEventLines are the latest events in scope, for the side pane. Each is on one line: its time, its position and
// what happened, or only the kinds where there is no room.
func (m *Model) latestEventLines(width int) []string {
	log := m.events.log
	lines := []string{draw.Rule(width, m.styles.Dim, m.styles.Dim, "latest events", m.keys.Fill("{events} all of them"))}
	if log.Len() == 0 {
		return append(lines, draw.Text(width, m.styles.Dim, " none since "+m.format.Clock(m.events.since)))
	}
	for number := log.Count(); number >= log.Oldest() && len(lines) <= maxLatestEvents; number-- {
		e, _ := log.Numbered(number)
		l := draw.NewLine(width).Put(m.styles.Quiet, m.eventClock(e)).Space(1)
		l.Put(draw.Plain, draw.CutMiddle(m.format.Position(e.Key), max(l.Left()/2, 1))).Space(1)
		lines = append(lines, l.Put(m.eventStyle(e), m.fitEventWords(e, l.Left())).String())
	}
	return lines
}

// startEventFilter opens the prompt for the filter of the events.
func (m *Model) startEventFilter() tea.Cmd {
	m.filter = filterPrompt{open: true, line: input.New(m.events.filter)}
	return nil
}

// copyEvent sends the selected event to the terminal's clipboard.
func (m *Model) copyEvent() tea.Cmd {
	e := m.selectedEvent()
	m.notify(sentToClipboard + m.format.Market(e.Market) + " · " + m.format.Party(e.Party) + ".")
	return tea.SetClipboard(m.copiedEvent(e))
}

// copyEvents sends all events of the list to the terminal's clipboard.
func (m *Model) copyEvents() tea.Cmd {
	return m.copyLines("event", m.events.list.Len(), func(yield func(string) bool) {
		for place := range m.events.list.Len() {
			if e, ok := m.events.list.At(place); ok && !yield(m.copiedEvent(e)) {
				return
			}
		}
	})
}

// copiedEvent returns an event for a spreadsheet or a chat, as copiedLine returns a position: time, market, party,
// kinds, and size, loss and status before and after.
func (m *Model) copiedEvent(e *event.Event) string {
	in := m.data.instruments
	before, after := e.Before(), e.After()
	at, exact := e.At()
	when := m.format.Timestamp(at)
	if !exact {
		when = "before " + when
	}
	size := func(a model.Amount) string { return copiedNumber(a, in.Decimals(model.OpenVolume, e.Market)) }
	loss := func(a model.Amount) string {
		return copiedNumber(a, in.Decimals(model.LossSocialisationAmount, e.Market))
	}
	return strings.Join([]string{
		when, copiedText(in.Market(e.Market).Name), copiedText(e.Market.Label()), copiedText(in.Party(e.Party).Name), copiedText(e.Party.Label()),
		strings.Join(e.Kinds.Names(), " "), size(before.Size), size(after.Size), loss(before.LossSocialised), loss(after.LossSocialised),
		copiedText(before.StatusName), copiedText(after.StatusName),
	}, "\t") + "\n"
}
