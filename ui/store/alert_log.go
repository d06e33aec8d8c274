package store

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/ui/alerts"
)

// Log returns the latest beginnings and ends of alerts, the oldest first.
func (a *Alerts) Log() []LoggedAlert {
	l, log := &a.lines, a.data.happening.log
	newest := log.NewestLasting()
	if l.log == log && l.newest == newest {
		return l.all
	}
	l.log, l.newest, l.all, l.begun = log, newest, nil, make(map[string]int)
	for number, e := range log.Lasting() {
		if e.Alert == nil {
			continue
		}
		l.all = append(l.all, LoggedAlert{number, e})
		if e.Alert.Begins && !e.Alert.IsAgain {
			l.begun[e.Alert.Rule]++
		}
	}
	slices.Reverse(l.all)
	return l.all
}

// Rules returns the alerts that are set.
func (a *Alerts) Rules() []alerts.Rule { return a.all }

// RuleState is the state of a rule.
type RuleState struct {
	Now     int  // for how many positions it is active
	IsFull  bool // there are more, which are not watched
	Pending int  // for how many positions it is about to begin
	Begun   int  // how many times it has begun, as far as the log goes back
	// Failed is the last outcome of its program; of one without failures if that has not failed last.
	Failed alerts.Outcome
	// RunBy is who runs its program for what another program of blotter watches; empty if no other does.
	RunBy string
	// NotSent is of how many of them the positions are not sent, and since when, because many went together.
	NotSent      int
	NotSentSince time.Time
}

// State returns the state of a rule.
func (a *Alerts) State(rule int) RuleState {
	now, isFull := a.watched().Active(rule)
	a.Log()
	name := a.all[rule].Name
	state := RuleState{Now: now, IsFull: isFull, Pending: a.watched().Pending(rule), Begun: a.lines.begun[name], Failed: a.failing[name]}
	if programs := a.programs; programs != nil && a.all[rule].Run {
		state.RunBy = programs.RunBy()
	}
	state.NotSent, state.NotSentSince = a.watched().NotSent(rule)
	return state
}

// Began returns when alerts have begun, by the clock of the service, the oldest first, as far as the log goes back.
func (a *Alerts) Began() (times []time.Time) {
	for _, e := range a.Log() {
		if e.Alert.Begins && !e.Alert.IsAgain {
			times = append(times, e.SeenAt())
		}
	}
	return times
}

// unseen yields the beginnings of alerts that were not seen, and those that were reported again, the
// newest first.
func (a *Alerts) unseen(yield func(e LoggedAlert, rule int) bool) {
	if a.data.happening.log.NewestLasting() == 0 {
		return
	}
	for _, e := range slices.Backward(a.Log()) {
		rule := alerts.Index(a.all, e.Alert.Rule)
		if !e.Alert.Begins || rule < 0 || e.Number <= a.lines.seen[e.Alert.Rule] {
			continue
		}
		if !yield(e, rule) {
			return
		}
	}
}

// see notes that all alerts of a rule were seen.
func (a *Alerts) see(rule string) {
	if a.lines.seen == nil {
		a.lines.seen = make(map[string]uint64)
	}
	a.lines.seen[rule] = a.data.happening.log.Count()
}

// SeeNewest returns the number in the log of the newest alert that was not seen, and false if all were seen. From then
// on all alerts of its rule count as seen. Alerts about the feed come first.
func (a *Alerts) SeeNewest() (number uint64, ok bool) {
	var rule string
	for e, place := range a.unseen {
		isOfFeed := a.all[place].StaleFor > 0
		if !ok || isOfFeed {
			number, rule, ok = e.Number, e.Alert.Rule, true
		}
		if isOfFeed {
			break
		}
	}
	if ok {
		a.see(rule)
		a.updateWords()
	}
	return number, ok
}

// updateWords sets the texts of the first line.
func (a *Alerts) updateWords() {
	unseen := make(map[model.Key]map[int]bool)
	counts := make([]alerts.Unseen, len(a.all))
	var order []int
	for e, rule := range a.unseen {
		if unseen[e.Key][rule] {
			continue // it has begun again
		}
		if unseen[e.Key] == nil {
			unseen[e.Key] = make(map[int]bool)
		}
		unseen[e.Key][rule] = true
		if counts[rule].New++; counts[rule].New == 1 {
			order = append(order, rule)
		}
	}
	var shown []alerts.Unseen
	for _, rule := range slices.Backward(order) { // the oldest first
		of := counts[rule]
		of.Rule = &a.all[rule]
		of.Now, _ = a.watched().Active(rule)
		shown = append(shown, of)
	}
	a.words, a.count = alerts.UnseenWords(shown)
	positions, groups := a.watched().InAlert()
	a.quiet = alerts.Quiet(positions, groups, a.all)
}
