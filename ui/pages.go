package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/analysis"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/topics"
)

// The kinds of pages that keys of the screen open, besides pane.DetailKind.
const (
	connectionKind = "connection"
	sessionKind    = "session"
	analysisKind   = "analysis"
	helpKind       = "help"
	eventsKind     = "events"
	alertsKind     = "alerts"
)

// pageKinds has, for each kind of page that covers the panes, the function that makes it.
var pageKinds = map[string]func(*Model) pane.Pane{
	pane.DetailKind: func(m *Model) pane.Pane {
		m.positions.Rows.Stay() // so that the detail does not change to another position
		return m.detail.NewPage(m.connection.Source)
	},
	connectionKind: func(m *Model) pane.Pane { return pane.NewLongPage(m.connection.Text) },
	sessionKind: func(m *Model) pane.Pane {
		m.analysis.Session.First()
		return m.analysis.Session
	},
	analysisKind: func(m *Model) pane.Pane {
		m.analysis.Tabs.Open()
		return m.analysis.Tabs
	},
	helpKind: func(m *Model) pane.Pane {
		return topics.NewHelpPage(m.options.Topics, m.keys, func(c *pane.Context, width int) []string {
			return m.keys.DrawHelp(m.activeKeys().replayed, m.allParts(), c, width)
		})
	},
	eventsKind: func(m *Model) pane.Pane {
		m.events.Open(m.store.Events(), m.store.FilterContext())
		return m.events
	},
	alertsKind: func(m *Model) pane.Pane {
		m.alerts.Open()
		if store.AsksScope(m.service().store) {
			m.notice.say(m.keys.Fill("Saved rules watch all parties: {choose_parties} chooses some, {narrow_alert} keeps a rule to them."))
			m.keeper.Hurry()
		}
		return m.alerts
	},
}

// These are prefixes of kinds. The name of a topic of help, or of a tab of the analysis, follows.
const (
	topicKind = "topic:"
	tabKind   = "tab:"
)

// show covers the panes with a page, as a step. If the page is open already, it is closed and opened again.
func (m *Model) show(kind string) tea.Cmd {
	var shown []pane.Effect
	if tab, isTab := strings.CutPrefix(kind, tabKind); isTab {
		kind, shown = analysisKind, m.analysis.Tabs.ShowTab(analysis.Named(tab))
	}
	m.steps.closeOf(kind)
	open := step{kind: pageStep, page: kind}
	if topic, isTopic := strings.CutPrefix(kind, topicKind); isTopic {
		open.opened = topics.NewTopicPage(m.options.Topics, m.keys, topic)
	} else {
		open.opened = pageKinds[kind](m)
	}
	m.steps.add(open)
	if surveysOf(m.panes, m.steps.topPage().page) == store.SurveysOfPage {
		return tea.Batch(m.store.Surveys().Begin(), m.apply(shown...))
	}
	return m.apply(shown...)
}

// surveyedRows is up to how many rows the headline has a survey: it delays updates by some milliseconds.
const surveyedRows = 50_000

// surveysOf tells which surveys panes need, with a page of a kind. The session, the analysis and the detail of a group
// have a part of one, and so has the headline, but not in the past: a survey would delay its steps.
func surveysOf(p *panes, page string) store.SurveysWanted {
	switch {
	case page == sessionKind || page == analysisKind || page == pane.DetailKind && p.positions.Selected() == nil:
		return store.SurveysOfPage
	case p.controls.Shift != nil: // it has the bounds of sums
		return store.SurveysOfHeadline
	case p.past == nil && p.controls.Clock == nil && p.store.View().Rows() <= surveyedRows:
		return store.SurveysOfHeadline
	}
	return store.NoSurveys
}
