package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/layout"
	"blotter/ui/pane"
)

// list returns what the keys that move act on: the list that covers the panes, the page, or the table or text that has
// the focus.
func (m *Model) list() pane.List {
	switch on := m.overlay(); {
	case on != nil && on.List() != nil:
		return on.List()
	case len(m.pages) > 0:
		return m.pages.top().List()
	case m.layout.Focus == layout.Detail:
		return m.side.List()
	case m.layout.Focus == layout.Margins:
		return m.margins.List()
	}
	return m.positions.List()
}

// moves returns what a key does that moves the list.
func moves(move func(pane.List)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		move(m.list())
		return nil
	}
}

// by returns what a key does that moves the list by so many rows.
func by(rows int) func(*Model) tea.Cmd { return moves(func(l pane.List) { l.MoveBy(rows) }) }

// byHalf returns what a key does that moves the list by half a screen.
func byHalf(direction int) func(*Model) tea.Cmd {
	return moves(func(l pane.List) { pane.HalfPage(l, direction) })
}

// byPage returns what a key does that moves the list by so many screens.
func byPage(screens int) func(*Model) tea.Cmd {
	return moves(func(l pane.List) { l.PageBy(screens) })
}

// movingActions move a list. If text is typed beside it, letters type.
func movingActions(typing bool) []action {
	up, down := []string{"up", "k"}, []string{"down", "j"}
	if typing {
		up, down = up[:1], down[:1]
	}
	return []action{
		{Name: "up", Keys: up, Help: "up", Do: by(-1)},
		{Name: "down", Keys: down, Help: "down", Do: by(+1)},
		{Name: "half_screen_up", Keys: []string{"ctrl+u"}, Help: "half a screen up", Do: byHalf(-1)},
		{Name: "half_screen_down", Keys: []string{"ctrl+d"}, Help: "half a screen down", Do: byHalf(+1)},
		{Name: "screen_up", Keys: []string{"pgup", "ctrl+b"}, Help: "a screen up", Do: byPage(-1)},
		{Name: "screen_down", Keys: []string{"pgdown", "ctrl+f"}, Help: "a screen down", Do: byPage(+1)},
	}
}

// firstAction and lastAction move a list to its ends. Other keys than these do so if text is typed.
func firstAction(help string) action {
	return action{Name: "first", Keys: []string{"home", "g"}, Help: help, Do: moves(pane.List.First)}
}

func lastAction(help string) action {
	return action{Name: "last", Keys: []string{"end", "G"}, Help: help, Do: moves(pane.List.Last)}
}
