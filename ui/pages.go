package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/help"
	"blotter/ui/pane"
)

// The kinds of pages that keys of the screen open, beside pane.DetailKind.
const (
	connectionKind = "connection"
	sessionKind    = "session"
	helpKind       = "help"
	eventsKind     = "events"
	alertsKind     = "alerts"
)

// pageKinds open the pages that cover the panes.
var pageKinds = map[string]func(*Model) pane.Pane{
	pane.DetailKind: func(m *Model) pane.Pane {
		m.positions.Rows.Stay() // or another position would come in its place while it is read
		return m.detail.NewPage(m.connection.Source)
	},
	connectionKind: func(m *Model) pane.Pane { return pane.NewLongPage(m.connection.Text) },
	sessionKind: func(m *Model) pane.Pane {
		m.session.Open()
		return m.session
	},
	helpKind: func(m *Model) pane.Pane {
		return help.New(m.options.Topics, m.keys, func(c *pane.Context, width int) []string {
			return m.keys.DrawHelp(m.replayKeys(), m.allParts(), c, width)
		})
	},
	eventsKind: func(m *Model) pane.Pane {
		m.events.Open(m.store.Events(), m.store.FilterContext())
		return m.events
	},
	alertsKind: func(m *Model) pane.Pane {
		m.alerts.Open()
		return m.alerts
	},
}

// topicKind is what the kinds of pages with a topic of help begin with, before its name.
const topicKind = "topic:"

// show covers the panes with a page, as a step. One that is open already is opened anew.
func (m *Model) show(kind string) tea.Cmd {
	m.steps.closeOf(kind)
	open := step{kind: pageStep, page: kind}
	if topic, isTopic := strings.CutPrefix(kind, topicKind); isTopic {
		open.opened = help.NewTopic(m.options.Topics, m.keys, topic)
	} else {
		open.opened = pageKinds[kind](m)
	}
	m.steps.add(open)
	if m.showsSurvey() {
		return m.store.Survey()
	}
	return nil
}

// showsSurvey reports whether the page that is shown has a part of a survey, as the detail of a group has.
func (m *Model) showsSurvey() bool {
	page := m.steps.page().page
	return page == sessionKind || page == pane.DetailKind && m.positions.Selected() == nil
}
