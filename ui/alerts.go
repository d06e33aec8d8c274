package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/status"
)

// alertState has the alerts of the configuration, and what is known of them.
type alertState struct {
	all       []alerts.Alert
	watched   *view.Alerts
	reports   *alerts.Reports
	stale     map[model.Subscription]bool // the subscriptions whose rows may have changed while they were stale
	due       bool                        // all rows must be matched again
	matchedAt time.Time                   // when they were matched last
	nextMatch time.Time                   // the earliest time to match them again
	words     string                      // on the first line; empty where all alerts were seen
	count     string                      // the same in fewer cells
	warned    map[string]bool             // alerts that cannot compare some numbers, or that match too many positions
	failing   map[string]bool             // the alerts whose command failed last
}

func newAlertState(all []alerts.Alert, watched *view.Alerts) alertState {
	return alertState{
		all: all, watched: watched, reports: alerts.NewReports(all),
		stale: make(map[model.Subscription]bool), warned: make(map[string]bool), failing: make(map[string]bool),
	}
}

// evaluateAlerts evaluates the rules for the rows that have changed. Rows do not change while a view is in preparation
// or the rows are frozen.
func (m *Model) evaluateAlerts() tea.Cmd {
	a := &m.alerts
	if len(a.all) == 0 || m.data.preparing || m.incoming.frozen {
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
	event := view.AlertEvent{At: m.now(), Service: m.options.Service, Instruments: m.data.instruments}
	for i := range changes {
		a.reports.Add(&changes[i], event, m.screenNow())
	}
	if len(changes) > 0 {
		m.updateAlertWords()
	}
	return m.reportAlerts()
}

// updateAlertWords sets the texts of the first line.
func (m *Model) updateAlertWords() {
	a := &m.alerts
	a.words, a.count = alerts.Unseen(a.watched.Unseen(), a.all)
}

// reportAlerts reports what is due. A replay reports only on the screen.
func (m *Model) reportAlerts() tea.Cmd {
	var commands []tea.Cmd
	var reported []string
	for _, report := range m.alerts.reports.Due(m.isLoading, m.screenNow(), m.format) {
		if report.Words != "" {
			reported = append(reported, report.Words)
		}
		if m.options.Replay == nil {
			commands = append(commands, raise(&report), m.runAlert(&report))
		}
	}
	if len(reported) > 0 {
		m.notify(strings.Join(reported, "; "))
	}
	return tea.Batch(commands...)
}

// raise returns the command that rings the bell and notifies the desktop, where the alert is set to do that and has
// begun.
func raise(report *alerts.Report) tea.Cmd {
	if report.Words == "" {
		return nil
	}
	if sequence := report.Alert.Sequence(report.Words); sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
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

// runAlert returns the tea.Cmd that runs the command of an alert with its events, and waits for its end.
func (m *Model) runAlert(report *alerts.Report) tea.Cmd {
	run, name, events := m.options.RunAlerts, report.Alert.Name, report.Events
	if !report.Alert.Run || run == nil {
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
	if len(a.all) == 0 || m.incoming.frozen {
		return nil
	}
	m.warnOfAlerts()
	due, now := a.watched.UsesTime(), m.now()
	for i := range m.incoming.links {
		link := &m.incoming.links[i]
		if link.MayBeOutOfDate(now) {
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
	for rule, alert := range a.all {
		if _, isFull := a.watched.Active(rule); isFull {
			warn("full "+alert.Name, "Alert "+format.OneLine(alert.Name)+" matches more than "+format.Grouped(view.MaxAlerts)+" positions: no more are watched.")
		}
	}
}

// nextAlert puts the cursor on the position of the next alert, which then counts as seen.
func (m *Model) nextAlert() tea.Cmd {
	alert, ok := m.alerts.watched.Next()
	switch {
	case len(m.alerts.all) == 0:
		m.notify("No alerts are set: [[alert]] in the configuration.")
		return nil
	case !ok:
		m.notify("No position has an alert.")
		return nil
	}
	m.updateAlertWords()
	words := m.alerts.all[alert.Rule].When(alert, m.format)
	if place, isShown := m.placeOf(alert.Key); isShown {
		m.closePages()
		m.setFocus(positionsPane)
		m.positions.moved = true
		m.positions.window.MoveTo(positionRows{m.data.view}, place)
	} else {
		words += "; hidden (closed or filtered)"
	}
	m.notify(words + ".")
	return nil
}
