package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/status"
)

// Alert is an alert of the configuration, with what it does besides its marks on the screen.
type Alert struct {
	view.AlertRule
	Bell   bool         // ring the bell of the terminal
	Notify Notification // make the terminal notify the desktop
	Run    bool         // Options.RunAlerts gets its events
}

// alerts are the alerts of the configuration, and their events that are not reported yet.
//
// Each alert is reported at most once a second: what begins and ends in between is one report. At the start, and after
// a change of scope, reports wait until all positions and margin levels are there, but at most startFor. So the
// positions that match from the start are one report, with their number.
type alerts struct {
	rules     []Alert
	watched   *view.Alerts
	pending   []pendingEvents // by rule
	starting  bool
	since     time.Time                   // when the first change was held back while starting; zero where none was
	stale     map[model.Subscription]bool // the subscriptions whose rows may have changed while they were stale
	due       bool                        // all rows must be matched again
	matchedAt time.Time                   // when they were matched last
	nextMatch time.Time                   // the earliest time to match them again
	words     string                      // on the first line; empty where all alerts were seen
	count     string                      // the same in fewer cells
	warned    map[string]bool             // the rules that cannot compare some numbers, and those of too many positions
	failing   map[string]bool             // the alerts whose command failed last
}

// pendingEvents are the events of a rule that are not reported yet.
type pendingEvents struct {
	events     []view.AlertEvent // begins and ends in turn
	reportedAt time.Time
}

// The limits of reports.
const (
	reportAlertsEvery = time.Second
	startFor          = 10 * time.Second
	maxPendingEvents  = 8 // events of a rule
)

func newAlerts(rules []Alert, watched *view.Alerts) alerts {
	return alerts{
		rules: rules, watched: watched, pending: make([]pendingEvents, len(rules)),
		starting: true, stale: make(map[model.Subscription]bool), warned: make(map[string]bool),
		failing: make(map[string]bool),
	}
}

// alertRules returns the rules of alerts.
func alertRules(alerts []Alert) []view.AlertRule {
	var rules []view.AlertRule
	for _, alert := range alerts {
		rules = append(rules, alert.AlertRule)
	}
	return rules
}

// evaluateAlerts evaluates the rules for the rows that have changed. Rows do not change while a view is in preparation
// or the rows are frozen.
func (m *Model) evaluateAlerts() tea.Cmd {
	a := &m.alerts
	if len(a.rules) == 0 || m.data.preparing || m.incoming.frozen {
		return nil
	}
	var staleNow *status.Stale
	book := m.data.view.Book()
	isStale := func(key model.Key) bool {
		if staleNow == nil {
			now := m.stale()
			staleNow = &now
		}
		stale := staleNow.HasRow(book, key)
		if source, ok := book.Source(key); ok && stale {
			a.stale[source] = true
		}
		return stale
	}
	changes, _ := a.watched.Evaluate(m.data.view, isStale, m.now())
	for i := range changes {
		m.addAlertChange(&changes[i])
	}
	if len(changes) > 0 {
		m.updateAlertWords()
	}
	return m.reportAlerts()
}

// addAlertChange adds a change to the pending events of its rule.
func (m *Model) addAlertChange(change *view.AlertChange) {
	a := &m.alerts
	if a.starting && a.since.IsZero() {
		a.since = m.screenNow()
	}
	pending := &a.pending[change.Rule]
	last := len(pending.events) - 1
	switch {
	case last >= 0 && pending.events[last].Begins == change.Begins:
	case last+1 == maxPendingEvents:
		last--
	default:
		last++
		pending.events = append(pending.events, view.AlertEvent{
			Rule: a.rules[change.Rule].AlertRule, Begins: change.Begins, At: m.now(), Service: m.options.Service, Instruments: m.data.instruments,
		})
	}
	event := &pending.events[last]
	if event.Count++; len(event.Changes) < view.MaxEventPositions {
		event.Changes = append(event.Changes, *change)
	}
}

// reportAlerts reports the pending events that are due. A replay reports them only on the screen.
func (m *Model) reportAlerts() tea.Cmd {
	a, now := &m.alerts, m.screenNow()
	if a.starting = a.starting && m.isLoading() && (a.since.IsZero() || now.Sub(a.since) < startFor); a.starting {
		return nil
	}
	var commands []tea.Cmd
	var reported []string
	for rule := range a.pending {
		pending := &a.pending[rule]
		if len(pending.events) == 0 || now.Sub(pending.reportedAt) < reportAlertsEvery {
			continue
		}
		events := pending.events
		for i := range events {
			events[i].Text = m.alertWords(&events[i])
		}
		*pending = pendingEvents{reportedAt: now}
		words := m.begunWords(events)
		if words != "" {
			reported = append(reported, words)
		}
		if m.options.Replay == nil {
			commands = append(commands, a.rules[rule].raise(words), m.runAlert(&a.rules[rule], events))
		}
	}
	if len(reported) > 0 {
		m.notify(strings.Join(reported, "; "))
	}
	return tea.Batch(commands...)
}

// isLoading reports whether positions or margin levels of the scope may still be missing.
func (m *Model) isLoading() bool {
	if len(m.incoming.links) < len(m.data.subscriptions) {
		return true
	}
	for i := range m.incoming.links {
		if link := &m.incoming.links[i]; !link.Committed && link.Problem == nil {
			return true
		}
	}
	return m.alerts.watched.UsesMargins() && !m.walk.IsComplete() && !m.walk.HasFailed()
}

// alertRanMsg comes when the command of an alert has ended, or was not run.
type alertRanMsg struct {
	alert string
	err   error
}

// runAlert returns the tea.Cmd that runs the command of an alert with events, and waits for its end.
func (m *Model) runAlert(alert *Alert, events []view.AlertEvent) tea.Cmd {
	run, name := m.options.RunAlerts, alert.Name
	if !alert.Run || run == nil {
		return nil
	}
	return func() tea.Msg { return alertRanMsg{name, run(events)} }
}

// handleAlertRan logs each failure of a command, and shows the first of several.
func (m *Model) handleAlertRan(msg alertRanMsg) {
	a := &m.alerts
	if msg.err == nil {
		delete(a.failing, msg.alert)
		return
	}
	m.options.Log.Warn("command of alert "+msg.alert, "error", msg.err)
	if !a.failing[msg.alert] {
		a.failing[msg.alert] = true
		m.notify("Command of alert " + format.OneLine(msg.alert) + ": " + format.OneLine(msg.err.Error()))
	}
}

// checkAlerts matches all rows again where the result may have changed: because time has passed, or because rows are no
// longer stale.
func (m *Model) checkAlerts() tea.Cmd {
	a := &m.alerts
	m.data.alertTime = m.serviceNow().In(m.options.Location)
	if len(a.rules) == 0 || m.incoming.frozen {
		return nil
	}
	m.warnOfAlerts()
	due, now := a.watched.UsesTime(), m.now()
	for i := range m.incoming.links {
		link := &m.incoming.links[i]
		if how, _ := link.Freshness(now); how == model.FreshStale {
			a.stale[link.Subscription] = true
		} else if a.stale[link.Subscription] {
			delete(a.stale, link.Subscription)
			due = true
		}
	}
	a.due = a.due || due
	if !a.due || m.data.preparing || m.screenNow().Before(a.nextMatch) {
		return nil
	}
	return m.matchAlerts()
}

// alertsMatchedMsg has the rows of a view that match the alerts.
type alertsMatchedMsg struct {
	pass view.AlertPass
	of   *view.View
}

// matchAlerts returns the command that matches all rows with the alerts. Meanwhile the rows do not change. It takes at
// most a tenth of the time.
func (m *Model) matchAlerts() tea.Cmd {
	d := &m.data
	m.alerts.due, m.alerts.matchedAt = false, m.screenNow()
	d.beginReading()
	view, alerts, at := d.view, d.alerts, d.alertTime
	return func() tea.Msg { return alertsMatchedMsg{view.MatchAlerts(alerts, at), view} }
}

// handleAlertsMatched takes the rows that match, unless their view is no longer shown. Then the rows can change again.
func (m *Model) handleAlertsMatched(msg alertsMatchedMsg) tea.Cmd {
	a, now := &m.alerts, m.screenNow()
	a.nextMatch = now.Add(10 * now.Sub(a.matchedAt))
	if msg.of == m.data.view {
		msg.of.TakeAlerts(msg.pass)
	}
	return m.endReading()
}

// warnOfAlerts warns once for each rule that cannot compare some numbers, or that too many positions match.
func (m *Model) warnOfAlerts() {
	a := &m.alerts
	warn := func(key, words string) {
		if words != "" && !a.warned[key] {
			a.warned[key] = true
			m.notify(words)
			m.options.Log.Warn(words)
		}
	}
	for _, name := range m.data.view.AlertsUncompared() {
		warn(name, "Alert "+format.OneLine(name)+" cannot compare numbers of markets without decimals.")
	}
	for rule, alert := range a.rules {
		if _, isFull := a.watched.Active(rule); isFull {
			warn("full "+alert.Name, "Alert "+format.OneLine(alert.Name)+" matches more than "+format.Grouped(view.MaxAlerts)+" positions: no more are watched.")
		}
	}
}
