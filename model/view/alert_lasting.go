package view

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// PendingAlert is a position that matches a rule, but not for the time that the rule asks for.
type PendingAlert struct {
	Rule  int
	Key   model.Key
	Since time.Time // later by the time for which the position may have been out of date
}

// Pending returns for how many positions a rule is about to begin.
func (a *Alerts) Pending(rule int) int {
	_, pending := a.present.Counts(rule)
	return pending
}

// FirstPending returns the positions for which a rule is about to begin, those that wait the least first: at most the
// given number.
func (a *Alerts) FirstPending(most int) (first []PendingAlert) {
	for alert := range a.present.Alerts() {
		if alert.Begun {
			continue
		}
		p := PendingAlert{alert.Rule, alert.Key, alert.Since}
		if place, _ := slices.BinarySearchFunc(first, p, a.comparePending); place < most {
			first = slices.Insert(first[:min(len(first), most-1)], place, p)
		}
	}
	return first
}

// comparePending orders by when the rules begin. The order is always the same, also of those that begin together.
func (a *Alerts) comparePending(p, q PendingAlert) int {
	if order := p.Since.Add(a.rules[p.Rule].For).Compare(q.Since.Add(a.rules[q.Rule].For)); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(p.Rule, q.Rule), cmp.Compare(p.Key.Market.String(), q.Key.Market.String()),
		cmp.Compare(p.Key.Party.String(), q.Key.Party.String()))
}

// Pause leaves out the time since the last evaluation: the rows did not change, although the service has perhaps sent
// something.
func (a *Alerts) Pause(now time.Time) {
	a.count(func(int, model.Key) Decides { return DecidesNothing }, now)
}

// Restart begins to count again for all positions, because the rows are those of another time.
func (a *Alerts) Restart(now time.Time) {
	a.lasting = lasting{changesAt: now, countedTo: now}
	for alert := range a.evaluated {
		if !alert.Begun {
			a.present.Drop(alert.Rule, alert.Key)
		} else {
			alert.Told = now
			a.noteTold(now, a.rules[alert.Rule].Again)
		}
	}
}

// count leaves out the time since the last evaluation for the positions that may be out of date.
func (a *Alerts) count(decides DecidesOf, now time.Time) {
	var passed time.Duration
	if !a.countedTo.IsZero() {
		passed = max(now.Sub(a.countedTo), 0)
	}
	for alert := range a.present.Alerts() {
		if alert.Begun {
			continue
		}
		if decides(alert.Rule, alert.Key) == DecidesNothing {
			alert.Since = alert.Since.Add(passed)
		}
		if alert.Since.After(now) {
			alert.Since = now
		}
	}
	a.countedTo = now
}

// noteMatch notes that a position that has no alert matches a rule, or no longer does.
func (a *Alerts) noteMatch(rule int, key model.Key, matches bool) {
	switch isPending := a.present.Alert(rule, key) != nil; {
	case !matches && isPending:
		a.present.Drop(rule, key)
	case !matches, isPending:
	case a.isFull(rule):
		a.full[rule] = true
	default:
		a.present.Put(event.Alert{Rule: rule, Key: key, Since: a.changesAt})
	}
}

func (a *Alerts) noteAll(matches []notedAlert) {
	for _, n := range matches {
		if a.rules[n.rule].For == 0 {
			a.noted = append(a.noted, n)
		} else if a.present.Active(n.rule, n.key) == nil {
			a.noteMatch(n.rule, n.key, true)
		}
	}
}

// due returns the positions that have matched a rule for its time, in order.
func (a *Alerts) due(now time.Time) (due []PendingAlert) {
	for alert := range a.present.Alerts() {
		if !alert.Begun && !alert.Since.Add(a.rules[alert.Rule].For).After(now) {
			due = append(due, PendingAlert{alert.Rule, alert.Key, alert.Since})
		}
	}
	slices.SortFunc(due, a.comparePending)
	return due
}
