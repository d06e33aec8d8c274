package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/frame"
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

// arrangement is what a layout follows from.
type arrangement struct {
	width, height int
	focus         focus
	isCovered     bool // a page or an overlay covers the panes
	isZoomed      bool // the pane with the focus has the whole middle
	hasRows       bool
	split         int // how many lines the split of the panes is moved down
}

func (m *Model) arrangement() arrangement {
	return arrangement{
		width: m.width, height: m.height, focus: m.focus, isCovered: m.page != noPage || m.covering() != nil, isZoomed: m.zoomed,
		hasRows: m.store.View().Len() > 0, split: m.split,
	}
}

// size is the size of the screen.
func (m *Model) size() pane.Size { return pane.Size{Width: m.width, Height: m.height} }

func (m *Model) layout() layout { return m.arrangement().layout() }

func (a arrangement) layout() layout {
	l := layout{left: a.width}
	if a.width < minWidth || a.height < minHeight {
		l.tiny = true
		return l
	}
	l.middle = a.height - frame.TopHeight - frame.BottomHeight(pane.Size{Width: a.width, Height: a.height})
	switch {
	case a.isCovered:
		return l
	case a.isZoomed:
		a.zoomInto(&l)
		return l
	}
	if a.width >= sideFrom && l.middle >= selectedFrom {
		l.side = min(max(a.width/3, minSide), maxSide)
		l.left = a.width - l.side - 1
	}
	switch {
	case l.middle >= marginsFrom:
		l.margins = (2*l.middle + 4) / 5
	case l.middle >= selectedFrom && a.focus == marginsPane:
		l.margins = l.middle / 2
	case a.focus == marginsPane:
		l.margins = l.middle
	case l.middle >= selectedFrom && l.side == 0 && a.hasRows:
		l.selected = selectedHeight
	}
	if l.isSplit() {
		l.margins = max(min(l.margins-a.split, l.middle-minPane), minPane)
	}
	l.positions = l.middle - l.margins - l.selected
	return l
}

// zoomInto gives the focused pane the whole middle.
func (a arrangement) zoomInto(l *layout) {
	switch a.focus {
	case marginsPane:
		l.margins = l.middle
	case detailPane:
		l.side, l.left = a.width, 0
	default:
		l.positions = l.middle
	}
}

// isSplit reports whether positions and margin levels share the height.
func (l *layout) isSplit() bool { return l.margins > 0 && l.margins < l.middle }

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

// bySplit returns what a key does that moves the split between positions and margin levels down by so many lines.
func bySplit(lines int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		before := m.layout()
		m.split += lines
		if after := m.layout(); after.margins == before.margins {
			m.split -= lines
			m.notify("The split cannot be moved further.")
		}
		return nil
	}
}

// whyNoSplit returns why there is no split to move; empty if there is one.
func (m *Model) whyNoSplit() string {
	if m.options.Replay != nil {
		return "moves within the recording"
	}
	panes := m.arrangement()
	panes.isCovered = m.covering() != nil // as under the help
	if l := panes.layout(); !l.isSplit() {
		return "only one table is here"
	}
	return ""
}
