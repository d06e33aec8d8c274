package ui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
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
	l := m.layout()
	if l.tiny {
		view.SetContent(looks.text(m.drawTiny()))
		return view
	}
	lines := []string{m.drawStatus(m.width), m.drawMessage(m.width)}
	lines = append(lines, draw.Fit(m.drawMiddle(&l), l.middle)...)
	lines = append(lines, m.drawFooter(m.width)...)
	view.SetContent(looks.text(strings.Join(draw.Fit(lines, m.height), "\n")))
	view.Cursor = m.drawCursor()
	return view
}

// drawTiny draws one line on a screen that is too small for a table: how fresh the rows are, alerts, other states, and
// the unrealised PnL of each asset that there is room for.
func (m *Model) drawTiny() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	streams := m.streams()
	fresh := cmp.Or(streams.Replay, streams.Freshness())
	l := draw.NewLine(m.width).Put(streams.Style(streams.Worst()), draw.Cut(fresh, m.width))
	if _, alerts := m.store.Alerts().Words(); alerts != "" {
		l.Space(2).Put(m.styles.Alarm+m.styles.Reverse, alerts)
	}
	for _, flag := range m.flags(m.frozenFor()) {
		l.Space(2).Put(m.styles.Warning, flag)
	}
	style := draw.Plain
	if m.store.Stale().Any() {
		style = m.styles.Stale
	}
	for _, total := range m.store.View().Totals() {
		words := "  " + m.store.Format().Asset(total.Asset) + " uPnL " + m.store.Format().RoundedAmount(total.Unrealised.Amount(), total.Asset, true)
		if !total.Asset.IsZero() && draw.Width(words) <= l.Left() {
			l.Put(style, words)
		}
	}
	return l.String()
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
	at, top := on.Cursor(m.overlaySize()), headerHeight
	if m.covering() == nil {
		top = headerHeight - 1 // in the second line
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
