package store

import (
	"log/slog"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// evaluateAlerts evaluates the rules for the rows that have changed. Rows do not change while a view is in preparation.
func evaluateAlerts(s *Store) tea.Cmd {
	a := &s.alerts
	if !canEvaluate(s) {
		return nil
	}
	if !a.watched().AreWatchedBy(s.data.rulesView()) { // the rules were changed meanwhile
		a.due = true
		return reportAlerts(s)
	}
	a.watched().AwaitMargins(!s.walk.isComplete)
	evaluation := a.watched().Evaluate(s.data.rulesView(), decidesOf(s), s.Now())
	a.due = a.due || evaluation.HasRoom
	if evaluation.Skipped {
		a.due = a.noteStale(judgedLinks(s), judgedStale(s)) || a.due
	}
	noteAlerts(s, evaluation.Changes)
	return reportAlerts(s)
}

// noteAlerts reports and logs beginnings and ends, and alerts that are reported again.
func noteAlerts(s *Store, changes []view.AlertChange) {
	if len(changes) == 0 {
		return
	}
	for i := range changes {
		change := &changes[i]
		addReport(s, change)
		logAlert(s, &s.alerts.all[change.Rule], change)
		if is := s.data.happening.troubles.Present.Active(change.Rule, change.Position.Key); is != nil && change.Begins && !change.IsAgain {
			is.Number = s.data.happening.log.Count()
		}
	}
	s.alerts.updateWords()
}

func addReport(s *Store, change *view.AlertChange) {
	noteLinks(s, change, s.Now())
	s.alerts.reports.Add(change, view.AlertEvent{At: change.At, Service: s.options.Service, Instruments: s.data.instruments}, s.ScreenNow())
}

// reportAlerts reports what is due. A replay reports only in words.
func reportAlerts(s *Store) tea.Cmd {
	a := &s.alerts
	var commands []tea.Cmd
	var reported []string
	var notice Notice
	for _, report := range a.reports.Due(func() bool { return isLoading(s) }, s.ScreenNow(), s.format) {
		if report.Words != "" {
			reported = append(reported, report.Words)
		}
		if s.options.Events != nil {
			continue
		}
		isHeard := report.Words != "" && !report.Rule.IsQuiet(s.ScreenNow())
		if sequence := report.Rule.Sequence(report.Words); isHeard && sequence != "" {
			notice.Sequences = append(notice.Sequences, sequence)
		}
		commands = append(commands, a.keep(&report))
	}
	if len(reported) > 0 {
		notice.Text = strings.Join(reported, "; ")
		s.notices = append(s.notices, notice)
	}
	return tea.Batch(append(commands, a.keepOutdated())...) // after what is reported: both keep the newest
}

// isLoading reports whether positions or margin levels that the rules watch may still be missing.
func isLoading(s *Store) bool {
	if len(s.flow.links) < len(s.data.subscriptions) {
		return true
	}
	isAwaited := func(link model.Link) bool { return !link.Committed && !link.Partial && link.Problem == nil }
	if slices.ContainsFunc(judgedLinks(s), isAwaited) {
		return true
	}
	return s.data.judged.alerts.UsesMargins() && !s.walk.isComplete && s.walk.problem == ""
}

// checkAlerts matches all rows again if the result may have changed: because time has passed, or because rows are no
// longer stale.
func checkAlerts(s *Store) tea.Cmd {
	a := &s.alerts
	isHeard := func(link model.Link) bool { return !link.MessageAt.IsZero() } // before that its clock is not known
	if slices.ContainsFunc(s.flow.links, isHeard) && !s.ScreenNow().Before(s.ticks.sureFrom) {
		s.data.judged.at = s.ServiceNow().In(s.options.Location)
	}
	stale := judgedStale(s)
	noteAlerts(s, a.checkFeed(stale.Any(), s.Now()))
	reports := tea.Batch(reportAlerts(s), a.warn(s.data.rulesView(), s.options.Log, &s.notices)) // also if no data comes any more
	if len(a.all) == 0 && !a.due || !s.data.isJudged() {
		return reports
	}
	a.due = a.noteStale(judgedLinks(s), stale) || a.watched().DropNotSent(s.Now()) || a.due || a.watched().UsesTime()
	if !a.due || s.data.job.running || s.ScreenNow().Before(a.nextMatch) {
		return reports
	}
	a.due, a.matchedAt = false, s.ScreenNow()
	return tea.Batch(reports, s.data.matchAlerts())
}

// noteStale notes how many rows of the streams may not decide everything now, and since when they have rows. It reports
// whether there are fewer of a stream than before: then all rows must be matched again.
func (a *Alerts) noteStale(links []model.Link, stale Stale) (due bool) {
	was, hasUnconfirmed := a.stale, a.watched().HasUnconfirmed()
	a.stale = make(map[model.Subscription]int) // without streams that are no longer watched
	a.noteRead(links)
	for i := range links {
		of := links[i].Subscription
		if a.stale[of] = stale.undecided(of); hasUnconfirmed && a.stale[of] < math.MaxInt && !a.verifiesEnd(&links[i]) {
			a.stale[of]++
		}
		due = due || a.stale[of] < was[of]
	}
	return due
}

// alertsMatchedMsg has the rows of a view that match the alerts.
type alertsMatchedMsg struct {
	pass view.AlertPass
	of   *view.View
}

// matchAlerts returns the command that matches all rows with the alerts. Meanwhile the rows do not change. It takes at
// most a tenth of the time.
func (d *data) matchAlerts() tea.Cmd {
	d.beginReading()
	view, alerts, at := d.rulesView(), d.judged.alerts, d.judged.at
	return func() tea.Msg { return alertsMatchedMsg{alerts.Match(view, at), view} }
}

// takeMatches takes the rows that match. If their view is no longer shown, the rows are matched again. Then the rows
// can change again.
func (a *Alerts) takeMatches(msg alertsMatchedMsg) tea.Cmd {
	now := a.clock.screenNow()
	a.nextMatch = now.Add(min(10*now.Sub(a.matchedAt), maxLearnedDelay))
	if msg.of == a.data.rulesView() && msg.pass.IsOf(a.watched()) {
		msg.of.TakeAlerts(msg.pass)
	} else {
		a.due = true
	}
	return a.data.endReading(a.clock.now())
}

// warn warns once for each rule that cannot compare some numbers, or that too many positions match. It returns what
// logs the warnings.
func (a *Alerts) warn(v *view.View, log *slog.Logger, notices *notices) tea.Cmd {
	var lines []string
	warn := func(key, words string) {
		if !a.warned[key] {
			a.warned[key] = true
			notices.addNotice(words)
			lines = append(lines, words)
		}
	}
	for _, name := range a.watched().Uncompared(v) {
		warn(name, "Alert "+format.OneLine(name)+" cannot compare numbers of markets without decimals.")
	}
	for _, name := range a.watched().NotLinear(v) {
		warn("linear "+name, "Alert "+format.OneLine(name)+" does not match in markets with linear = false.")
	}
	for rule, alert := range a.all {
		if why := alert.WhyNoSums(v.Instruments()); why == "" {
			delete(a.warned, "group "+alert.Name)
		} else if !alert.IsOff {
			warn("group "+alert.Name, "Alert "+format.OneLine(alert.Name)+" watches nothing: "+why+".")
		}
		if _, isFull := a.watched().Active(rule); isFull {
			is := " matches more than "
			if alert.OfDesk {
				is = " of the desk is in alert for "
			}
			warn("full "+alert.Name, "Alert "+format.OneLine(alert.Name)+is+format.Grouped(view.MaxAlerts)+" positions: no more are watched.")
		}
	}
	return logged(log, lines)
}

// canEvaluate reports whether the rules can be evaluated now. The time for which the rows of a recording are of another
// time does not count for rules that ask for a time.
func canEvaluate(s *Store) bool {
	a := &s.alerts
	switch {
	case len(a.all) == 0:
		return false
	case !s.data.isJudged() || isRestarting(s):
		a.watched().Pause(s.Now())
		return false
	}
	return !s.data.isRead()
}
