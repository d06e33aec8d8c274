package view

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// Begun is an alert that has begun and has not ended.
type Begun struct {
	event.Alert
	Sums model.Scope // of a rule about a group: the scope whose rows were added
}

// Resume takes alerts that have begun in an earlier run. Nothing is known of them until rows have shown whether they
// last.
func (a *Alerts) Resume(earlier []Begun, now time.Time) {
	a.countedTo = now
	for _, b := range earlier {
		b.Begun, b.IsUnconfirmed = true, true
		a.present.Put(b.Alert)
		a.noteTold(b.Told, a.rules[b.Rule].Again)
	}
}

// Unwatch notes that the rows of the rules are not known any longer. Nothing ends, but when the rows are known again,
// they must show whether the alerts last.
func (a *Alerts) Unwatch() {
	for alert := range a.evaluated {
		if alert.IsUnconfirmed = alert.Begun; !alert.Begun {
			a.present.Drop(alert.Rule, alert.Key)
		}
	}
}

// Begun returns what is in alert of a rule, with the scope of the rows that are watched, in the order in which it
// began.
func (a *Alerts) Begun(rule int, scope model.Scope) (all []Begun) {
	for alert := range a.present.Alerts() {
		if alert.Begun && alert.Rule == rule {
			all = append(all, Begun{*alert, scope})
		}
	}
	slices.SortFunc(all, func(x, y Begun) int { return compareBegun(&x.Alert, &y.Alert) })
	return all
}

// HasUnconfirmed reports whether no row has shown yet of some alert that it lasts.
func (a *Alerts) HasUnconfirmed() bool {
	for alert := range a.present.Alerts() {
		if alert.IsUnconfirmed {
			return true
		}
	}
	return false
}
