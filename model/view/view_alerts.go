package view

import (
	"time"

	"blotter/model"
	"blotter/model/event"
)

// WatchAlerts makes the view record for which rows a rule may begin or end, from now on. It matches each party and
// market once. Ages and times of day are compared with now: it must be called again as time passes.
func (v *View) WatchAlerts(alerts *Alerts, now time.Time) {
	if alerts != nil && len(alerts.rules) > 0 {
		v.alerts = newRowAlerts(alerts, v.scope, v.encoder, &v.index, now)
	}
}

// AreWatchedBy reports whether a view records rows for these alerts.
func (a *Alerts) AreWatchedBy(v *View) bool { return v.alerts != nil && v.alerts.alerts == a }

// AlertPass is the result of Alerts.Match. The zero AlertPass is of no alerts.
type AlertPass struct {
	rules   *rowAlerts
	matches []notedAlert
}

// IsOf reports whether the pass is of these alerts.
func (p *AlertPass) IsOf(alerts *Alerts) bool { return p.rules != nil && p.rules.alerts == alerts }

// Match returns which rows of a view match the rules as of a time. It reads all rows and changes nothing.
func (a *Alerts) Match(v *View, now time.Time) AlertPass {
	pass := AlertPass{rules: newRowAlerts(a, v.scope, v.encoder, &v.index, now)}
	for rule, m := range pass.rules.filters {
		if m != nil {
			pass.matches = append(pass.matches, pass.rules.matching(rule, &v.index)...)
		}
	}
	return pass
}

// TakeAlerts does what WatchAlerts does, with the result of Alerts.Match for this view. It records the rows that match,
// and all rows for which a rule is active, and the groups that rules are about.
func (v *View) TakeAlerts(pass AlertPass) {
	v.alerts = pass.rules
	v.alerts.beginSums()
	v.alerts.dropUnmatched()
	v.alerts.alerts.noteAll(pass.matches)
	v.alerts.alerts.noteActive()
}

// Evaluate evaluates the rules for the rows that were recorded since the last call, and for the groups that have
// changed: it returns which of them begin and end, also because enough time has passed, as far as the rows may decide
// that. What depends on the margin ratio of a row changes nothing while the row waits for a margin record of its size,
// and what depends on that of a group, while one of its rows does.
func (a *Alerts) Evaluate(v *View, decides DecidesOf, now time.Time) Evaluation {
	return a.evaluate(v.alerts, decides, now)
}

// Advance returns the alerts that begin because positions have matched a rule for its time, and those that are reported
// again. Evaluate calls it; it is also called before changes are applied that have come since then, so that a rule
// begins for a position that matches it no longer after them.
func (a *Alerts) Advance(v *View, decides DecidesOf, now time.Time) []AlertChange {
	return a.advance(v.alerts, decides, now)
}

// Uncompared returns the names of the rules that compare amounts in markets of a view whose decimals are not known:
// there they match nothing.
func (a *Alerts) Uncompared(v *View) []string {
	if !a.AreWatchedBy(v) {
		return nil
	}
	return v.alerts.uncompared()
}

// NotLinear returns the names of the rules that match nothing in some market of a view because it is not linear.
func (a *Alerts) NotLinear(v *View) []string {
	if !a.AreWatchedBy(v) {
		return nil
	}
	return v.alerts.notLinear()
}

// SumsOf returns the sums that a rule about a group compares, and false if its group or its asset is not known, it is
// off, or it is about positions.
func SumsOf(v *View, rule int) (*GroupSums, bool) {
	if v.alerts == nil || rule >= len(v.alerts.alerts.rules) {
		return nil, false
	}
	sum := v.alerts.sums.ofRule(rule)
	if sum == nil {
		return nil, false
	}
	return sum.sums(v.encoder.Instruments), true
}

// EndByChange returns the ends of alerts whose rule was changed, switched off or removed.
func EndByChange(v *View, ended []Begun, now time.Time) (changes []AlertChange) {
	for _, b := range ended {
		change := changeOf(v, &b.Alert, now, "the rule was changed")
		change.Why = EndsByChange
		changes = append(changes, change)
	}
	return changes
}

// changeOf returns the end of an alert, with its position or its group as the view has it now. The words are those of
// an alert about the feed.
func changeOf(v *View, of *event.Alert, at time.Time, words string) AlertChange {
	change := AlertChange{Rule: of.Rule, At: at, Position: model.Position{Key: of.Key}}
	if p, ok := v.book.Find(of.Key); ok {
		change.Position = p
		change.Ratio, change.HasRatio = v.encoder.RatioOfPosition(&p)
	}
	if sums, ok := SumsOf(v, of.Rule); ok {
		change.Group = sums
	} else if of.Key == (model.Key{}) {
		change.Feed = words
	}
	return change
}
