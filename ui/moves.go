package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui/layout"
	"blotter/ui/pane"
)

// setFocus gives the focus to a pane. Any pane but the first is a step.
func (m *Model) setFocus(to layout.Part) {
	if m.layout.Focus != to {
		m.detail.Side.First()
	}
	m.layout.Focus = to
	m.steps.set(step{kind: paneStep, undo: applying(pane.FocusPositions{})}, to != layout.Positions)
	if to == layout.Detail {
		m.positions.Rows.Stay() // or another position would come in its place while it is read
	}
}

// toggleZoom gives the focused pane the whole screen, or shows the others again.
func (m *Model) toggleZoom() tea.Cmd {
	m.pages.closeAll(&m.steps)
	m.layout.IsZoomed = !m.layout.IsZoomed
	m.steps.set(step{kind: fullScreenStep, undo: (*Model).toggleZoom}, m.layout.IsZoomed)
	return nil
}

// quit closes what covers the screen or shows the past, and quits if nothing does. If something would be lost, it asks
// first.
func (m *Model) quit() tea.Cmd {
	lost := ""
	switch live := m.past.service(m.panes).store; {
	case m.options.isRecording():
		lost = "Quitting ends the recording"
	case live.Book().HasTakenBaseline() && m.options.KeepBaseline == nil:
		lost = "Quitting loses the baseline"
	case live.Book().TakenBaseline().Len() > maxKeptBaseline:
		lost = "The baseline is too large to be kept"
	}
	switch {
	case len(m.pages) > 0:
		m.pages.closeTop(&m.steps)
	case m.layout.IsZoomed:
		return m.toggleZoom()
	case m.past != nil:
		return m.goLive()
	case lost != "" && m.notice.QuitsNext != "quit":
		m.notify(lost + m.keys.Fill(": {quit} again quits."))
		m.notice.QuitsNext = "quit"
	default:
		return tea.Sequence(m.memory.keepBaseline(m.past.service(m.panes).store.Book(), &m.options), tea.Quit)
	}
	return nil
}

// group groups the rows, as a step.
func (m *Model) group(by view.Grouping) tea.Cmd {
	before := m.steps.grouping(m.store.Settings().Group)
	undo := applying(pane.Set{Change: func(s *view.Settings) { s.Group = before }})
	m.steps.set(step{kind: groupStep, group: before, undo: undo}, by != before)
	if by == view.Ungrouped {
		m.notify("Not grouped.")
	} else {
		m.notify("Grouped by " + by.String() + ".")
	}
	return m.set(func(s *view.Settings) { s.Group = by })
}

// addFilterStep adds the step of a filter, if it differs from that of the view.
func (m *Model) addFilterStep(text string) {
	before := m.steps.appliedFilter()
	undo := applying(pane.Set{Change: func(s *view.Settings) { s.Filter = before }})
	m.steps.set(step{kind: filterStep, undo: undo}, strings.TrimSpace(text) != strings.TrimSpace(before))
}

// goTo puts the cursor of the positions on one and shows the panes, or says why the position is not shown.
func (m *Model) goTo(e pane.GoTo) tea.Cmd {
	isShown, words := m.positions.GoTo(e)
	if isShown {
		m.pages.closeAll(&m.steps)
		m.setFocus(layout.Positions)
	}
	if words != "" {
		m.notify(words)
	}
	return nil
}
