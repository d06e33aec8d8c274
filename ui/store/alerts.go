package store

import (
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
)

// Alerts are the alerts of the configuration and of the screen, and what is known of them. They read the rows and the
// streams of their Store, and write its log of events and its notices.
type Alerts struct {
	of        *Store
	all       []alerts.Rule
	watched   *view.Alerts
	reports   *alerts.Reports
	stale     map[model.Subscription]int // by stream, how many rows may not decide: see Stale.undecided
	due       bool                       // all rows must be matched again
	matchedAt time.Time                  // when they were matched last
	nextMatch time.Time                  // the earliest time to match them again
	timedFrom time.Time                  // the earliest time to do that with the time of now
	words     string                     // about those that were not seen; empty if all were
	count     string                     // the same in fewer cells
	quiet     string                     // how many positions have an alert, and how many rules are off
	warned    map[string]bool            // alerts that cannot compare some numbers, or that match too many positions
	failing   map[string]alerts.Outcome  // by the name of the alert, if its program failed last
	lines     alertLines
	feed      feedAlerts
	kept      keptAlerts
	desk      []view.DeskAlerts  // what the desk is in alert for, as it came last
	since     time.Time          // when the log began
	inPast    map[model.Key]bool // the positions that were in alert at the time of the past; nil if none is shown
}

func newAlerts(of *Store, all []alerts.Rule, watched *view.Alerts) Alerts {
	return Alerts{
		of: of, all: all, watched: watched, reports: alerts.NewReports(all),
		warned: make(map[string]bool), failing: make(map[string]alerts.Outcome),
	}
}

// Set replaces the rules. Of those that stay as they are, the alerts stay. Those of the others end. The first rule that
// is on makes the Store follow the rows of the start, and the last one ends that.
func (a *Alerts) Set(all []alerts.Rule) tea.Cmd {
	a.replace(all)
	return refollow(a.of)
}

func (a *Alerts) replace(all []alerts.Rule) {
	s := a.of
	ended := a.endChanged(all)
	a.all = all
	a.watched, a.reports = a.watched.With(alerts.ForPositions(all)), a.reports.With(all)
	s.data.judged.alerts, a.due, a.nextMatch = a.watched, true, time.Time{}
	for i := range ended {
		a.addReport(&ended[i])
	}
	for i := range a.desk { // a rule that is on again
		followDesk(s, &a.desk[i])
	}
	a.updateWords()
}

// evaluate evaluates the rules for the rows that have changed. Rows do not change while a view is in preparation.
func (a *Alerts) evaluate() tea.Cmd {
	s := a.of
	if !canEvaluate(s) {
		return nil
	}
	if !a.watched.AreWatchedBy(s.data.rulesView()) { // the rules were changed meanwhile
		a.due = true
		return a.report()
	}
	a.watched.AwaitMargins(!s.walk.isComplete)
	evaluation := a.watched.Evaluate(s.data.rulesView(), decidesOf(s), s.Now())
	changes := evaluation.Changes
	a.due = a.due || evaluation.HasRoom
	if evaluation.Skipped {
		a.due = a.noteStale(judgedLinks(s), judgedStale(s)) || a.due
	}
	a.note(changes)
	return a.report()
}

// note reports and logs beginnings and ends, and alerts that are reported again.
func (a *Alerts) note(changes []view.AlertChange) {
	s := a.of
	if len(changes) == 0 {
		return
	}
	for i := range changes {
		change := &changes[i]
		a.addReport(change)
		a.logChange(&a.all[change.Rule], change)
		if is := s.data.happening.troubles.Present.Active(change.Rule, change.Position.Key); is != nil && change.Begins && !change.IsAgain {
			is.Number = s.log.Count()
		}
	}
	a.updateWords()
}

// addReport adds a change to the reports.
func (a *Alerts) addReport(change *view.AlertChange) {
	s := a.of
	noteLinks(s, change, s.Now())
	a.reports.Add(change, view.AlertEvent{At: change.At, Service: s.options.Service, Instruments: s.data.instruments}, s.ScreenNow())
}

// report reports what is due. A replay reports only in words.
func (a *Alerts) report() tea.Cmd {
	s := a.of
	commands := []tea.Cmd{a.keepOutdated()}
	var reported []string
	var notice Notice
	for _, report := range a.reports.Due(a.isLoading, s.ScreenNow(), s.format) {
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
	return tea.Batch(commands...)
}

// isLoading reports whether positions or margin levels that the rules watch may still be missing.
func (a *Alerts) isLoading() bool {
	s := a.of
	if len(s.flow.links) < len(s.data.subscriptions) {
		return true
	}
	isAwaited := func(link model.Link) bool { return !link.Committed && !link.Partial && link.Problem == nil }
	if slices.ContainsFunc(judgedLinks(s), isAwaited) {
		return true
	}
	return a.watched.UsesMargins() && !s.walk.isComplete && s.walk.problem == ""
}

// alertOutcomeMsg comes when a program of a rule has failed, or works again.
type alertOutcomeMsg struct{ alerts.Outcome }

// awaitOutcome returns the tea.Cmd that waits for the next outcome of a program; nil if no programs run.
func (a *Alerts) awaitOutcome() tea.Cmd {
	programs := a.of.options.Programs
	if programs == nil || a.of.options.Events != nil {
		return nil
	}
	return func() tea.Msg {
		outcome, ok := programs.Outcome(a.of.flow.ctx)
		if !ok {
			return nil
		}
		return alertOutcomeMsg{outcome}
	}
}

// takeOutcome shows the first of several failures, logs each, and waits for the next outcome.
func (a *Alerts) takeOutcome(msg alertOutcomeMsg) tea.Cmd {
	log := a.of.options.Log
	_, hadFailed := a.failing[msg.Rule]
	if msg.Err == nil {
		delete(a.failing, msg.Rule)
		return a.awaitOutcome()
	}
	a.failing[msg.Rule] = msg.Outcome
	if !hadFailed {
		a.of.notices.addNotice(format.Error(msg.Err) + ": command of alert " + format.OneLine(msg.Rule) + ".")
	}
	return tea.Batch(a.awaitOutcome(), func() tea.Msg {
		log.Warn("command of alert "+msg.Rule, "error", msg.Err, "waiting", msg.Waiting)
		return nil
	})
}

// check matches all rows again if the result may have changed: because time has passed, or because rows are no longer
// stale.
func (a *Alerts) check() tea.Cmd {
	s := a.of
	isHeard := func(link model.Link) bool { return !link.MessageAt.IsZero() } // before that its clock is not known
	if slices.ContainsFunc(s.flow.links, isHeard) && !s.ScreenNow().Before(a.timedFrom) {
		s.data.judged.at = s.ServiceNow().In(s.options.Location)
	}
	stale := judgedStale(s)
	a.note(a.checkFeed(stale.Any(), s.Now()))
	reports := a.report() // also if no data comes any more
	if len(a.all) == 0 && !a.due || !s.data.isJudged() {
		return reports
	}
	reports = tea.Batch(reports, a.warn(s.data.rulesView(), s.options.Log, &s.notices))
	a.due = a.noteStale(judgedLinks(s), stale) || a.watched.DropNotSent(s.Now()) || a.due || a.watched.UsesTime()
	if !a.due || s.data.job.running || s.ScreenNow().Before(a.nextMatch) {
		return reports
	}
	a.due, a.matchedAt = false, s.ScreenNow()
	return tea.Batch(reports, s.data.matchAlerts())
}

// noteStale notes how many rows of the streams may not decide everything now, and since when they have rows. It reports
// whether there are fewer of a stream than before: then all rows must be matched again.
func (a *Alerts) noteStale(links []model.Link, stale Stale) (due bool) {
	was, hasUnconfirmed := a.stale, a.watched.HasUnconfirmed()
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
	s := a.of
	now := s.ScreenNow()
	a.nextMatch = now.Add(min(10*now.Sub(a.matchedAt), maxLearnedDelay))
	if msg.of == s.data.rulesView() && msg.pass.IsOf(a.watched) {
		msg.of.TakeAlerts(msg.pass)
	} else {
		a.due = true
	}
	return s.data.endReading(s.Now())
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
	for _, name := range a.watched.Uncompared(v) {
		warn(name, "Alert "+format.OneLine(name)+" cannot compare numbers of markets without decimals.")
	}
	for _, name := range a.watched.NotLinear(v) {
		warn("linear "+name, "Alert "+format.OneLine(name)+" does not match in markets with linear = false.")
	}
	for rule, alert := range a.all {
		if why := alert.WhyNoSums(v.Instruments()); why == "" {
			delete(a.warned, "group "+alert.Name)
		} else if !alert.IsOff {
			warn("group "+alert.Name, "Alert "+format.OneLine(alert.Name)+" watches nothing: "+why+".")
		}
		if _, isFull := a.watched.Active(rule); isFull {
			warn("full "+alert.Name, "Alert "+format.OneLine(alert.Name)+" matches more than "+format.Grouped(view.MaxAlerts)+" positions: no more are watched.")
		}
	}
	return logged(log, lines)
}

// Alerts returns the alerts, with what is known of them.
func (s *Store) Alerts() *Alerts { return &s.alerts }

// Words returns the texts of the first line about alerts that were not seen, in words and, in fewer cells, as their
// number; empty if all were seen.
func (a *Alerts) Words() (words, count string) { return a.words, a.count }

// Sums returns the sums that a rule about a group compares, and false if it compares none.
func (a *Alerts) Sums(rule int) (*view.GroupSums, bool) {
	return view.SumsOf(a.of.data.rulesView(), rule)
}

// Quiet returns what the first line says of alerts besides those that were not seen: 14 in alert, 1 rule off.
func (a *Alerts) Quiet() string { return a.quiet }

// Since returns when the log began.
func (a *Alerts) Since() time.Time { return a.since }

// IsActive reports whether a position has an alert; in the past, and while rows are frozen, whether it had one then.
func (a *Alerts) IsActive(key model.Key) bool {
	if f := a.of.data.frozen; f != nil {
		return f.inAlert[key] || a.inPast[key]
	}
	return a.inPast[key] || a.watched.Present().IsInAlert(key)
}

// lookBack finds which positions were in alert at the time of the past, in the log of the service.
func (a *Alerts) lookBack() {
	live := a.of.options.Live
	if live == nil || a.of.options.IsWhatIf {
		return
	}
	type alertOf struct {
		rule string
		key  model.Key
	}
	isKnown, now := make(map[alertOf]bool), a.of.ServiceNow()
	a.inPast = make(map[model.Key]bool)
	for _, e := range live.log.Lasting() { // the newest first
		if e.Alert == nil || !e.HasPosition() || e.SeenAt().After(now) {
			continue
		}
		if of := (alertOf{e.Alert.Rule, e.Key}); !isKnown[of] {
			isKnown[of] = true
			a.inPast[e.Key] = a.inPast[e.Key] || e.Alert.Begins
		}
	}
}
