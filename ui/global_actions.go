package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/store"
)

// The keys that work everywhere: those of panes, and those of the whole program.

// toggleFrozen stops the rows from changing, or lets them change again. What the service sends meanwhile is kept.
func toggleFrozen(s *store.Store) tea.Cmd {
	s.Freeze(!s.Flow().IsFrozen())
	return nil
}

// resync requests everything again.
func (m *Model) resync() tea.Cmd {
	m.store.Resync()
	m.notify("Reading everything again.")
	return m.apply(m.margins.Again()...)
}

// interrupt quits when it is done twice.
func (m *Model) interrupt() tea.Cmd {
	if m.notice.QuitsNext == "interrupt" {
		return tea.Quit
	}
	m.notify(m.keys.Fill("{interrupt} again quits."))
	m.notice.QuitsNext = "interrupt"
	return nil
}
