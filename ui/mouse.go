package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/layout"
)

// handleMouse does what a click, the wheel or a drag does.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	mouse := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		m.layout.IsDragging = false
		if mouse.Button == tea.MouseLeft {
			return m.click(mouse.X, mouse.Y)
		}
	case tea.MouseMotionMsg:
		if m.layout.IsDragging && mouse.Button == tea.MouseLeft {
			m.layout.DragSplit(mouse.Y)
		}
	case tea.MouseReleaseMsg:
		m.layout.IsDragging = false
	case tea.MouseWheelMsg:
		m.turnWheel(mouse)
	}
	return nil
}

// click chooses the row that was clicked, sorts by the heading, or begins to drag the split.
func (m *Model) click(x, y int) tea.Cmd {
	parts := m.parts()
	if on := m.covering(); on != nil {
		if at, ok := parts.InBox(x, y); ok {
			return m.apply(on.Click(m.context(), parts.BoxSize(), at)...)
		}
		return nil
	}
	switch part, at := parts.At(x, y); part {
	case layout.Positions:
		if at.Y > 0 || m.store.View().Len() > 0 {
			m.setFocus(part)
		}
		parts = m.parts()
		return m.apply(m.positions.Click(m.contextOf(part), parts.PositionSize(), at)...)
	case layout.Split:
		m.setFocus(layout.Margins)
		m.layout.IsDragging = true
	case layout.Margins:
		m.setFocus(part)
		parts = m.parts()
		return m.apply(m.margins.Click(m.contextOf(part), parts.MarginSize(), at)...)
	case layout.Detail:
		m.setFocus(part)
		return m.apply(m.detail.Side.Click(m.contextOf(part), parts.SideSize(), at)...)
	case layout.Cover:
		return m.apply(m.steps.PageStep().Opened.Click(m.context(), parts.CoverSize(), at)...)
	}
	return nil
}

// wheelRows are how many rows a turn of the wheel scrolls.
var wheelRows = map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: +3}

// turnWheel scrolls what is under the mouse.
func (m *Model) turnWheel(mouse tea.Mouse) {
	rows, scrolls := wheelRows[mouse.Button]
	if !scrolls {
		return
	}
	parts := m.parts()
	if on := m.covering(); on != nil {
		if _, ok := parts.InBox(mouse.X, mouse.Y); ok && on.List() != nil {
			on.List().ScrollBy(rows)
		}
		return
	}
	switch part, _ := parts.At(mouse.X, mouse.Y); part {
	case layout.Positions:
		m.positions.Rows.ScrollBy(rows)
	case layout.Split, layout.Margins:
		m.margins.List().ScrollBy(rows)
	case layout.Detail:
		m.setFocus(part)
		m.detail.Side.ScrollBy(rows)
	case layout.Cover:
		if list := m.steps.PageStep().Opened.List(); list != nil {
			list.ScrollBy(rows)
		}
	}
}
