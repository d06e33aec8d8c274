package ui

import (
	"strings"

	"blotter/model"
	"blotter/ui/draw"
)

// reasonLines is how many lines the reason may take on a screen of at least the height roomyFrom; else it has one.
const (
	reasonLines = 2
	roomyFrom   = 20
)

// drawHeader draws the first lines: the status, its reason, and the filter while it is typed.
func (m *Model) drawHeader(width int) []string {
	lines := []string{m.drawStatus(width)}
	if reason := m.reason(); reason != "" {
		parts := draw.Wrap(reason, width-2)
		if m.height < roomyFrom {
			parts = []string{reason}
		}
		for _, part := range parts[:min(len(parts), reasonLines)] {
			lines = append(lines, draw.Text(width, m.styles.warning, " "+part))
		}
	}
	if m.filter.open {
		lines = append(lines, m.drawFilter(width))
	}
	return lines
}

// maxFilterWidth is how wide a kept filter is on the first line.
const maxFilterWidth = 24

// drawStatus draws the first line: service, freshness, filter, scope, how many positions are open, and the time.
func (m *Model) drawStatus(width int) string {
	now := m.now()
	right := m.format.clock(now)
	worst := model.Worst(m.incoming.links, now)
	switch {
	case worst != nil && !worst.StaleSince.IsZero():
		right = "as of " + m.format.clock(worst.StaleSince)
	case m.data.view.Rows() > 0:
		right = grouped(m.data.view.Open()) + " open  " + right
	}
	l := draw.NewLine(width).Space(1).Put(m.styles.brand, "blotter").Space(2)
	l.Put(draw.Plain, draw.Cut(oneLine(m.options.Service), max(8, width/4))).Space(2)
	l.Put(m.freshStyle(worst, now), m.freshWords()).Space(2)
	for _, flag := range m.flags() {
		l.Put(m.styles.warning, flag).Space(2)
	}
	if filter := m.data.filter.Text; strings.TrimSpace(filter) != "" && !m.filter.open {
		l.Put(m.styles.reverse, "["+draw.Cut(oneLine(filter), maxFilterWidth)+"]").Space(2)
	}
	right = " " + right + " "
	if l.Left() < draw.Width(right) { // the time is left out first
		right = ""
	}
	room := l.Left() - draw.Width(right) - 1
	scope := draw.Cut(m.scopeWords(), room)
	l.Put(draw.Plain, scope)
	if audits := m.auditWords(); audits != "" && width >= estimatesFrom {
		if l.Left()-draw.Width(right) > draw.Width(audits)+3 {
			l.Space(3).Put(m.styles.dim, audits)
		}
	}
	return l.To(width-draw.Width(right)).Put(draw.Plain, right).String()
}

// flags are other states of the whole screen.
func (m *Model) flags() []string {
	var flags []string
	for _, f := range []struct {
		on   bool
		word string
	}{{m.incoming.frozen, m.frozenWords()}, {m.options.Demo, "DEMO"}} {
		if f.on {
			flags = append(flags, f.word)
		}
	}
	return flags
}

// scopeWords are the parties and markets of the scope.
func (m *Model) scopeWords() string {
	var words []string
	for _, party := range m.data.scope.Parties {
		words = append(words, m.format.party(party))
	}
	if len(words) == 0 {
		words = append(words, "all parties")
	}
	if len(m.data.scope.Markets) > 0 {
		words = append(words, "in")
	}
	for _, market := range m.data.scope.Markets {
		words = append(words, m.format.market(market))
	}
	return strings.Join(words, " ")
}

// auditWords say how many audits there were, and how many corrections.
func (m *Model) auditWords() string {
	audits, corrections := 0, 0
	for i := range m.incoming.links {
		audits += m.incoming.links[i].Audits
		corrections += m.data.corrections[m.incoming.links[i].Subscription]
	}
	if audits == 0 {
		return ""
	}
	return model.Counted(audits, "audit") + ", " + model.Counted(corrections, "correction")
}
