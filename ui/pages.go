package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
)

// scroll is how far a page of text is scrolled.
type scroll struct{ top, height int }

// adjust keeps the screen within the text.
func (s *scroll) adjust(length, height int) {
	s.height = max(height, 1)
	s.top = max(min(s.top, length-s.height), 0)
}

// visible returns the lines on the screen; the first ones where the text does not scroll.
func (s *scroll) visible(lines []string, height int, scrolls bool) []string {
	top := 0
	if scrolls {
		top = max(min(s.top, len(lines)-height), 0)
	}
	return lines[top:min(top+max(height, 0), len(lines))]
}

// toEnd is far enough for every text. What is too far is corrected by adjust.
const toEnd = 1 << 30

func (m *Model) lineUp() tea.Cmd         { m.scroll.top--; return nil }
func (m *Model) lineDown() tea.Cmd       { m.scroll.top++; return nil }
func (m *Model) halfScreenUp() tea.Cmd   { m.scroll.top -= max(m.scroll.height/2, 1); return nil }
func (m *Model) halfScreenDown() tea.Cmd { m.scroll.top += max(m.scroll.height/2, 1); return nil }
func (m *Model) screenUp() tea.Cmd       { m.scroll.top -= m.scroll.height; return nil }
func (m *Model) screenDown() tea.Cmd     { m.scroll.top += m.scroll.height; return nil }
func (m *Model) firstLine() tea.Cmd      { m.scroll.top = 0; return nil }
func (m *Model) lastLine() tea.Cmd       { m.scroll.top = toEnd; return nil }

// pageLines returns the title and the whole text of the page.
func (m *Model) pageLines(width int) (title string, lines []string) {
	switch m.page {
	case helpPage:
		return "help", m.helpLines(width)
	case connectionPage:
		return "connection", m.streams().Page(m.walk.Words(m.data.view, m.now()), width)
	case sessionPage:
		page := m.drawnSession()
		return page.Title(), page.Lines(width, m.layout().middle-1)
	}
	return m.detailTitle(), m.pageDetail(width)
}

// drawPage draws the page that covers the panes.
func (m *Model) drawPage(width, height int) []string {
	title, lines := m.pageLines(width)
	room := height - 1
	right := "esc back"
	if len(lines) > room {
		right = fmt.Sprintf("lines %d–%d of %d · esc back", m.scroll.top+1, min(m.scroll.top+room, len(lines)), len(lines))
	}
	return append([]string{draw.Rule(width, m.styles.Brand, m.styles.Dim, title, right)}, m.scroll.visible(lines, room, true)...)
}

// adjustScroll keeps the screen within the text after either has changed.
func (m *Model) adjustScroll(l *layout) {
	switch {
	case m.page == eventsPage: // a list, which scrolls by itself
	case m.page != noPage:
		_, lines := m.pageLines(m.width)
		m.scroll.adjust(len(lines), l.middle-1)
	case m.focus == detailPane && l.side > 0:
		m.scroll.adjust(len(m.sideLines(l.side)), l.middle-1)
	}
}
