package ui

// pane is a part of the screen that can have the focus.
type pane uint8

const (
	positionsPane pane = iota
	marginsPane
	detailPane // at the right of the others, on a wide screen
)

// paneNames are the names of the panes on the last line.
var paneNames = map[pane]string{positionsPane: "positions", marginsPane: "margin", detailPane: "detail"}

// page is what covers the panes.
type page uint8

const (
	noPage page = iota
	detailPage
	connectionPage
	helpPage
)

// The smallest screen that is drawn, and the sizes from which there is room for more. The middle is what is between the
// first lines and the last two.
const (
	minWidth         = 40
	minHeight        = 10
	selectedFrom     = 13  // height of the middle: the margin levels of the selected row, below the positions
	marginsFrom      = 30  // height of the middle: the margin levels table, below the positions
	sideFrom         = 180 // width: the detail, at the right
	minSide, maxSide = 59, 72
	selectedHeight   = 5
	footerHeight     = 2
)

// layout is which panes are on the screen, and their sizes with their titles. A pane of size 0 is not on the screen.
type layout struct {
	tiny      bool     // the screen is too small for more than a message
	header    []string // the first lines
	middle    int      // the height between header and footer
	left      int      // the width of the panes that are not at the side
	positions int      // heights
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
	l.header = m.drawHeader(m.width)
	l.middle = m.height - len(l.header) - footerHeight
	if m.page != noPage || m.picker != nil {
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
	case l.middle >= selectedFrom && l.side == 0 && m.data.view.Len() > 0:
		l.selected = selectedHeight
	}
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

// positionRoom returns how many positions the screen has room for, below the heading.
func (m *Model) positionRoom(l *layout) int { return max(l.positions-1, 0) }

// marginRoom returns how many margin records the screen has room for, between title, heading and last line.
func (m *Model) marginRoom(l *layout) int { return max(l.margins-3, 0) }

// showsLevels reports whether the margin levels of the selected row are on the screen.
func (m *Model) showsLevels(l *layout) bool {
	return l.selected > 0 || l.side > 0 || m.page == detailPage
}
