package store

import (
	"slices"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// LoggedAlert is the beginning or the end of an alert, or that it was reported again, as the log keeps it.
type LoggedAlert struct {
	Number uint64 // from 1, in the order in which they came
	Name   string // of the rule
	view.AlertChange
}

// maxLoggedAlerts is how many beginnings and ends are kept. They take 4 MB.
const maxLoggedAlerts = 10_000

// alertLog has the latest beginnings and ends of alerts.
type alertLog struct {
	kept  []LoggedAlert // the oldest first
	count uint64        // of all, also those that were dropped
	begun []int         // by rule: how many alerts have begun since the start
}

// add adds changes. The oldest ones are dropped.
func (l *alertLog) add(changes []view.AlertChange, rules []alerts.Rule) {
	for i := range changes {
		l.count++
		l.kept = append(l.kept, LoggedAlert{l.count, rules[changes[i].Rule].Name, changes[i]})
		if changes[i].Begins && !changes[i].IsAgain {
			l.begun[changes[i].Rule]++
		}
	}
	if over := len(l.kept) - maxLoggedAlerts; over > 0 {
		l.kept = slices.Delete(l.kept, 0, over+maxLoggedAlerts/10) // several at once: all others are moved
	}
}

// Log returns the latest beginnings and ends of alerts, the oldest first. Their numbers have no gaps.
func (a *Alerts) Log() []LoggedAlert { return a.log.kept }

// Dropped returns how many beginnings and ends are no longer in the log.
func (a *Alerts) Dropped() int { return int(a.log.count) - len(a.log.kept) }

// Rules returns the alerts that are set.
func (a *Alerts) Rules() []alerts.Rule { return a.all }

// RuleState is the state of a rule.
type RuleState struct {
	Now     int  // for how many positions it is active
	IsFull  bool // there are more, which are not watched
	Pending int  // for how many positions it is about to begin
	Begun   int  // for how many positions it has begun since the start
	// Failed is the last outcome of its program; of one without failures if that has not failed last.
	Failed alerts.Outcome
}

// State returns the state of a rule.
func (a *Alerts) State(rule int) RuleState {
	now, isFull := a.watched.Active(rule)
	if _, isActive := a.feed.active[a.all[rule].Name]; isActive {
		now = 1
	}
	return RuleState{now, isFull, a.watched.Pending(rule), a.log.begun[rule], a.failing[a.all[rule].Name]}
}

// SeeNewest returns the number in the log of the newest alert that was not seen, and false if all were seen. From then
// on all alerts of its rule count as seen. Alerts about the feed come first.
func (a *Alerts) SeeNewest() (number uint64, ok bool) {
	var name string
	var key model.Key
	if last := len(a.feed.unseen) - 1; last >= 0 {
		name, a.feed.unseen = a.feed.unseen[last], a.feed.unseen[:last]
	} else {
		newest, ok := a.watched.SeeNewest()
		if !ok {
			return 0, false
		}
		name, key = a.all[newest.Rule].Name, newest.Key
	}
	a.updateWords()
	for i := range slices.Backward(a.log.kept) {
		if e := &a.log.kept[i]; e.Begins && e.Name == name && e.Position.Key == key {
			return e.Number, true
		}
	}
	return a.log.count - uint64(len(a.log.kept)) + 1, true // the log no longer has it: the oldest that it has
}
