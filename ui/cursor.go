package ui

import tea "charm.land/bubbletea/v2"

// The keys that move the cursor of the table that has the focus.

// moveCursor moves the cursor of the table that has the focus by the given number of rows.
func (m *Model) moveCursor(rows int) tea.Cmd {
	if m.focus == marginsPane {
		m.margins.Window.MoveBy(&m.margins, rows)
		return nil
	}
	m.positions.moved = true
	m.positions.window.MoveBy(positionRows{m.store.View()}, rows)
	return nil
}

// moveScreens moves the cursor of the table that has the focus by the given number of screens.
func (m *Model) moveScreens(screens int) tea.Cmd {
	if m.focus == marginsPane {
		m.margins.Window.PageBy(&m.margins, screens)
		return nil
	}
	m.positions.moved = true
	m.positions.window.PageBy(positionRows{m.store.View()}, screens)
	return nil
}

// halfScreen is how many rows are half a screen of the table that has the focus.
func (m *Model) halfScreen() int {
	if m.focus == marginsPane {
		return max(m.margins.Window.Height()/2, 1)
	}
	return max(m.positions.window.Height()/2, 1)
}

func (m *Model) rowUp() tea.Cmd        { return m.moveCursor(-1) }
func (m *Model) rowDown() tea.Cmd      { return m.moveCursor(+1) }
func (m *Model) halfPageUp() tea.Cmd   { return m.moveCursor(-m.halfScreen()) }
func (m *Model) halfPageDown() tea.Cmd { return m.moveCursor(+m.halfScreen()) }
func (m *Model) pageUp() tea.Cmd       { return m.moveScreens(-1) }
func (m *Model) pageDown() tea.Cmd     { return m.moveScreens(+1) }
func (m *Model) lastRow() tea.Cmd      { return m.moveCursor(+m.store.View().Lines()) }

// firstRow puts the cursor on the first row, where it stays whatever row is there.
func (m *Model) firstRow() tea.Cmd {
	m.positions.moved = false
	return nil
}
