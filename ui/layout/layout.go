// Package layout divides the screen: which panes are on it, where they are, which one has the focus, and where the
// split between two of them is. It does not depend on what is in them. Around them it draws its Bars: the state and the
// messages above them, and the totals, the row counts and the keys below.
package layout

import (
	"slices"

	"blotter/ui/pane"
)

// Part is a part of the screen.
type Part uint8

// The parts. The first three are panes that can have the focus.
const (
	Positions Part = iota
	Margins
	Detail        // at the right of the others, on a wide screen
	Selected      // the margin levels of the selected row, below the positions
	Split         // the title of the margin levels
	Cover         // what covers the panes
	NoPart   Part = 255
)

// Name returns the name of a pane on the last line.
func (p Part) Name() string { return [...]string{"positions", "margin", "detail"}[p] }

// The smallest screen that is drawn as a table, and the sizes from which there is room for more. The middle is what is
// between the first two lines and the last ones.
const (
	MinWidth         = 36
	MinHeight        = 10
	selectedFrom     = 13  // height of the middle: the margin levels of the selected row, below the positions
	marginsFrom      = 30  // height of the middle: the margin levels table, below the positions
	sideFrom         = 180 // width: the detail, at the right
	minSide, maxSide = 59, 72
	selectedHeight   = 4 // its lines
	boxHeight        = 6 // its lines if it is a box
	minMargins       = 9 // height of the margin levels table, if the levels of the selected row are above it
	MinPane          = 4 // what the split leaves of a pane: a title, a heading, a row and the last line
)

// Layout is how the room is divided.
type Layout struct {
	Screen     pane.Size
	Focus      Part // the pane with the focus
	IsZoomed   bool // it has the whole middle
	Split      int  // how many lines the split between positions and margin levels is moved down
	IsDragging bool // the mouse drags the split

	Content Content
}

// Content is how much there is to show.
type Content struct {
	Lines    int  // of the table of positions, with its heading; 0 if there are no rows
	Selected int  // of the selected line, with their title
	Assets   int  // with totals
	Known    int  // assets that are known
	HasMarks bool // of the past
	HasToday bool // there is a chart of the PnL of today
}

// Panes returns the panes that can have the focus, in the order of tab.
func (l *Layout) Panes() []Part {
	usual := Layout{Screen: l.Screen, Content: l.Content} // not zoomed
	if parts := usual.Parts(false); parts.Side > 0 {
		return []Part{Positions, Margins, Detail}
	}
	return []Part{Positions, Margins}
}

// After returns the pane that has the focus after the given number of steps of tab.
func (l *Layout) After(steps int) Part {
	panes := l.Panes()
	at := max(slices.Index(panes, l.Focus), 0)
	return panes[(at+steps+len(panes))%len(panes)]
}

// Parts returns where the parts are. If isCovered is true, a page or an overlay covers the panes.
func (l *Layout) Parts(isCovered bool) Parts {
	p := Parts{Width: l.Screen.Width, Left: l.Screen.Width}
	if l.Screen.Width < MinWidth || l.Screen.Height < MinHeight {
		p.IsTiny = true
		return p
	}
	p.Middle = l.Screen.Height - TopHeight - BottomHeight(l.Screen, l.Content.Assets)
	if p.isCovered = isCovered; isCovered {
		return p
	}
	if p.Ribbon = RibbonHeight(l.Screen); l.Content.HasMarks && isLarge(l.Screen) {
		p.Marks = 1
	}
	p.Headline = p.Marks + HeadlineHeight(l.Screen, l.Content.Known) + p.Ribbon
	room := p.panes()
	if l.IsZoomed {
		l.zoomInto(&p, room)
		return p
	}
	if p.Width >= sideFrom && room >= selectedFrom {
		p.Side = min(max(p.Width/3, minSide), maxSide)
		p.Left = p.Width - p.Side - 1
	}
	hasSelected := p.Side == 0 && l.Content.Lines > 0
	hasBox := isLarge(l.Screen)
	switch {
	case room >= marginsFrom && hasSelected:
		p.Margins = max(room/4, minMargins)
	case room >= marginsFrom:
		p.Margins = (2*room + 4) / 5
	case room >= selectedFrom && l.Focus == Margins:
		p.Margins, hasSelected = room/2, false
	case l.Focus == Margins:
		p.Margins, hasSelected = room, false
	}
	wanted := l.Content.Selected
	switch {
	case !hasSelected || room < selectedFrom:
	case hasBox:
		p.Selected, p.IsBox = boxHeight, true
		wanted += boxHeight - selectedHeight
	case p.Width >= headlineFromWidth:
		p.Selected = selectedHeight
	default:
		p.Selected = selectedHeight + 1 // the levels take two lines
	}
	if p.isSplit() {
		p.Margins = max(min(p.Margins-l.Split, room-p.Selected-MinPane), MinPane)
	}
	p.Positions = room - p.Margins - p.Selected
	if p.Selected > 0 { // what does not fit takes the empty lines of the table
		more := max(min(wanted-p.Selected, p.Positions-l.Content.Lines), 0)
		p.Selected, p.Positions = p.Selected+more, p.Positions-more
	}
	if l.Content.HasToday && hasBox && l.Content.Lines > 0 {
		p.Today = todayChartHeight(p.Positions - l.Content.Lines)
	}
	return p
}

// zoomInto gives the focused pane all the room.
func (l *Layout) zoomInto(p *Parts, room int) {
	switch l.Focus {
	case Margins:
		p.Margins = room
	case Detail:
		p.Side, p.Left = p.Width, 0
	default:
		p.Positions = room
	}
}

// HasSplit reports whether there is a split to move, if nothing covers the panes.
func (l *Layout) HasSplit() bool {
	p := l.Parts(false)
	return p.isSplit()
}

// MoveSplit moves the split down by the given number of lines, and reports whether it could be moved.
func (l *Layout) MoveSplit(lines int) bool {
	before := l.Parts(false)
	l.Split += lines
	if l.Parts(false).Margins == before.Margins {
		l.Split -= lines
		return false
	}
	return true
}

// DragSplit moves the split to a line of the screen, as far as it goes.
func (l *Layout) DragSplit(y int) {
	l.Split = 0
	p := l.Parts(false)
	wanted := min(max(TopHeight+p.Middle-y, MinPane), p.panes()-p.Selected-MinPane)
	l.Split = p.Margins - wanted
}
