package ui

import (
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/clipboard"
	"blotter/ui/format"
)

// The actions of the keys that work everywhere, of those that move the cursor of the table that has the focus, and of
// those that copy.

// moveCursor moves the cursor of the table that has the focus by the given number of rows.
func (m *Model) moveCursor(rows int) tea.Cmd {
	if m.focus == marginsPane {
		m.margins.Window.MoveBy(&m.margins, rows)
		return nil
	}
	m.positions.moved = true
	m.positions.window.MoveBy(positionRows{m.data.view}, rows)
	return nil
}

// moveScreens moves it by the given number of screens.
func (m *Model) moveScreens(screens int) tea.Cmd {
	if m.focus == marginsPane {
		m.margins.Window.PageBy(&m.margins, screens)
		return nil
	}
	m.positions.moved = true
	m.positions.window.PageBy(positionRows{m.data.view}, screens)
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
func (m *Model) lastRow() tea.Cmd      { return m.moveCursor(+m.data.view.Lines()) }

// firstRow puts the cursor on the first row, where it stays whatever row is there.
func (m *Model) firstRow() tea.Cmd {
	m.positions.moved = false
	return nil
}

// panes returns the panes that can have the focus, in the order of tab.
func (m *Model) panes() []pane {
	if m.width >= sideFrom {
		return []pane{positionsPane, marginsPane, detailPane}
	}
	return []pane{positionsPane, marginsPane}
}

func (m *Model) nextPane() tea.Cmd     { return m.turnFocus(+1) }
func (m *Model) previousPane() tea.Cmd { return m.turnFocus(-1) }

// paneAfter returns the pane that tab goes to in the given number of steps.
func (m *Model) paneAfter(step int) pane {
	panes := m.panes()
	at := max(slices.Index(panes, m.focus), 0)
	return panes[(at+step+len(panes))%len(panes)]
}

func (m *Model) turnFocus(step int) tea.Cmd {
	m.closePages()
	m.setFocus(m.paneAfter(step))
	return nil
}

func (m *Model) zoom() tea.Cmd {
	m.closePages()
	m.setZoomed(!m.zoomed)
	return nil
}

// freeze stops the rows from changing, or lets them change again. What the service sends meanwhile is kept.
func (m *Model) freeze() tea.Cmd { return m.setFrozen(!m.incoming.frozen) }

// resync requests everything again.
func (m *Model) resync() tea.Cmd {
	m.source.Resync()
	m.notify("Reading everything again.")
	m.incoming.ended = ""
	m.walk.Restart()
	return m.sendPage(m.margins.Again(m.now()))
}

// clipboard returns what writes lines for the terminal's clipboard.
func (m *Model) clipboard() *clipboard.Writer {
	return &clipboard.Writer{View: m.data.view, Format: m.format}
}

// sentToClipboard is the begin of the notice about a copy. The terminal does not report whether it took the copy.
const sentToClipboard = "Sent to the terminal's clipboard: "

// copyRow sends the selected row to the terminal's clipboard, or the subtotals of the selected group.
func (m *Model) copyRow() tea.Cmd {
	if g, ok := m.selectedGroup(); ok {
		m.notify(sentToClipboard + "subtotals of " + m.headingOf(g).Name() + ".")
		return tea.SetClipboard(m.clipboard().Group(g))
	}
	p := m.selected()
	m.notify(sentToClipboard + m.format.Title(p.Key) + ".")
	return tea.SetClipboard(m.clipboard().Row(p))
}

// copyRows sends all lines of the table, in its order, to the terminal's clipboard: the headings of groups with their
// subtotals, and the rows, but not those of folded groups.
func (m *Model) copyRows() tea.Cmd {
	name := "row"
	if m.data.view.Groups.By != view.Ungrouped {
		name = "line"
	}
	return m.copyLines(name, m.data.view.Lines(), m.clipboard().Table)
}

// copyLines sends lines to the terminal's clipboard, as many as it may have to take. all is how many of name there are.
func (m *Model) copyLines(name string, all int, lines iter.Seq[string]) tea.Cmd {
	text, copied := clipboard.Join(lines)
	words := model.Counted(copied, name)
	if copied < all {
		words = "the first " + words + " of " + format.Grouped(all)
	}
	m.notify(sentToClipboard + words + ".")
	return tea.SetClipboard(text)
}

// interrupt quits when it is done twice.
func (m *Model) interrupt() tea.Cmd {
	if m.notice.quitNext {
		return tea.Quit
	}
	m.notify(m.keys.Fill("{interrupt} again quits."))
	m.notice.quitNext = true
	return nil
}

func (m *Model) suspend() tea.Cmd { return tea.Suspend }
func (m *Model) redraw() tea.Cmd  { return tea.ClearScreen }
