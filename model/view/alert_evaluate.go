package view

import (
	"time"

	"blotter/model/event"
)

// Evaluation is the result of Evaluate.
type Evaluation struct {
	Changes []AlertChange
	// Skipped is true if a rule would begin or end for a row that may not decide that. All rows must be matched when
	// the row may: see Alerts.Match.
	Skipped bool
	// HasRoom is true if a rule that was full has room again. All rows must be matched: the rule may begin for one that
	// was left out.
	HasRoom bool
}

// evaluate does what Alerts.Evaluate says, for the rows of a view.
func (a *Alerts) evaluate(w *rowAlerts, decides DecidesOf, now time.Time) (e Evaluation) {
	w.noteSums()
	e.Changes = a.advance(w, decides, now)
	for _, n := range a.noted {
		switch alert := a.present.Active(n.rule, n.key); {
		case !w.wouldChange(n.rule, n.key):
			if alert != nil && alert.IsUnconfirmed && decides(n.rule, n.key) != DecidesNothing {
				_, isKnown := w.matchesNow(n.rule, n.key)
				alert.IsUnconfirmed = !isKnown || !alert.NotSentSince.IsZero()
			}
		case !mayChange(decides(n.rule, n.key), alert):
			e.Skipped = true
		case w.mustWait(n.rule, n.key): // the record that it waits for makes this be evaluated again
		case alert != nil:
			a.present.Drop(n.rule, n.key)
			change := w.change(n, false, now)
			if alert.IsUnconfirmed {
				change.Why = EndsWhileAway
			}
			e.Changes = append(e.Changes, change)
		case a.begin(n, now):
			e.Changes = append(e.Changes, w.change(n, true, now))
		}
	}
	a.noted = a.noted[:0]
	for rule, isFull := range a.full {
		if isFull && !a.rules[rule].OfDesk && !a.isFull(rule) {
			a.full[rule], e.HasRoom = false, true
		}
	}
	return e
}

// mayChange reports whether an alert may end, or if it is nil, may begin.
func mayChange(by Decides, alert *event.Alert) bool {
	return by == DecidesAll || by == DecidesBegins && alert == nil
}

// advance does what Alerts.Advance says, for the rows of a view.
func (a *Alerts) advance(w *rowAlerts, decides DecidesOf, now time.Time) (changes []AlertChange) {
	before := a.countedTo
	a.count(decides, now)
	for _, p := range a.due(now) {
		n, at := notedAlert{p.Rule, p.Key}, timeOf(p.Since.Add(a.rules[p.Rule].For), before, now)
		switch matches, isKnown := w.matchesNow(p.Rule, p.Key); {
		case !isKnown, decides(p.Rule, p.Key) == DecidesNothing:
		case !matches:
			a.present.Drop(p.Rule, p.Key)
		case w.mustWait(p.Rule, p.Key):
		default:
			a.present.Drop(p.Rule, p.Key)
			if a.begin(n, at) {
				changes = append(changes, w.change(n, true, at))
			}
		}
	}
	return append(changes, a.tellAgain(w, decides, before, now)...)
}

// timeOf returns when an alert begins, or is reported again, that was due at a time: then, so that it does not depend
// on when the program evaluates it. If that was before the last evaluation, it was not possible then: it is now.
func timeOf(due, before, now time.Time) time.Time {
	if due.After(before) {
		return due
	}
	return now
}

// tellAgain returns the alerts that have lasted until they are reported again.
func (a *Alerts) tellAgain(w *rowAlerts, decides DecidesOf, before, now time.Time) (changes []AlertChange) {
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
			change := w.change(notedAlert{alert.Rule, alert.Key}, true, alert.Told)
			change.IsAgain = true
			changes = append(changes, change)
		}
		a.noteTold(alert.Told, again)
	}
	return changes
}
