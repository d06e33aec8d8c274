package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/input"
	"blotter/ui/layout"
	"blotter/ui/pane"
)

// handleMouse does what a click, the wheel or a drag does.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	mouse := msg.Mouse()
	switch msg := msg.(type) {
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
		m.turnWheel(mouse, 1)
	case input.Wheel:
		m.turnWheel(mouse, msg.Turns)
	}
	return nil
}

// click chooses the row that was clicked, sorts by the heading, or begins to drag the split.
func (m *Model) click(x, y int) tea.Cmd {
	parts := m.parts()
	if on := m.overlays.covering(); on != nil {
		if at, ok := parts.InBox(x, y); ok {
			return m.apply(on.Click(m.context(), parts.BoxSize(), at)...)
		}
		return nil
	}
	if m.overlays.top() == nil && m.notice.Text == "" {
		if to, ok := m.past.timeAt(m.context(), &parts, image.Pt(x, y)); ok {
			return m.rewind(pane.Rewind{To: to})
		}
	}
	part, at := parts.At(x, y)
	switch part {
	case layout.Positions:
		if at.Y > 0 || m.store.View().Len() > 0 {
			m.setFocus(part)
		}
	case layout.Split:
		m.setFocus(layout.Margins)
		m.layout.IsDragging = true
		return nil
	case layout.Margins, layout.Detail:
		m.setFocus(part)
	}
	if on := m.panes.in(part, m.steps.topPage().opened); on != nil {
		parts = m.parts()
		return m.apply(on.Click(m.contextOf(part), parts.Size(part), at)...)
	}
	return nil
}

// wheelRows are how many rows a turn of the wheel scrolls.
var wheelRows = map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: +3}

// turnWheel scrolls what is under the mouse.
func (m *Model) turnWheel(mouse tea.Mouse, turns int) {
	rows, scrolls := wheelRows[mouse.Button]
	if !scrolls {
		return
	}
	parts := m.parts()
	part, _ := parts.At(mouse.X, mouse.Y)
	on := m.panes.in(part, m.steps.topPage().opened)
	if covering := m.overlays.covering(); covering != nil {
		if _, ok := parts.InBox(mouse.X, mouse.Y); !ok {
			return
		}
		on = covering
	} else if part == layout.Detail {
		m.setFocus(part)
	}
	if on != nil && on.List() != nil {
		on.List().ScrollBy(rows * turns)
	}
}
