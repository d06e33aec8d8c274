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
	"blotter/ui/events"
	"blotter/ui/input"
)

// noteChange adds the event of a change to the log, where there is one. It is a book.ChangeObserver.
func (m *Model) noteChange(before, after *model.Position, source book.ChangeSource) {
	if before != nil && after != nil && before.HasSameHolding(after) {
		return // most updates: the clock is not read for them
	}
	noteEvent(m.events.Log(), &m.data.scope, m.serviceNow(), before, after, source)
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
	m.rewinds = true
}

// restartEvents begins a new log with the first of some snapshots after a jump back.
func (m *Model) restartEvents(snapshots []book.Snapshot) {
	isFirst := func(s book.Snapshot) bool { return m.data.rewound[s.Subscription] }
	if m.rewinds && slices.ContainsFunc(snapshots, isFirst) {
		m.events.Restart(m.eventContext())
		m.rewinds = false
		m.dropAfter(m.rewindTo) // what was added since the jump is of the time before it
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

// eventContext returns what filters of events are matched with now.
func (m *Model) eventContext() filter.Context {
	return filter.Context{Instruments: m.data.instruments, Now: m.serviceNow().In(m.options.Location)}
}

// eventDrawer returns what draws events now.
func (m *Model) eventDrawer() *events.Drawer {
	return &events.Drawer{Format: m.format, Styles: &m.styles, Now: m.now()}
}

// setEventFilter narrows the list to the events that match a text, as a step; an empty text matches all.
func (m *Model) setEventFilter(text string) {
	m.steps.setStep(eventFilterStep, text != "")
	m.events.SetFilter(text, m.eventContext())
}

// closeEvents closes the page.
func (m *Model) closeEvents() {
	m.steps.remove(eventFilterStep, noPage)
	m.events.Close()
}

func (m *Model) showEvents() tea.Cmd {
	m.open(eventsPage)
	m.events.Open(m.eventContext())
	return nil
}

func (m *Model) eventUp() tea.Cmd         { m.events.MoveBy(-1); return nil }
func (m *Model) eventDown() tea.Cmd       { m.events.MoveBy(+1); return nil }
func (m *Model) eventHalfUp() tea.Cmd     { m.events.MoveHalf(-1); return nil }
func (m *Model) eventHalfDown() tea.Cmd   { m.events.MoveHalf(+1); return nil }
func (m *Model) eventScreenUp() tea.Cmd   { m.events.MoveScreens(-1); return nil }
func (m *Model) eventScreenDown() tea.Cmd { m.events.MoveScreens(+1); return nil }
func (m *Model) newestEvent() tea.Cmd     { m.events.MoveToNewest(); return nil }
func (m *Model) oldestEvent() tea.Cmd     { m.events.MoveToOldest(); return nil }

// positionOfEvent puts the cursor of the table on the position of the event.
func (m *Model) positionOfEvent() tea.Cmd {
	if m.goTo(m.events.Selected().Key, "The service no longer has this position, or it is not in the scope.") {
		m.closePages()
	}
	return nil
}

// noEvent returns why there is no event to do something with; empty where there is one.
func (m *Model) noEvent() string {
	if m.events.Selected() == nil {
		return "no event is selected"
	}
	return ""
}

// startEventFilter opens the prompt for the filter of the events.
func (m *Model) startEventFilter() tea.Cmd {
	m.filter = filterPrompt{open: true, line: input.New(m.events.Filter())}
	return nil
}

// copyEvent sends the selected event to the terminal's clipboard.
func (m *Model) copyEvent() tea.Cmd {
	e := m.events.Selected()
	m.notify(sentToClipboard + m.format.Title(e.Key) + ".")
	return tea.SetClipboard(m.clipboard().Event(e))
}

// copyEvents sends all events of the list to the terminal's clipboard.
func (m *Model) copyEvents() tea.Cmd {
	w := m.clipboard()
	return m.copyLines("event", m.events.Len(), func(yield func(string) bool) {
		for e := range m.events.All() {
			if !yield(w.Event(e)) {
				return
			}
		}
	})
}
