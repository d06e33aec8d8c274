package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// View returns the screen. If the changes of a frame come in parts, it is drawn again only after the last part, or if
// the parts take long.
func (m *Model) View() tea.View {
	if now := m.store.ScreenNow(); !m.store.Flow().HasMore() || now.Sub(m.last.at) >= store.SlowAfter {
		m.last.view, m.last.at = m.draw(), now
	}
	return m.last.view
}

// draw draws what is on the screen, and formats nothing else.
func (m *Model) draw() tea.View {
	appearance := &m.options.Appearance
	view := tea.NewView("")
	view.AltScreen = true
	_, isTyping := m.overlays.top().(pane.Typing)
	view.KeyboardEnhancements = input.Enhancements(isTyping)
	if appearance.Mouse {
		view.MouseMode = tea.MouseModeCellMotion
	}
	view.WindowTitle = appearance.Text("blotter " + format.OneLine(m.options.Service))
	l, around, size := m.parts(), m.frame(), m.layout.Screen
	if l.IsTiny {
		if m.overlays.covering() != nil || m.steps.topPage().opened != nil {
			around.Notice = cmp.Or(around.Notice, m.keys.Fill("No room here; {back} closes it."))
		}
		lines := around.Tiny(size)
		view.SetContent(appearance.Text(strings.Join(lines, "\n")))
		if view.Cursor = m.overlays.cursor(&l, size); m.overlays.covering() != nil {
			view.Cursor = nil
		} else if view.Cursor != nil {
			view.Cursor.Y = max(len(lines)-1, 0) // the message, in which one types, is the last line
		}
		return view
	}
	around.SecondLine.HasMarks = l.Marks > 0
	middle := m.drawMiddle(&l, around)
	if on := m.overlays.covering(); on != nil {
		middle = over(middle, on, m.context(), &l)
	}
	lines := slices.Concat(around.Top(size), draw.Fit(middle, l.Middle), around.Bottom(size))
	view.SetContent(appearance.Text(strings.Join(draw.Fit(lines, m.layout.Screen.Height), "\n")))
	view.Cursor = m.overlays.cursor(&l, size)
	return view
}

func (m *Model) drawMiddle(l *layout.Parts, around *layout.Bars) []string {
	if page := m.steps.topPage(); page.opened != nil {
		return page.opened.Draw(m.context(), l.Size(layout.Cover))
	}
	var lines []string
	if l.Positions > 0 {
		lines = append(lines, m.positions.Draw(m.contextOf(layout.Positions), l.Size(layout.Positions))...)
	}
	if l.Today > 0 {
		lines = append(lines[:len(lines)-l.Today], around.TodayChart(l.Left, l.Today)...)
	}
	if l.Selected > 0 {
		lines = append(lines, m.detail.Summary(m.context(), l.Size(layout.Selected), l.IsBox)...)
	}
	if l.Margins > 0 {
		lines = append(lines, m.margins.Draw(m.contextOf(layout.Margins), l.Size(layout.Margins))...)
	}
	if l.Side > 0 {
		lines = draw.SideBySide(m.colours.Styles.Dim, lines, l.Left, m.detail.Side.Draw(m.contextOf(layout.Detail), l.Size(layout.Detail)))
	}
	above := around.Headline(l.Width, l.Headline-l.Marks-l.Ribbon)
	if l.Marks > 0 {
		above = slices.Insert(above, 0, around.Past.Bar.Marks(around.Context, l.Width))
	}
	if l.Ribbon > 0 {
		above = append(above, around.Ribbon(l.Width))
	}
	return append(above, lines...)
}

// frame returns what the lines around the panes are drawn from.
func (m *Model) frame() *layout.Bars {
	prompt, _ := m.overlays.top().(pane.Prompt)
	service := m.options.Service
	if m.options.Demo && service == "demo" {
		service = "" // a flag says it
	}
	around := &layout.Bars{
		Context: m.context(), Streams: m.connection.Streams(m.context()), Service: service, Flags: m.options.flags(),
		View: m.views.ShownTitle(m.shown()), Path: m.steps.path(m.store.Settings().Scope), SecondLine: layout.SecondLine{Prompt: prompt},
		Counts: m.positions.Counts(),
		Sparks: m.last.sparks, DrawKeys: func(width int) string {
			return m.keys.DrawHints(m.hints(), &m.colours.Styles, width)
		},
	}
	if began := m.notice.demoBegan; !began.IsZero() {
		around.SecondLine.Hint = m.keys.Fill(layout.DemoHint(m.store.ScreenNow().Sub(began)))
	}
	if m.past != nil {
		around.Past = &m.past.frame
	}
	return around
}

// hints returns the actions of the last line.
func (m *Model) hints() []keys.Hint {
	active, quit := m.activeKeys(), quitHint
	switch {
	case active.isPage || m.layout.IsZoomed:
		quit = "close"
	case m.past != nil:
		quit = "live"
	}
	return active.hinted(m.allParts(), m.context(), m.layout.After(+1).Name(), quit)
}
