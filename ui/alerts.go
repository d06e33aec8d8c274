package ui

import (
	tea "charm.land/bubbletea/v2"
)

// nextAlert puts the cursor on the position of the next alert, which then counts as seen.
func (m *Model) nextAlert() tea.Cmd {
	key, words, ok := m.store.Alerts().Next(m.store.Format())
	if !ok {
		m.notify(words)
		return nil
	}
	if place, isShown := m.placeOf(key); isShown {
		m.closePages()
		m.setFocus(positionsPane)
		m.positions.MoveTo(place)
	} else {
		words += "; hidden (closed or filtered)"
	}
	m.notify(words + ".")
	return nil
}
