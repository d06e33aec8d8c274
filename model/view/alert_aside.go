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

// maxAside is how many alerts are remembered that are not of the scope: those of all rules, of several scopes.
const maxAside = 20 * MaxAlerts

// Narrow sets the scope that is watched. Alerts of positions that are not in it, and of groups if it is another one,
// have not ended: they are put aside until the scope has them again. Nothing is known of them until rows have shown
// whether they last.
func (a *Alerts) Narrow(scope model.Scope) {
	before := a.scope
	a.scope = scope
	for alert := range a.present.Alerts() {
		if b := (Begun{*alert, before}); !a.covers(&b) {
			a.present.Drop(alert.Rule, alert.Key)
			if alert.Begun && len(a.aside) < maxAside {
				a.aside = append(a.aside, b)
			}
		}
	}
	a.aside = slices.DeleteFunc(a.aside, func(b Begun) bool {
		if !a.covers(&b) {
			return false
		}
		if a.present.Active(b.Rule, b.Key) == nil {
			b.IsUnconfirmed = true
			a.present.Put(b.Alert)
			a.noteTold(b.Told, a.rules[b.Rule].Again)
		}
		return true
	})
}

// covers reports whether an alert is of the scope that is watched.
func (a *Alerts) covers(b *Begun) bool {
	switch {
	case a.rules[b.Rule].OfFeed:
		return true
	case a.isOfGroup(b.Rule):
		return b.Sums.Equal(a.scope)
	}
	return a.scope.Covers(b.Key)
}

// Resume takes alerts that have begun in an earlier run. The next Narrow finds which of them are of the scope.
func (a *Alerts) Resume(earlier []Begun, now time.Time) {
	a.countedTo = now
	for _, b := range earlier {
		b.Begun = true
		a.aside = append(a.aside, b)
	}
}

// Begun returns what is in alert of a rule, with what is not of the scope, in the order in which it began.
func (a *Alerts) Begun(rule int) (all []Begun) {
	for alert := range a.present.Alerts() {
		if alert.Begun && alert.Rule == rule {
			all = append(all, Begun{*alert, a.scope})
		}
	}
	for _, b := range a.aside {
		if b.Rule == rule {
			all = append(all, b)
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

// EndByChange returns the ends of alerts whose rule was changed, switched off or removed.
func EndByChange(v *View, ended []Begun, now time.Time) (changes []AlertChange) {
	for _, b := range ended {
		change := AlertChange{Rule: b.Rule, At: now, Why: EndsByChange, Position: model.Position{Key: b.Key}}
		if p, ok := v.book.Find(b.Key); ok {
			change.Position = p
			change.Ratio, change.HasRatio = v.encoder.ratioIn(v.book, &p)
		}
		if sums, ok := SumsOf(v, b.Rule); ok {
			change.Group = sums
		} else if b.Key == (model.Key{}) {
			change.Feed = "the rule was changed"
		}
		changes = append(changes, change)
	}
	return changes
}
