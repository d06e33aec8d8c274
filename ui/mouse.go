package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/frame"
)

// part is a part of the screen that a mouse can be on.
type part uint8

const (
	noArea part = iota
	positionArea
	selectedArea
	splitRule // the title of the margin levels, which is the split
	marginArea
	sideArea
	pageArea
	eventArea
	choiceArea // of what covers the panes to choose from
)

// area is where a part is.
type area struct {
	part part
	at   image.Rectangle
}

// areas returns where the parts of a layout are. Of lists it is where the rows are, without titles and headings.
func (m *Model) areas(l *layout) []area {
	var areas []area
	top := frame.TopHeight
	add := func(part part, width, before, height int) {
		areas = append(areas, area{part, image.Rect(0, top+before, width, top+height)})
	}
	switch {
	case l.tiny:
		return nil
	case m.covering() != nil:
		add(choiceArea, m.width, 0, l.middle)
		return areas
	case m.page == eventsPage:
		add(eventArea, m.width, 0, l.middle)
		return areas
	case m.page != noPage:
		add(pageArea, m.width, 0, l.middle)
		return areas
	}
	if l.side > 0 {
		areas = append(areas, area{sideArea, image.Rect(m.width-l.side, top, m.width, top+l.middle)})
	}
	if l.positions > 0 {
		add(positionArea, l.left, 0, l.positions)
		top += l.positions
	}
	if l.selected > 0 {
		add(selectedArea, l.left, 0, l.selected)
		top += l.selected
	}
	if l.margins > 0 {
		add(splitRule, l.left, 0, 1)
		add(marginArea, l.left, 0, l.margins)
	}
	return areas
}

// partAt returns the part at a cell of the screen, and the place of the cell in it.
func (m *Model) partAt(x, y int) (part, image.Point) {
	l := m.layout()
	cell := image.Pt(x, y)
	for _, a := range m.areas(&l) {
		if cell.In(a.at) {
			return a.part, cell.Sub(a.at.Min)
		}
	}
	return noArea, image.Point{}
}

// handleMouse does what a click, the wheel or a drag does.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	mouse := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		m.dragging = false
		if mouse.Button == tea.MouseLeft {
			return m.click(mouse.X, mouse.Y)
		}
	case tea.MouseMotionMsg:
		if m.dragging && mouse.Button == tea.MouseLeft {
			m.dragSplit(mouse.Y)
		}
	case tea.MouseReleaseMsg:
		m.dragging = false
	case tea.MouseWheelMsg:
		m.turnWheel(mouse)
	}
	return nil
}

// click chooses the row that was clicked, sorts by the heading, or begins to drag the split.
func (m *Model) click(x, y int) tea.Cmd {
	switch part, at := m.partAt(x, y); part {
	case positionArea:
		if at.Y > 0 || m.store.View().Len() > 0 {
			m.setFocus(positionsPane)
		}
		l := m.layout()
		return m.apply(m.positions.Click(m.contextOf(positionsPane), l.positionSize(), at)...)
	case splitRule:
		m.setFocus(marginsPane)
		m.dragging = true
	case marginArea:
		m.setFocus(marginsPane)
		l := m.layout()
		return m.apply(m.margins.Click(m.contextOf(marginsPane), l.marginSize(), at)...)
	case sideArea:
		m.setFocus(detailPane)
	case eventArea:
		return m.apply(m.events.Click(m.context(), m.overlaySize(), at)...)
	case choiceArea:
		return m.apply(m.overlay().Click(m.context(), m.overlaySize(), at)...)
	}
	return nil
}

// wheelRows is how many rows a turn of the wheel scrolls.
const wheelRows = 3

// turnWheel scrolls what is under the mouse.
func (m *Model) turnWheel(mouse tea.Mouse) {
	rows := wheelRows
	switch mouse.Button {
	case tea.MouseWheelUp:
		rows = -wheelRows
	case tea.MouseWheelDown:
	default:
		return
	}
	switch part, _ := m.partAt(mouse.X, mouse.Y); part {
	case positionArea:
		m.positions.Rows.ScrollBy(rows)
	case splitRule, marginArea:
		m.margins.List().ScrollBy(rows)
	case sideArea:
		m.setFocus(detailPane)
		m.scroll.ScrollBy(rows)
	case pageArea, eventArea, choiceArea:
		m.list().ScrollBy(rows)
	}
}

// dragSplit moves the split to a line of the screen, as far as it goes.
func (m *Model) dragSplit(y int) {
	m.split = 0
	l := m.layout()
	wanted := min(max(frame.TopHeight+l.middle-y, minPane), l.middle-minPane)
	m.split = l.margins - wanted
}
