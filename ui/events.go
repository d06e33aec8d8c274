package ui

import (
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/keys"
	"blotter/ui/table"
)

// events are the events of the positions in scope since the program began, and the list on their page.
type events struct {
	log    *event.Log
	since  time.Time
	list   *view.Events // the events on the page; nil while it is closed
	window table.Window[uint64]
	moved  bool // the trader has moved the cursor; else it is on the newest event
	filter string
	widths table.Widths
	// rewinds is set where a recording was jumped back in, until its first snapshot comes.
	rewinds bool
}

func newEvents(now time.Time) events { return events{log: new(event.Log), since: now} }

// noteChange adds the event of a change to the log, where there is one. It is a book.ChangeObserver.
func (m *Model) noteChange(before, after *model.Position, source book.ChangeSource) {
	if before != nil && after != nil && before.HasSameHolding(after) {
		return // most updates: the clock is not read for them
	}
	noteEvent(m.events.log, &m.data.scope, m.serviceNow(), before, after, source)
}

func noteEvent(log *event.Log, scope *model.Scope, serviceNow time.Time, before, after *model.Position, source book.ChangeSource) {
	if e, ok := event.New(before, after, source, serviceNow); ok && scope.Covers(book.ChangedKey(before, after)) {
		log.Add(e)
	}
}

// snapshotEvents adds the events that a snapshot shows to a log. It is called in a command.
func (d *data) snapshotEvents(log *event.Log, b *book.Book, s *book.Snapshot) {
	if d.rewound[s.Subscription] {
		return
	}
	b.SnapshotChanges(s, func(before, after *model.Position, source book.ChangeSource) {
		noteEvent(log, &d.scope, d.seenAt, before, after, source)
	})
}

// rewindEvents notes that a recording is played again from its beginning. The first snapshot of each subscription then
// has no events, and a new log begins with it.
func (m *Model) rewindEvents() {
	m.data.rewound = make(map[model.Subscription]bool)
	for _, s := range m.data.subscriptions {
		m.data.rewound[s] = true
	}
	m.events.rewinds = true
}

// restartEvents begins a new log with the first of some snapshots after a jump back.
func (m *Model) restartEvents(snapshots []book.Snapshot) {
	isFirst := func(s book.Snapshot) bool { return m.data.rewound[s.Subscription] }
	if m.events.rewinds && slices.ContainsFunc(snapshots, isFirst) {
		m.events.log, m.events.rewinds = new(event.Log), false
		m.dropAfter(m.rewindTo) // what was added since the jump is of the time before it
		if m.events.list != nil {
			m.listEvents()
		}
	}
}

// rewoundWithout returns a set of subscriptions without those that have a snapshot.
func rewoundWithout(rewound map[model.Subscription]bool, snapshots []book.Snapshot) map[model.Subscription]bool {
	rest := maps.Clone(rewound)
	for i := range snapshots {
		delete(rest, snapshots[i].Subscription)
	}
	return rest
}

// updateEvents brings the list of the page up to date, and its cursor.
func (m *Model) updateEvents(l *layout) {
	e := &m.events
	if e.list == nil {
		return
	}
	e.list.Update()
	if !e.moved {
		e.window.MoveTo(e.list, 0)
	}
	e.window.AdjustHeld(e.list, m.eventRoom(l))
}

// refilterEvents matches the events again where the result may have changed: because of ages, or of names that were
// learned.
func (m *Model) refilterEvents() {
	list := m.events.list
	if list != nil && (list.Query().UsesTime() || list.Context().Instruments != m.data.instruments) {
		m.listEvents()
	}
}

// listEvents makes the list of the page.
func (m *Model) listEvents() {
	query, _ := filter.ParseEvents(m.events.filter) // no query, where it is refused
	context := filter.Context{Instruments: m.data.instruments, Now: m.serviceNow().In(m.options.Location)}
	m.events.list = view.NewEvents(m.events.log, query, context)
}

// setEventFilter narrows the list to the events that match a text, as a step; an empty text matches all.
func (m *Model) setEventFilter(text string) {
	m.steps.setStep(eventFilterStep, text != "")
	if m.events.filter != text {
		m.events.filter = text
		m.listEvents()
	}
}

// closeEvents drops the list when its page is closed.
func (m *Model) closeEvents() {
	m.steps.remove(eventFilterStep, noPage)
	m.events.list, m.events.filter = nil, ""
}

// selectedEvent is the event under the cursor, nil where there is none.
func (m *Model) selectedEvent() *event.Event {
	e := &m.events
	if e.list == nil {
		return nil
	}
	event, _ := e.list.At(e.window.Place())
	return event
}

func (m *Model) showEvents() tea.Cmd {
	m.open(eventsPage)
	m.events.moved = false
	m.listEvents()
	return nil
}

func (m *Model) moveEvents(rows int) tea.Cmd {
	m.events.moved = true
	m.events.window.MoveBy(m.events.list, rows)
	return nil
}

func (m *Model) moveEventScreens(screens int) tea.Cmd {
	m.events.moved = true
	m.events.window.PageBy(m.events.list, screens)
	return nil
}

func (m *Model) eventUp() tea.Cmd         { return m.moveEvents(-1) }
func (m *Model) eventDown() tea.Cmd       { return m.moveEvents(+1) }
func (m *Model) eventHalfUp() tea.Cmd     { return m.moveEvents(-max(m.events.window.Height()/2, 1)) }
func (m *Model) eventHalfDown() tea.Cmd   { return m.moveEvents(+max(m.events.window.Height()/2, 1)) }
func (m *Model) eventScreenUp() tea.Cmd   { return m.moveEventScreens(-1) }
func (m *Model) eventScreenDown() tea.Cmd { return m.moveEventScreens(+1) }
func (m *Model) oldestEvent() tea.Cmd     { return m.moveEvents(+m.events.list.Len()) }

// newestEvent puts the cursor on the newest event, also when newer events come.
func (m *Model) newestEvent() tea.Cmd {
	m.events.moved = false
	return nil
}

// positionOfEvent puts the cursor of the table on the position of the event.
func (m *Model) positionOfEvent() tea.Cmd {
	if m.goTo(m.selectedEvent().Key, "The service no longer has this position, or it is not in the scope.") {
		m.closePages()
	}
	return nil
}

// noEvent returns why there is no event to do something with; empty where there is one.
func (m *Model) noEvent() string {
	if m.selectedEvent() == nil {
		return "no event is selected"
	}
	return ""
}

func eventKeys() group {
	return group{Title: "events", Actions: []action{
		{Name: "up", Keys: []string{"up", "k"}, Help: "up", Do: (*Model).eventUp},
		{Name: "down", Keys: []string{"down", "j"}, Help: "down", Do: (*Model).eventDown},
		{Name: "half_screen_up", Keys: []string{"ctrl+u"}, Help: "half a screen up", Do: (*Model).eventHalfUp},
		{Name: "half_screen_down", Keys: []string{"ctrl+d"}, Help: "half a screen down", Do: (*Model).eventHalfDown},
		{Name: "screen_up", Keys: []string{"pgup", "ctrl+b"}, Help: "a screen up", Do: (*Model).eventScreenUp},
		{Name: "screen_down", Keys: []string{"pgdown", "ctrl+f"}, Help: "a screen down", Do: (*Model).eventScreenDown},
		{Name: "first", Keys: []string{"home", "g"}, Help: "newest, and stay there", Do: (*Model).newestEvent},
		{Name: "last", Keys: []string{"end", "G"}, Help: "oldest event", Do: (*Model).oldestEvent},
		{Name: "filter", Keys: []string{"/"}, Help: "filter the events", Hint: "filter", Priority: 1, Do: (*Model).startEventFilter},
		{Name: "position_of_event", Keys: []string{"enter"}, Help: "position of this event", Hint: "position", Priority: 2, Do: (*Model).positionOfEvent, Unavailable: (*Model).noEvent},
		{Name: "copy_row", Keys: []string{"y"}, Help: "copy this event", Hint: "copy", Priority: 3, Do: (*Model).copyEvent, Unavailable: (*Model).noEvent},
		{Name: "copy_rows", Keys: []string{"Y"}, Help: "copy all events listed", Hint: "copy all", Priority: 4, Do: (*Model).copyEvents, Unavailable: (*Model).noEvent},
		{Name: "back", Keys: keys.Esc, Help: "one step back", Hint: "back", Priority: 5, Do: (*Model).back, Unavailable: (*Model).noStep},
	}}
}
