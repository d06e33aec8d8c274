package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/columns"
	"blotter/ui/pane"
)

// focus is which part of the screen has the focus.
type focus uint8

const (
	positionsPane focus = iota
	marginsPane
	detailPane // at the right of the others, on a wide screen
)

// paneNames are the names of the panes on the last line.
var paneNames = map[focus]string{positionsPane: "positions", marginsPane: "margin", detailPane: "detail"}

// page is what covers the panes.
type page uint8

const (
	noPage page = iota
	detailPage
	connectionPage
	sessionPage
	helpPage
	eventsPage
)

// The smallest screen that is drawn as a table, and the sizes from which there is room for more. The middle is what is
// between the first two lines and the footer.
const (
	minWidth         = 40
	minHeight        = 10
	selectedFrom     = 13  // height of the middle: the margin levels of the selected row, below the positions
	marginsFrom      = 30  // height of the middle: the margin levels table, below the positions
	sideFrom         = 180 // width: the detail, at the right
	minSide, maxSide = 59, 72
	selectedHeight   = 5
	headerHeight     = 2  // the status and the message
	rowCountsFrom    = 20 // height: the row counts have a line of their own, below the totals
)

// layout is which panes are on the screen, and their sizes with their titles. A pane of size 0 is not on the screen.
type layout struct {
	tiny      bool // the screen is too small for more than one line
	middle    int  // the height between header and footer
	left      int  // the width of the panes that are not at the side
	positions int  // heights
	margins   int
	selected  int
	side      int // the width of the detail
}

func (m *Model) layout() layout {
	l := layout{left: m.width}
	if m.width < minWidth || m.height < minHeight {
		l.tiny = true
		return l
	}
	l.middle = m.height - headerHeight - m.footerHeight()
	if m.page != noPage || m.covering() != nil {
		return l
	}
	if m.zoomed {
		m.zoomInto(&l)
		return l
	}
	if m.width >= sideFrom && l.middle >= selectedFrom {
		l.side = min(max(m.width/3, minSide), maxSide)
		l.left = m.width - l.side - 1
	}
	switch {
	case l.middle >= marginsFrom:
		l.margins = (2*l.middle + 4) / 5
	case l.middle >= selectedFrom && m.focus == marginsPane:
		l.margins = l.middle / 2
	case m.focus == marginsPane:
		l.margins = l.middle
	case l.middle >= selectedFrom && l.side == 0 && m.store.View().Len() > 0:
		l.selected = selectedHeight
	}
	m.applySplit(&l)
	l.positions = l.middle - l.margins - l.selected
	return l
}

// zoomInto gives the focused pane the whole middle.
func (m *Model) zoomInto(l *layout) {
	switch m.focus {
	case marginsPane:
		l.margins = l.middle
	case detailPane:
		l.side, l.left = m.width, 0
	default:
		l.positions = l.middle
	}
}

// footerHeight returns the height of the totals, the row counts and the keys.
func (m *Model) footerHeight() int {
	if m.hasRowCounts() {
		return 3
	}
	return 2
}

// hasRowCounts reports whether the row counts have a line of their own. Else they are at the right of the totals.
func (m *Model) hasRowCounts() bool {
	return m.height >= rowCountsFrom && m.width < columns.EstimatesFrom
}

// positionSize returns the size of the positions.
func (l *layout) positionSize() pane.Size { return pane.Size{Width: l.left, Height: l.positions} }

// marginSize returns the size of the margin levels.
func (l *layout) marginSize() pane.Size { return pane.Size{Width: l.left, Height: l.margins} }

// showsLevels reports whether the margin levels of the selected row are on the screen.
func (m *Model) showsLevels(l *layout) bool {
	return l.selected > 0 || l.side > 0 || m.page == detailPage
}

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
