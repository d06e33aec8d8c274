package ui

import (
	"blotter/model"
	"blotter/ui/layout"

	tea "charm.land/bubbletea/v2"
)

// nextAlert puts the cursor on the position of the next alert, which then counts as seen.
func (m *Model) nextAlert() tea.Cmd {
	key, words, ok := m.store.Alerts().Next(m.store.Format())
	if !ok {
		m.notify(words)
		return nil
	}
	if m.positions.GoTo(key) {
		m.closePages()
		m.setFocus(layout.Positions)
	} else {
		words += "; hidden (closed or filtered)"
	}
	m.notify(words + ".")
	return nil
}

// goTo puts the cursor of the table on the position with a key, and reports whether it is shown. If it is not, it shows
// why; missing is the notice for a position that is not in the book.
func (m *Model) goTo(key model.Key, missing string) bool {
	isShown := m.positions.GoTo(key)
	_, isKnown := m.store.View().Book().Find(key)
	switch {
	case isShown:
		m.setFocus(layout.Positions)
	case isKnown:
		m.notify("Its position is hidden: it is closed, or the filter leaves it out.")
	default:
		m.notify(missing)
	}
	return isShown
}

// whyNoBaseline returns why no baseline can be taken; empty if one can.
func (m *Model) whyNoBaseline() string {
	if m.store.Book().Len() == 0 {
		return "no positions yet"
	}
	return ""
}
