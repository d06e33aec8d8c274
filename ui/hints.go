package ui

import (
	"blotter/ui/keys"

	tea "charm.land/bubbletea/v2"
)

// drawKeys draws the last line: as many of the keys that work now as fit.
func (m *Model) drawKeys(width int) string { return keys.DrawHints(m.hintedActions(), width) }

// hintedActions are the actions that work now and have a word for the last line.
func (m *Model) hintedActions() []action {
	groups := append([]*group{&m.keys.replay, &m.keys.everywhere}, m.focusedGroups()...)
	if g := m.exclusiveGroup(); g != nil {
		groups = []*group{g}
	}
	var hinted []action
	for _, g := range groups {
		for _, a := range g.Actions {
			switch {
			case a.Hint == "" || a.Reason(m) != "":
			case m.page != noPage && g == &m.keys.everywhere && !a.Pinned: // works, but is of no interest on a page
			default:
				if a.Hint == nextPaneHint {
					a.Hint = paneNames[m.paneAfter(+1)]
				}
				hinted = append(hinted, a)
			}
		}
	}
	return hinted
}

func (m *Model) showHelp() tea.Cmd {
	m.open(helpPage)
	return nil
}
