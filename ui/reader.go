package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
)

// reader is how far a page of text is scrolled.
type reader struct{ top, height, length int }

// settle takes the length of the text and the room for it.
func (r *reader) settle(length, height int) {
	r.length, r.height = length, max(height, 1)
	r.top = max(min(r.top, length-r.height), 0)
}

// visible are the lines on the screen.
func (r *reader) visible(lines []string, height int, scrolls bool) []string {
	top := 0
	if scrolls {
		top = max(min(r.top, len(lines)-height), 0)
	}
	return lines[top:min(top+max(height, 0), len(lines))]
}

func (r *reader) by(n int)      { r.top += n }
func (r *reader) screens(n int) { r.top += n * r.height }

func (m *Model) lineUp() tea.Cmd     { m.reader.by(-1); return nil }
func (m *Model) lineDown() tea.Cmd   { m.reader.by(+1); return nil }
func (m *Model) screenUp() tea.Cmd   { m.reader.screens(-1); return nil }
func (m *Model) screenDown() tea.Cmd { m.reader.screens(+1); return nil }

// open covers the panes with a page.
func (m *Model) open(page page) {
	m.page = page
	m.reader = reader{}
}

// pageLines are the whole text of what is read, and its title.
func (m *Model) pageLines(width int) (title string, lines []string) {
	switch m.page {
	case helpPage:
		return "help", m.helpLines(width)
	case linksPage:
		return "subscriptions", m.linkLines(width)
	}
	return m.detailTitle(), m.detailLines(width)
}

// drawPage draws the page that covers the panes.
func (m *Model) drawPage(width, height int) []string {
	title, lines := m.pageLines(width)
	room := height - 1
	right := "esc back"
	if len(lines) > room {
		right = fmt.Sprintf("lines %d–%d of %d · esc back", m.reader.top+1, min(m.reader.top+room, len(lines)), len(lines))
	}
	return append([]string{draw.Rule(width, m.styles.brand, m.styles.dim, title, right)}, m.reader.visible(lines, room, true)...)
}

// settleReader keeps the scrolling within the text.
func (m *Model) settleReader(l *layout) {
	switch {
	case m.page != noPage:
		_, lines := m.pageLines(m.width)
		m.reader.settle(len(lines), l.middle-1)
	case m.focus == detailPane && l.side > 0:
		m.reader.settle(len(m.detailLines(l.side)), l.middle-1)
	}
}

// linkLines are the state of every subscription.
func (m *Model) linkLines(width int) []string {
	now := m.now()
	var lines []string
	for i := range m.pull.links {
		link := &m.pull.links[i]
		how, _ := link.Freshness(now)
		look := draw.Plain
		switch how {
		case model.FreshLive:
			look = m.styles.live
		case model.FreshStale:
			look = m.styles.reverse
		}
		l := draw.NewLine(width).Space(1).Put(m.styles.strong, m.linkName(link)).Space(2).Put(look, m.linkWords(link, now))
		l.Put(m.styles.dim, "  "+link.Phase.String()+"  "+model.Neutralise(link.Address))
		lines = append(lines, l.String())
		for _, words := range m.linkFacts(link) {
			for _, part := range draw.Wrap(words, max(width-4, 1)) {
				lines = append(lines, draw.Text(width, draw.Plain, "   "+part))
			}
		}
	}
	if len(lines) == 0 {
		lines = []string{"", draw.Centred(width, draw.Plain, "No subscription yet.")}
	}
	return lines
}

// linkFacts are what else is known of a subscription.
func (m *Model) linkFacts(link *model.Link) []string {
	var words []string
	switch {
	case link.Phase == model.Syncing:
		words = append(words, stagedWords(link))
	case !link.SnapshotAt.IsZero():
		words = append(words, "snapshot of "+m.format.clock(link.SnapshotAt))
	}
	if link.Auditing {
		words = append(words, "an audit is under way")
	}
	if link.Audits > 0 {
		words = append(words, counted(link.Audits, "audit")+", "+counted(m.data.corrections[link.Subscription], "correction"))
	}
	if !link.StaleSince.IsZero() {
		words = append(words, "stale since "+m.format.clock(link.StaleSince))
	}
	if link.Problem != nil {
		words = append(words, problemWords(link, m.now()))
	}
	return words
}

func (m *Model) showLinks() tea.Cmd {
	m.open(linksPage)
	return nil
}
