package ui

import (
	"blotter/model/filter"
	"strings"

	tea "charm.land/bubbletea/v2"
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

// setFilter narrows the table to the rows that match a text, as a step; an empty text matches all rows.
func (m *Model) setFilter(text string) tea.Cmd {
	m.steps.set(filterStep{}, strings.TrimSpace(text) != strings.TrimSpace(m.steps.appliedFilter()))
	settings := m.store.Settings()
	settings.Filter = text
	return m.store.Set(settings)
}

// setUnderstood sets the filter of the first view to what can be parsed of a text, and reports what cannot.
func (m *Model) setUnderstood(text string) {
	m.steps.set(filterStep{}, strings.TrimSpace(m.store.Settings().Filter) != strings.TrimSpace(m.steps.appliedFilter()))
	if wrong := filter.Wrong(filter.Parse, text); wrong != nil {
		m.notify("Filter: " + wrong.Words)
	}
}
