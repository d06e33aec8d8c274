package ui

import (
	"strings"

	"blotter/model"
	"blotter/ui/draw"
)

const (
	minService = 8 // the cells of the service's name: where the state leaves less, it is left out
	minScope   = 8 // the cells of the scope that are worth more than the time
)

// drawStatus draws the first line: service, freshness, alerts, other states, the view, the steps of scope and filter,
// how many positions are open, and the time. Where the line is too short, the time and the count go first, then the
// program's name, then the view, then the scope.
func (m *Model) drawStatus(width int) string {
	now := m.now()
	worst := model.Worst(m.incoming.links, now)
	l := draw.NewLine(width).Space(1)
	if width >= twoLineRowsBelow {
		l.Put(m.styles.brand, "blotter").Space(2)
	}
	fresh, flags := m.freshWords(), m.flags()
	alerts := m.alerts.words
	state := draw.Width(strings.Join(append([]string{fresh}, flags...), "  "))
	if alerts != "" {
		state += draw.Width(alerts) + 2
	}
	if service := min(max(minService, width/5), l.Left()-state-2); service >= minService {
		l.Put(draw.Plain, draw.CutMiddle(oneLine(m.options.Service), service)).Space(2)
	}
	l.Put(m.freshStyle(worst, now), fresh).Space(2)
	if alerts != "" {
		l.Put(m.styles.alarm+m.styles.reverse, alerts).Space(2)
	}
	for _, flag := range flags {
		l.Put(m.styles.warning, flag).Space(2)
	}
	if view := m.viewWords(); view != "" && draw.Width(view)+2+draw.Width(m.filterWords())+minScope <= l.Left() {
		l.Put(m.styles.strong, view).Space(2)
	}
	right := m.statusRight(l.Left()-draw.Width(m.filterWords())-minScope, worst)
	m.putSteps(l, l.Left()-draw.Width(right)-3)
	if audits := m.auditWords(); audits != "" && width >= estimatesFrom && l.Left()-draw.Width(right) > draw.Width(audits)+4 {
		l.Space(3).Put(m.styles.dim, audits)
	}
	return l.To(width-draw.Width(right)-1).Put(draw.Plain, right).String()
}

// statusRight returns what is at the right of the first line, as much as there is room for.
func (m *Model) statusRight(room int, worst *model.Link) string {
	clock := m.format.clock(m.now())
	rights := []string{clock}
	switch {
	case worst != nil && !worst.StaleSince.IsZero():
		rights = []string{"as of " + m.format.clock(worst.StaleSince)}
	case m.data.view.Rows() > 0:
		open := grouped(m.data.view.Open()) + " open"
		rights = []string{open + "  " + clock, open}
	}
	for _, right := range rights {
		if draw.Width(right)+2 <= room {
			return right
		}
	}
	return ""
}

// flags are other states of the whole screen.
func (m *Model) flags() []string {
	var flags []string
	for _, f := range []struct {
		on   bool
		word string
	}{{m.incoming.frozen, m.frozenWords()}, {m.options.Demo, "DEMO"}, {m.isRecording(), "REC"}, {m.options.Replay != nil, m.replayWords()}} {
		if f.on {
			flags = append(flags, f.word)
		}
	}
	return flags
}

// scopeWords are the parties and markets of a scope.
func (m *Model) scopeWords(scope *model.Scope) string {
	var words []string
	for _, party := range scope.Parties {
		words = append(words, m.format.party(party))
	}
	if len(words) == 0 {
		words = append(words, "all parties")
	}
	if len(scope.Markets) > 0 {
		words = append(words, "in")
	}
	for _, market := range scope.Markets {
		words = append(words, m.format.market(market))
	}
	return strings.Join(words, " ")
}

// auditWords returns how many audits there were, and how many corrections.
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
