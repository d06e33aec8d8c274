package ui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/help"
	"blotter/ui/layout"
	"blotter/ui/store"
)

// page is what covers the panes.
type page uint8

const (
	noPage page = iota
	detailPage
	connectionPage
	sessionPage
	helpPage
	eventsPage
)

// pageText is the text of the page that covers the panes, as it was made last. The help and what audits corrected are
// hundreds of lines, and most data changes none of them. So these texts are made again once a second, and at once if
// something else than data has come, or a stream is in another state.
type pageText struct {
	page    page
	width   int
	streams []streamState
	at      time.Time
	title   string
	lines   []string
}

// streamState is what a page shows of a stream at once.
type streamState struct {
	phase    model.Phase
	auditing bool
	audits   int
}

// updatePage makes the text of the page again, if a message may have changed it.
func (m *Model) updatePage(msg tea.Msg) {
	last := &m.pageText
	if m.page == noPage || m.page == eventsPage { // a list, which is drawn by itself
		*last = pageText{}
		return
	}
	text := pageText{page: m.page, width: m.layout.Screen.Width, at: m.store.Now()}
	for i := range m.store.Flow().Links() {
		link := &m.store.Flow().Links()[i]
		text.streams = append(text.streams, streamState{link.Phase, link.Auditing, link.Audits})
	}
	isLong := m.page == helpPage || m.page == connectionPage
	isSame := last.page == text.page && last.width == text.width && slices.Equal(last.streams, text.streams)
	if isLong && isSame && store.IsData(msg) && text.at.Sub(last.at) < time.Second {
		return
	}
	text.title, text.lines = m.pageLines(m.layout.Screen.Width)
	*last = text
}

// pageLines returns the title and the whole text of the page.
func (m *Model) pageLines(width int) (title string, lines []string) {
	switch m.page {
	case helpPage:
		return "help", help.Lines(m.keys.DrawHelp(m, &m.styles, width-2), m.context(), width)
	case connectionPage:
		return "connection", m.streams().Page(m.store.Walk().Words(m.store.View(), m.store.Now()), width)
	case sessionPage:
		page := m.session.Page(m.context())
		return page.Title(), page.Lines(width, m.parts().Middle-1)
	}
	return m.detail.Title(m.context(), m.line()), m.pageDetail(width)
}

// drawPage draws the page that covers the panes.
func (m *Model) drawPage(width, height int) []string {
	lines := m.pageText.lines
	room := height - 1
	right := "esc back"
	if len(lines) > room {
		right = fmt.Sprintf("lines %d–%d of %d · esc back", m.scroll.Top()+1, min(m.scroll.Top()+room, len(lines)), len(lines))
	}
	return append([]string{draw.Rule(width, m.styles.Brand, m.styles.Dim, m.pageText.title, right)}, m.scroll.Visible(lines, room)...)
}

// adjustScroll keeps the screen within the text after either has changed.
func (m *Model) adjustScroll() {
	l := m.parts()
	switch {
	case m.page == eventsPage: // a list, which scrolls by itself
	case m.page != noPage:
		m.scroll.Fit(len(m.pageText.lines), l.Middle-1)
	case m.layout.Focus == layout.Detail && l.Side > 0:
		m.scroll.Fit(len(m.sideLines(l.Side)), l.Middle-1)
	}
}
