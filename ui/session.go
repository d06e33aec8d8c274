package ui

import tea "charm.land/bubbletea/v2"

func (m *Model) showSession() tea.Cmd {
	m.open(sessionPage)
	return m.store.Survey()
}
