package view

import "time"

// WatchAlerts makes the view record for which rows a rule may begin or end, from now on. It matches each party and
// market once. Ages and times of day are compared with now: it must be called again as time passes.
func (v *View) WatchAlerts(alerts *Alerts, now time.Time) {
	if alerts != nil && len(alerts.rules) > 0 {
		v.alerts = newRowAlerts(alerts, v, now)
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
	pass := AlertPass{rules: newRowAlerts(a, v, now)}
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
