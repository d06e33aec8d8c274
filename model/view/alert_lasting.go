package view

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
)

// lasting is what the time decides of alerts: for how long positions have matched the rules that ask for a time, and
// when alerts that last are reported again.
type lasting struct {
	changesAt time.Time // of the changes of rows that come now
	countedTo time.Time // the time of the last evaluation
	againAt   time.Time // the earliest time to report an alert again; zero if there is none
}

// PendingAlert is a position that matches a rule, but not for the time that the rule asks for.
type PendingAlert struct {
	Rule  int
	Key   model.Key
	Since time.Time // later by the time for which the position may have been out of date
}

// SetNow sets the time of the changes of rows that follow.
func (l *lasting) SetNow(now time.Time) { l.changesAt = now }

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
	for alert := range a.present.Alerts() {
		if !alert.Begun {
			a.present.Drop(alert.Rule, alert.Key)
		} else if !a.rules[alert.Rule].OfFeed {
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

// noteAll notes all rows that match a rule.
func (a *Alerts) noteAll(matches []notedAlert) {
	for _, n := range matches {
		if a.rules[n.rule].For == 0 {
			a.noted = append(a.noted, n)
		} else if a.present.Active(n.rule, n.key) == nil {
			a.noteMatch(n.rule, n.key, true)
		}
	}
}

// Advance returns the alerts that begin because positions have matched a rule for its time, and those that are reported
// again. Evaluate calls it; it is also called before changes are applied that have come since then, so that a rule
// begins for a position that matches it no longer after them.
func (a *Alerts) Advance(v *View, decides DecidesOf, now time.Time) (changes []AlertChange) {
	before := a.countedTo
	a.count(decides, now)
	for _, p := range a.due(now) {
		n, at := notedAlert{p.Rule, p.Key}, timeOf(p.Since.Add(a.rules[p.Rule].For), before, now)
		switch matches, isKnown := v.alerts.matchesNow(p.Rule, p.Key); {
		case !isKnown, decides(p.Rule, p.Key) == DecidesNothing:
		case !matches:
			a.present.Drop(p.Rule, p.Key)
		case v.alerts.mustWait(p.Rule, p.Key):
		default:
			a.present.Drop(p.Rule, p.Key)
			if a.begin(n, at) {
				changes = append(changes, v.alerts.change(n, true, at))
			}
		}
	}
	return append(changes, a.tellAgain(v, decides, before, now)...)
}

// timeOf returns when an alert begins, or is reported again, that was due at a time: then, so that it does not depend
// on when the program evaluates it. If that was before the last evaluation, it was not possible then: it is now.
func timeOf(due, before, now time.Time) time.Time {
	if due.After(before) {
		return due
	}
	return now
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

// noteTold notes that an alert of a rule that is reported again after some time was reported.
func (a *Alerts) noteTold(at time.Time, again time.Duration) {
	if next := at.Add(again); again > 0 && (a.againAt.IsZero() || next.Before(a.againAt)) {
		a.againAt = next
	}
}

// tellAgain returns the alerts that have lasted until they are reported again.
func (a *Alerts) tellAgain(v *View, decides DecidesOf, before, now time.Time) (changes []AlertChange) {
	if a.againAt.IsZero() || now.Before(a.againAt) {
		return nil
	}
	a.againAt = time.Time{}
	for _, alert := range a.inOrder() {
		again := a.rules[alert.Rule].Again
		if again == 0 || alert.IsUnconfirmed {
			continue
		}
		if due := alert.Told.Add(again); !due.After(now) && decides(alert.Rule, alert.Key) != DecidesNothing {
			due = due.Add(now.Sub(due).Truncate(again)) // once, however late it is
			alert.Told = timeOf(due, before, now)
			change := v.alerts.change(notedAlert{alert.Rule, alert.Key}, true, alert.Told)
			change.IsAgain = true
			changes = append(changes, change)
		}
		a.noteTold(alert.Told, again)
	}
	return changes
}

// matchesNow reports whether the position with the key matches a rule, and false for isKnown if the rows do not show
// it.
func (w *rowAlerts) matchesNow(rule int, key model.Key) (matches, isKnown bool) {
	if w != nil && w.alerts.isOfGroup(rule) {
		sum := w.sums.ofRule(rule)
		if sum == nil {
			return false, true
		}
		answer := sum.answer(w.alerts.rules[rule].Filter, w.encoder.Instruments)
		return answer == filter.Yes, answer != filter.Unknown
	}
	if w == nil || w.filters[rule] == nil || !w.scope.Covers(key) {
		return false, true
	}
	t, number := w.book.Row(key)
	if number == 0 {
		return false, w.book.HasAllOf(key)
	}
	e := w.encoder.Entry(t, number)
	w.matchNew()
	return w.filters[rule].matches(e), true
}

// dropUnmatched drops the positions for which a rule was about to begin, and that do not match it any longer.
func (w *rowAlerts) dropUnmatched() {
	for alert := range w.alerts.present.Alerts() {
		if alert.Begun {
			continue
		}
		if matches, isKnown := w.matchesNow(alert.Rule, alert.Key); isKnown && !matches {
			w.alerts.present.Drop(alert.Rule, alert.Key)
		}
	}
}
