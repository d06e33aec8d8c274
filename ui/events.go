package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/clipboard"
	"blotter/ui/events"
	"blotter/ui/input"
	"blotter/ui/pane"
)

// eventDrawer returns what draws events now.
func (m *Model) eventDrawer() *events.Drawer {
	return &events.Drawer{Format: m.store.Format(), Styles: &m.styles, Now: m.store.ServiceNow()}
}

// setEventFilter narrows the list to the events that match a text, as a step; an empty text matches all.
func (m *Model) setEventFilter(text string) {
	m.steps.setStep(eventFilterStep, text != "")
	m.events.SetFilter(text, m.store.FilterContext())
}

// closeEvents closes the page.
func (m *Model) closeEvents() {
	m.steps.remove(eventFilterStep, noPage)
	m.events.Close()
}

func (m *Model) showEvents() tea.Cmd {
	m.open(eventsPage)
	m.events.Open(m.store.FilterContext())
	return nil
}

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

// copyEvent copies the selected event.
func (m *Model) copyEvent() tea.Cmd {
	e := m.events.Selected()
	return m.apply(pane.Copy{What: m.store.Format().Title(e.Key), Text: m.clipboard().Event(e)})
}

// copyEvents copies all events of the list.
func (m *Model) copyEvents() tea.Cmd {
	w := m.clipboard()
	what, text := clipboard.Lines("event", m.events.Len(), func(yield func(string) bool) {
		for e := range m.events.All() {
			if !yield(w.Event(e)) {
				return
			}
		}
	})
	return m.apply(pane.Copy{What: what, Text: text})
}

// clipboard returns what writes lines for the terminal's clipboard.
func (m *Model) clipboard() *clipboard.Writer {
	return &clipboard.Writer{View: m.store.View(), Format: m.store.Format()}
}
