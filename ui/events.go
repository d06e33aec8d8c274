package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/input"
)

// setEventFilter narrows the list to the events that match a text, as a step; an empty text matches all.
func (m *Model) setEventFilter(text string) {
	m.steps.set(eventFilterStep{}, text != "")
	m.events.SetFilter(text, m.store.FilterContext())
}

// closeEvents closes the page.
func (m *Model) closeEvents() {
	m.steps.remove(eventFilterStep{})
	m.events.Close()
}

func (m *Model) showEvents() tea.Cmd {
	m.open(eventsPage)
	m.events.Open(m.store.FilterContext())
	return nil
}

// startEventFilter opens the prompt for the filter of the events.
func (m *Model) startEventFilter() tea.Cmd {
	m.filter = filterPrompt{open: true, line: input.New(m.events.Filter())}
	return nil
}
