package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/help"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// The kinds of pages that keys of the screen open, beside pane.DetailKind.
const (
	connectionKind = "connection"
	sessionKind    = "session"
	helpKind       = "help"
	eventsKind     = "events"
	alertsKind     = "alerts"
)

// pageKinds open the pages that cover the panes. Effects may follow.
var pageKinds = map[string]func(*Model) (pane.Pane, []pane.Effect){
	pane.DetailKind: func(m *Model) (pane.Pane, []pane.Effect) {
		m.positions.Rows.Stay() // or another position would come in its place while it is read
		var effects []pane.Effect
		if m.positions.Selected() == nil { // the detail of a group has a part of a survey
			effects = append(effects, pane.Change{Do: (*store.Store).Survey})
		}
		return m.detail.NewPage(m.connection.Source), effects
	},
	connectionKind: func(m *Model) (pane.Pane, []pane.Effect) { return pane.NewLongPage(m.connection.Text), nil },
	sessionKind: func(m *Model) (pane.Pane, []pane.Effect) {
		m.session.Open()
		return m.session, []pane.Effect{pane.Change{Do: (*store.Store).Survey}}
	},
	helpKind: func(m *Model) (pane.Pane, []pane.Effect) {
		return help.New(m.options.Topics, m.keys, func(c *pane.Context, width int) []string {
			return m.keys.DrawHelp(replayKeys(m.keys, m.past.controls(m.options.Replay)), m.allParts(), c, width)
		}), nil
	},
	eventsKind: func(m *Model) (pane.Pane, []pane.Effect) {
		m.events.Open(m.store.Events(), m.store.FilterContext())
		return m.events, nil
	},
	alertsKind: func(m *Model) (pane.Pane, []pane.Effect) {
		m.alerts.Open()
		return m.alerts, nil
	},
}

// topicKind is what the kinds of pages with a topic of help begin with, before its name.
const topicKind = "topic:"

// openPage is a page that covers the panes.
type openPage struct {
	kind string
	pane.Pane
}

// pages are those that cover the panes, the latest on top.
type pages []openPage

// top returns the page that is shown, one without a kind and a pane if none is.
func (p pages) top() openPage {
	if len(p) == 0 {
		return openPage{}
	}
	return p[len(p)-1]
}

// close removes a page.
func (p *pages) close(kind string) {
	*p = slices.DeleteFunc(*p, func(each openPage) bool {
		closes, ok := each.Pane.(interface{ Close() })
		if ok && each.kind == kind {
			closes.Close()
		}
		return each.kind == kind
	})
}

// show covers the panes with a page, as a step. One that is open already is opened anew.
func (m *Model) show(kind string) tea.Cmd {
	m.pages.close(kind)
	page, then := openPage{kind: kind}, []pane.Effect(nil)
	if topic, isTopic := strings.CutPrefix(kind, topicKind); isTopic {
		page.Pane = help.NewTopic(m.options.Topics, m.keys, topic)
	} else {
		page.Pane, then = pageKinds[kind](m)
	}
	m.pages = append(m.pages, page)
	m.steps.add(step{kind: pageStep, page: kind, undo: applying(pane.ClosePage{})})
	return m.apply(then...)
}

// closeTop closes the page that covers the panes, and removes its steps. If another page is open below, that one is
// shown again.
func (p *pages) closeTop(s *steps) {
	if top := p.top(); top.Pane != nil {
		p.close(top.kind)
		s.removeOf(top.kind)
	}
}

// closeAll shows the panes again.
func (p *pages) closeAll(s *steps) {
	for len(*p) > 0 {
		p.closeTop(s)
	}
}
