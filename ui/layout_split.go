package ui

import tea "charm.land/bubbletea/v2"

// minPane is how many lines of a pane the split leaves: a title, a heading, a row and the last line.
const minPane = 4

// moveSplit moves the split between positions and margin levels down by the given number of lines.
func (m *Model) moveSplit(lines int) tea.Cmd {
	before := m.layout()
	m.split += lines
	if after := m.layout(); after.margins == before.margins {
		m.split -= lines
		m.notify("The split cannot be moved further.")
	}
	return nil
}

func (m *Model) splitUp() tea.Cmd   { return m.moveSplit(-1) }
func (m *Model) splitDown() tea.Cmd { return m.moveSplit(+1) }

// applySplit moves the split of a layout to where the trader has put it.
func (m *Model) applySplit(l *layout) {
	if l.margins > 0 && l.margins < l.middle {
		l.margins = max(min(l.margins-m.split, l.middle-minPane), minPane)
	}
}

// noSplit returns why there is no split to move; empty where there is.
func (m *Model) noSplit() string {
	if m.options.Replay != nil {
		return "moves within the recording"
	}
	panes := *m
	panes.page = noPage // as under the help
	if l := panes.layout(); l.margins == 0 || l.margins == l.middle {
		return "only one table is here"
	}
	return ""
}
