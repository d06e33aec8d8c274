package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/ui/draw"
)

// View returns the screen. It is not drawn again between the parts of one frame's changes, unless they take long.
func (m *Model) View() tea.View {
	if now := m.now(); !m.incoming.more || now.Sub(m.shownAt) >= slowAfter {
		m.shown, m.shownAt = m.draw(), now
	}
	return m.shown
}

// draw draws what is on the screen, and formats nothing else.
func (m *Model) draw() tea.View {
	view := tea.NewView("")
	view.AltScreen = true
	view.WindowTitle = "blotter " + oneLine(m.options.Service)
	l := m.layout()
	if l.tiny {
		view.SetContent(m.drawTiny())
		return view
	}
	lines := append([]string{}, l.header...)
	lines = append(lines, draw.Fit(m.drawMiddle(&l), l.middle)...)
	lines = append(lines, m.drawTotals(m.width), m.drawKeys(m.width))
	view.SetContent(strings.Join(draw.Fit(lines, m.height), "\n"))
	view.Cursor = m.drawCursor(&l)
	return view
}

// drawTiny says on a screen that is too small how large it has to be. The streams are still read.
func (m *Model) drawTiny() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	words := fmt.Sprintf("%s  blotter needs %dx%d, this is %dx%d", m.freshWords(), minWidth, minHeight, m.width, m.height)
	lines := strings.Split(ansi.Wrap(words, m.width, ""), "\n")
	for i := range lines {
		lines[i] = draw.Cut(lines[i], m.width)
	}
	return strings.Join(lines[:min(len(lines), m.height)], "\n")
}

func (m *Model) drawMiddle(l *layout) []string {
	switch {
	case m.picker != nil:
		return m.picker.draw(&m.styles, m.width, l.middle)
	case m.page != noPage:
		return m.drawPage(m.width, l.middle)
	}
	var lines []string
	if l.positions > 0 {
		lines = append(lines, m.drawPositions(l.left, l.positions)...)
	}
	if l.selected > 0 {
		lines = append(lines, m.drawSelected(l.left, l.selected)...)
	}
	if l.margins > 0 {
		lines = append(lines, m.drawMargins(l.left, l.margins)...)
	}
	if l.side == 0 {
		return lines
	}
	return sideBySide(&m.styles, lines, l.left, m.drawDetail(l.side, l.middle))
}

// sideBySide puts a pane at the right of others.
func sideBySide(s *styles, lefts []string, width int, rights []string) []string {
	if width == 0 {
		return rights
	}
	lines := make([]string, len(rights))
	for i, right := range rights {
		left := ""
		if i < len(lefts) {
			left = lefts[i]
		}
		free := strings.Repeat(" ", max(width-draw.Width(left), 0))
		lines[i] = left + free + string(s.dim) + "│" + draw.Reset + right
	}
	return lines
}

// drawCursor returns the place of the terminal's own cursor: where text is typed.
func (m *Model) drawCursor(l *layout) *tea.Cursor {
	var cursor *tea.Cursor
	switch {
	case m.picker != nil:
		cursor = tea.NewCursor(m.picker.cursorColumn(), len(l.header))
	case m.filter.open:
		cursor = tea.NewCursor(filterColumn+m.filter.line.column(), len(l.header)-1)
	default:
		return nil
	}
	cursor.X = min(cursor.X, m.width-1)
	cursor.Shape = tea.CursorBar
	return cursor
}
