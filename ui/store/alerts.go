package store

import (
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
)

// Alerts are the alerts of the configuration and of the screen, and what is known of them.
type Alerts struct {
	data      *data
	clock     clock
	programs  alerts.Programs // nil if none is run
	all       []alerts.Rule
	reports   *alerts.Reports
	stale     map[model.Subscription]int // by stream, how many rows may not decide: see Stale.undecided
	due       bool                       // all rows must be matched again
	matchedAt time.Time                  // when they were matched last
	nextMatch time.Time                  // the earliest time to match them again
	words     string                     // about those that were not seen; empty if all were
	count     string                     // the same in fewer cells
	quiet     string                     // how many positions have an alert, and how many rules are off
	warned    map[string]bool            // alerts that cannot compare some numbers, or that match too many positions
	failing   map[string]alerts.Outcome  // by the name of the alert, if its program failed last
	lines     alertLines
	// staleSince is since when rows of some stream may be out of date; zero if none may.
	staleSince time.Time
	kept       keptAlerts
	desk       []view.DeskAlerts  // what the desk is in alert for, as it came last
	since      time.Time          // when the log began
	inPast     map[model.Key]bool // the positions that were in alert at the time of the past; nil if none is shown
}

// watched returns the alerts of the rules as they are now.
func (a *Alerts) watched() *view.Alerts { return a.data.judged.alerts }

// alertOutcomeMsg comes when a program of a rule has failed, or works again.
type alertOutcomeMsg struct{ alerts.Outcome }

// awaitOutcome returns the tea.Cmd that waits for the next outcome of a program; nil if no programs run.
func (a *Alerts) awaitOutcome(ctx context.Context) tea.Cmd {
	programs := a.programs
	if programs == nil || a.clock.isOfRecording {
		return nil
	}
	return func() tea.Msg {
		outcome, ok := programs.Outcome(ctx)
		if !ok {
			return nil
		}
		return alertOutcomeMsg{outcome}
	}
}

// takeOutcome shows the first of several failures, and returns what logs each.
func (a *Alerts) takeOutcome(msg alertOutcomeMsg, log *slog.Logger, notices *notices) tea.Cmd {
	if msg.Err == nil {
		delete(a.failing, msg.Rule)
		return nil
	}
	if _, hadFailed := a.failing[msg.Rule]; !hadFailed {
		notices.addNotice(format.Error(msg.Err) + ": command of alert " + format.OneLine(msg.Rule) + ".")
	}
	a.failing[msg.Rule] = msg.Outcome
	return func() tea.Msg {
		log.Warn("command of alert "+msg.Rule, "error", msg.Err, "waiting", msg.Waiting)
		return nil
	}
}

// Words returns the texts of the first line about alerts that were not seen, in words and, in fewer cells, as their
// number; empty if all were seen.
func (a *Alerts) Words() (words, count string) { return a.words, a.count }

// Sums returns the sums that a rule about a group compares, and false if it compares none.
func (a *Alerts) Sums(rule int) (*view.GroupSums, bool) {
	return view.SumsOf(a.data.rulesView(), rule)
}

// Quiet returns what the first line says of alerts besides those that were not seen: 14 in alert, 1 rule off.
func (a *Alerts) Quiet() string { return a.quiet }

// Since returns when the log began, or when an alert of the desk did that is in it.
func (a *Alerts) Since() time.Time { return a.since }

// IsActive reports whether a position has an alert; in the past, and while rows are frozen, whether it had one then.
func (a *Alerts) IsActive(key model.Key) bool {
	if f := a.data.frozen; f != nil {
		return f.inAlert[key] || a.inPast[key]
	}
	return a.inPast[key] || a.watched().Present().IsInAlert(key)
}

// alertLines are the alerts of a log, and what is counted of them. They are read from the log.
type alertLines struct {
	log    *event.Log
	newest uint64        // of the events that last, when they were read
	all    []LoggedAlert // the oldest first
	begun  map[string]int
	seen   map[string]uint64 // by rule, up to which number its alerts were seen
}

// LoggedAlert is the beginning or the end of an alert, or that it was reported again, with its number in the log of
// events.
type LoggedAlert struct {
	Number uint64
	*event.Event
}

// keptAlerts are what the next run begins with, and what is known of the alerts of an earlier one.
type keptAlerts struct {
	reported map[string][]view.Begun // by rule, what was in alert at its last report
	outdated []string                // rules of which something else is kept than what was reported
	// elsewhere are, by rule, the alerts of earlier runs of what this run does not watch. They are kept for the next.
	elsewhere map[string][]view.Begun
	// readAt is since when the streams have rows: see verifiesEnd.
	readAt map[model.Subscription]time.Time
}
