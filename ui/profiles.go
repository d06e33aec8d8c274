package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/store"
)

// openedMsg is a profile that was opened, or why it cannot be used.
type openedMsg struct {
	name    string
	source  store.Source
	options Options
	err     error
}

// sourceClosedMsg comes when the source of the previous profile is closed.
type sourceClosedMsg struct{}

// openProfile opens a profile. The current one continues until it is opened.
func (m *Model) openProfile(name string) tea.Cmd {
	words, ok := m.switching.Begin(name)
	m.notice.say(words)
	if !ok {
		return nil
	}
	open, state := m.options.OpenProfile, m.State()
	return func() tea.Msg {
		source, options, err := open(name, state)
		return openedMsg{name, source, options, err}
	}
}

// handleOpened shows the profile that was opened in place of the current one, which stays if the other cannot be used.
func (m *Model) handleOpened(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		m.notice.say(m.switching.Refuse(msg.name, msg.err))
		return nil
	}
	var left tea.Cmd
	if m.past != nil { // of the previous profile
		left = closing(m.source, nil)
		m.panes = m.past.live
	}
	// With what was saved or taken while the profile was opened.
	kept := tea.Batch(m.keeper.KeepBaseline(m.store.Book()), m.keeper.KeepLast(m.State()), m.keeper.KeepLastDays(m.Days()))
	source, terminal, screen := m.source, m.colours.Terminal, m.layout.Screen
	m.begin(m.ctx, msg.source, msg.options)
	m.layout.Screen, m.colours.Terminal = screen, terminal
	// After what is wrong with its names, for example.
	m.notice.Then(m.switching.Follow(msg.name, m.options.Service), m.store.ScreenNow())
	return tea.Batch(kept, left, closing(source, sourceClosedMsg{}))
}
