package ui

import (
	"strings"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/replay"
	"blotter/ui/status"
)

// The least that is kept of parts of the first line, in cells.
const (
	minService = 8
	minScope   = 8
	minFilter  = 12
)

// statusParts are the texts of the first line. An empty one is not shown.
type statusParts struct {
	brand, service, fresh, alerts string
	flags                         []string
	view, filter                  string
	scope                         int    // the cells that are kept for the scope
	right                         string // how many positions are open, and the time
}

// width returns how many cells the parts take, with their gaps.
func (p *statusParts) width() int {
	width := 1 + p.scope + draw.Width(p.filter)
	if p.scope > 0 && p.filter != "" {
		width += draw.Width(stepGap)
	}
	for _, part := range append([]string{p.brand, p.service, p.fresh, p.alerts, p.view, p.right}, p.flags...) {
		if part != "" {
			width += draw.Width(part) + 2
		}
	}
	return width
}

// drawStatus draws the first line: service, freshness, alerts, other states, the view, the steps of scope and filter,
// how many positions are open, and the time.
func (m *Model) drawStatus(width int) string {
	streams := m.streams()
	worst := streams.Worst()
	p := m.statusParts(width, streams)
	l := draw.NewLine(width).Space(1)
	put := func(style draw.Style, text string) {
		if text != "" {
			l.Put(style, text).Space(2)
		}
	}
	put(m.styles.Brand, p.brand)
	put(draw.Plain, p.service)
	put(streams.Style(worst), p.fresh)
	put(m.styles.Alarm+m.styles.Reverse, p.alerts)
	for _, flag := range p.flags {
		put(m.styles.Warning, flag)
	}
	put(m.styles.Strong, p.view)
	m.putSteps(l, l.Left()-draw.Width(p.right)-3, p.filter)
	if audits := streams.Audits(); audits != "" && width >= columns.EstimatesFrom && l.Left()-draw.Width(p.right) > draw.Width(audits)+4 {
		l.Space(3).Put(m.styles.Dim, audits)
	}
	return l.To(width-draw.Width(p.right)-1).Put(draw.Plain, p.right).String()
}

// statusParts returns the parts of the first line. If there is not enough room for all of them, the less important
// ones are shortened or left out, one after the other. Freshness, alerts and FROZEN stay.
func (m *Model) statusParts(width int, streams *status.Streams) *statusParts {
	clock, worst := m.store.Format().Clock(streams.Now), streams.Worst()
	isStale := worst != nil && !worst.StaleSince.IsZero()
	alertWords, alertCount := m.store.Alerts().Words()
	p := &statusParts{
		service: draw.CutMiddle(format.OneLine(m.options.Service), max(minService, width/5)), fresh: streams.Freshness(),
		alerts: alertWords, flags: m.flags(m.frozenWords()), view: m.viewWords(), filter: m.filterWords(maxFilter),
		scope: minScope, right: clock,
	}
	if width >= columns.TwoLinesBelow {
		p.brand = "blotter"
	}
	open := ""
	switch {
	case isStale:
		p.right = "as of " + m.store.Format().Clock(worst.StaleSince)
	case m.store.View().Rows() > 0:
		open = format.Grouped(m.store.View().Open()) + " open"
		p.right = open + "  " + clock
	}
	for _, shorten := range []func(){
		func() {
			if !isStale {
				p.right = open
			}
		},
		func() {
			if !isStale {
				p.right = ""
			}
		},
		func() { p.brand = "" },
		func() { p.service = draw.CutMiddle(p.service, minService) },
		func() { p.view = "" },
		func() { p.alerts = alertCount },
		func() { p.flags = m.flags(m.frozenFor()) },
		func() { p.filter = m.filterWords(minFilter) },
		func() { p.right = p.right[:max(strings.LastIndexByte(p.right, ' '), 0)] }, // without the zone
		func() { p.right = "" },
		func() { p.scope = 0 },
		func() { p.service = "" },
		func() { p.fresh, _, _ = strings.Cut(p.fresh, ",") },
	} {
		if p.width() <= width {
			break
		}
		shorten()
	}
	return p
}

// flags are other states of the whole screen.
func (m *Model) flags(frozen string) []string {
	var flags []string
	for _, f := range []struct {
		on   bool
		word string
	}{{m.store.Flow().IsFrozen(), frozen}, {m.options.Demo, "DEMO"}, {m.isRecording(), "REC"}} {
		if f.on {
			flags = append(flags, f.word)
		}
	}
	return flags
}

// frozenWords returns since when the rows are frozen, and how many changes wait.
func (m *Model) frozenWords() string {
	switch n := m.store.Flow().Waiting(); n {
	case 0:
		return m.frozenFor()
	case 1:
		return m.frozenFor() + ", 1 change waits"
	default:
		return m.frozenFor() + ", " + model.Counted(n, "change") + " wait"
	}
}

// frozenFor returns since when the rows are frozen.
func (m *Model) frozenFor() string {
	return "FROZEN " + format.Age(m.store.Now().Sub(m.store.Flow().FrozenSince()))
}

// drawMessage draws the second line: the filter while it is typed, else what a key did, else what is wrong. It is there
// also if it is empty, so that the table never moves.
func (m *Model) drawMessage(width int) string {
	if on, isPrompt := m.overlay().(pane.Prompt); isPrompt {
		if line := on.Prompt(m.context(), width); line != "" {
			return line
		}
	}
	if m.notice.text != "" {
		return draw.Text(width, m.styles.Warning, " "+draw.CutWords(m.notice.text, width-2))
	}
	if reason := m.streams().FitReason(width - 2); reason != "" {
		return draw.Text(width, m.styles.Warning, " "+reason)
	}
	return ""
}

// replayWords returns what stands in place of the freshness while a recording is shown; empty if there is none.
func (m *Model) replayWords() string {
	if m.options.Replay == nil {
		return ""
	}
	return replay.Controls{Clock: m.options.Replay}.Words(m.store)
}

// isRecording reports whether a recording is being made.
func (m *Model) isRecording() bool {
	return m.options.Recording != nil && m.options.Recording() == nil
}
