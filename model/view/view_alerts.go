package view

import "time"

// WatchAlerts makes the view record for which rows a rule may begin or end, from now on. It matches each party and
// market once. Ages and times of day are compared with now: it must be called again as time passes.
func (v *View) WatchAlerts(alerts *Alerts, now time.Time) {
	if alerts != nil && len(alerts.rules) > 0 {
		v.alerts = newRowAlerts(alerts, v, now)
	}
}

// Watches reports whether the view records rows for these alerts.
func (v *View) Watches(alerts *Alerts) bool { return v.alerts != nil && v.alerts.alerts == alerts }

// AlertPass is the result of MatchAlerts. The zero AlertPass is of no alerts.
type AlertPass struct {
	rules   *rowAlerts
	matches []notedAlert
}

// IsOf reports whether the pass is of these alerts.
func (p *AlertPass) IsOf(alerts *Alerts) bool { return p.rules != nil && p.rules.alerts == alerts }

// MatchAlerts returns which rows match the rules as of a time. It reads all rows and changes nothing.
func (v *View) MatchAlerts(alerts *Alerts, now time.Time) AlertPass {
	pass := AlertPass{rules: newRowAlerts(alerts, v, now)}
	for rule, m := range pass.rules.filters {
		if m != nil {
			pass.matches = append(pass.matches, pass.rules.matching(rule, &v.index)...)
		}
	}
	return pass
}

// TakeAlerts does what WatchAlerts does, with the result of MatchAlerts for this view. It records the rows that match,
// and all rows for which a rule is active, and the groups that rules are about.
func (v *View) TakeAlerts(pass AlertPass) {
	v.alerts = pass.rules
	v.alerts.beginSums()
	v.alerts.dropUnmatched()
	v.alerts.alerts.noteAll(pass.matches)
	v.alerts.alerts.noteActive()
}

// AlertsUncompared returns the names of the rules that compare amounts in markets whose decimals are not known: there
// they match nothing.
func (v *View) AlertsUncompared() []string {
	return v.alerts.uncompared()
}
