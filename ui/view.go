package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/frame"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// View returns the screen. It is not drawn again between the parts of one frame's changes, unless they take long.
func (m *Model) View() tea.View {
	if now := m.store.ScreenNow(); !m.store.Flow().HasMore() || now.Sub(m.shownAt) >= store.SlowAfter {
		m.shown, m.shownAt = m.draw(), now
	}
	return m.shown
}

// draw draws what is on the screen, and formats nothing else.
func (m *Model) draw() tea.View {
	looks := &m.options.Looks
	view := tea.NewView("")
	view.AltScreen = true
	view.MouseMode = looks.mouseMode()
	view.WindowTitle = looks.text("blotter " + format.OneLine(m.options.Service))
	l, around, size := m.layout(), m.frame(), m.size()
	if l.tiny {
		view.SetContent(looks.text(around.Tiny(size)))
		return view
	}
	lines := slices.Concat(around.Top(size), draw.Fit(m.drawMiddle(&l), l.middle), around.Bottom(size))
	view.SetContent(looks.text(strings.Join(draw.Fit(lines, m.height), "\n")))
	view.Cursor = m.drawCursor()
	return view
}

func (m *Model) drawMiddle(l *layout) []string {
	switch on := m.covering(); {
	case on != nil:
		return on.Draw(m.context(), m.overlaySize())
	case m.page == eventsPage:
		return m.events.Draw(m.context(), m.overlaySize())
	case m.page != noPage:
		return m.drawPage(m.width, l.middle)
	}
	var lines []string
	if l.positions > 0 {
		if m.store.View().Len() == 0 {
			lines = append(lines, draw.Fit(m.drawEmpty(l.left, l.positions), l.positions)...)
		} else {
			lines = append(lines, m.positions.Draw(m.contextOf(positionsPane), l.positionSize())...)
		}
	}
	if l.selected > 0 {
		lines = append(lines, m.detail.Summary(m.context(), m.line(), pane.Size{Width: l.left, Height: l.selected})...)
	}
	if l.margins > 0 {
		lines = append(lines, m.margins.Draw(m.contextOf(marginsPane), l.marginSize())...)
	}
	if l.side == 0 {
		return lines
	}
	return sideBySide(&m.styles, lines, l.left, m.drawSide(l.side, l.middle))
}

// sideBySide puts a pane at the right of others.
func sideBySide(s *theme.Styles, lefts []string, width int, rights []string) []string {
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
		lines[i] = left + free + string(s.Dim) + "│" + draw.Reset + right
	}
	return lines
}

// drawCursor returns the place of the terminal's own cursor: where text is typed.
func (m *Model) drawCursor() *tea.Cursor {
	on := m.overlay()
	if on == nil || on.Text() == nil {
		return nil
	}
	at, top := on.Cursor(m.overlaySize()), frame.TopHeight
	if m.covering() == nil {
		top = frame.TopHeight - 1 // in the second line
	}
	cursor := tea.NewCursor(at.X, top+at.Y)
	cursor.X = min(cursor.X, m.width-1)
	cursor.Shape = tea.CursorBar
	return cursor
}

// Looks is how the screen is drawn, whatever is on it.
type Looks struct {
	Theme string // the name of one in package theme; empty for the default
	Mouse bool   // clicks, the wheel and drags do something, in place of the terminal's own selection
	ASCII bool   // for a terminal without Unicode
}

// text returns text of the screen in the characters that the terminal has.
func (l *Looks) text(text string) string {
	if l.ASCII {
		return draw.ASCII(text)
	}
	return text
}

// styles returns the styles for the background that the terminal reports.
func (l *Looks) styles(dark bool) theme.Styles { return theme.New(l.Theme, dark) }

// mouseMode returns what the terminal reports of the mouse.
func (l *Looks) mouseMode() tea.MouseMode {
	if l.Mouse {
		return tea.MouseModeCellMotion
	}
	return tea.MouseModeNone
}
