package ui

// pane is a part of the screen that can have the focus.
type pane uint8

const (
	positionsPane pane = iota
	marginsPane
	detailPane // beside the others, on a wide screen
)

// paneNames are the panes in a word, for the last line.
var paneNames = map[pane]string{positionsPane: "positions", marginsPane: "margin", detailPane: "detail"}

// page is what covers the panes.
type page uint8

const (
	noPage page = iota
	detailPage
	linksPage
	helpPage
)

// The smallest screen that is drawn, and the sizes from which there is room for more.
const (
	leastWidth   = 40
	leastHeight  = 10
	barFrom      = 13 // height of the middle: the levels of the selected row below the positions
	marginsFrom  = 30 // height of the middle: the margin table below the positions
	besideFrom   = 180
	besideLeast  = 59
	besideMost   = 72
	barHeight    = 5
	footerHeight = 2
)

// layout is which panes are on the screen and how large each is, its title included. A pane of height 0 is not there.
type layout struct {
	tiny      bool     // the screen is too small for anything but a line
	header    []string // the first lines
	middle    int      // the height between header and footer
	left      int      // the width of the panes that are not beside
	covered   bool     // a page or the picker has the middle
	positions int
	margins   int
	bar       int
	detail    int // the width of the detail beside
}

func (m *Model) layout() layout {
	l := layout{left: m.width}
	if m.width < leastWidth || m.height < leastHeight {
		l.tiny = true
		return l
	}
	l.header = m.drawHeader(m.width)
	l.middle = m.height - len(l.header) - footerHeight
	if m.page != noPage || m.picker != nil {
		l.covered = true
		return l
	}
	if m.zoomed {
		m.zoomInto(&l)
		return l
	}
	if m.width >= besideFrom && l.middle >= barFrom {
		l.detail = min(max(m.width/3, besideLeast), besideMost)
		l.left = m.width - l.detail - 1
	}
	switch {
	case l.middle >= marginsFrom:
		l.margins = (2*l.middle + 4) / 5
	case l.middle >= barFrom && m.focus == marginsPane:
		l.margins = l.middle / 2
	case m.focus == marginsPane:
		l.margins = l.middle
	case l.middle >= barFrom && l.detail == 0 && m.data.view.Len() > 0:
		l.bar = barHeight
	}
	l.positions = l.middle - l.margins - l.bar
	return l
}

// zoomInto gives the focused pane the whole middle.
func (m *Model) zoomInto(l *layout) {
	switch m.focus {
	case marginsPane:
		l.margins = l.middle
	case detailPane:
		l.detail, l.left = m.width, 0
	default:
		l.positions = l.middle
	}
}

// positionRoom is how many positions the screen has room for.
func (m *Model) positionRoom(l *layout) int { return max(l.positions-1, 0) }

// marginRoom is how many margin records the screen has room for: the title, the heading and the last line have theirs.
func (m *Model) marginRoom(l *layout) int { return max(l.margins-3, 0) }

// showsLevels tells whether the margin levels of the selected row are on the screen.
func (m *Model) showsLevels(l *layout) bool {
	return l.bar > 0 || l.detail > 0 || m.page == detailPage
}
