package view

import (
	"time"

	"blotter/model"
)

// AlertMatches are the rows that match each rule, by rule.
type AlertMatches [][]model.Key

// WatchAlerts makes the view record for which rows a rule may begin or end, from now on. It matches each party and
// market once. Ages and times of day are compared with now: it must be called again as time passes.
func (v *View) WatchAlerts(alerts *Alerts, now time.Time) {
	if alerts != nil && len(alerts.rules) > 0 {
		v.alerts = newRowAlerts(alerts, v, now)
	}
}

// Watches reports whether the view records rows for these alerts.
func (v *View) Watches(alerts *Alerts) bool { return v.alerts != nil && v.alerts.alerts == alerts }

// AlertPass is the result of MatchAlerts.
type AlertPass struct {
	alerts  *rowAlerts
	matches AlertMatches
}

// IsOf reports whether the pass is of these alerts.
func (p *AlertPass) IsOf(alerts *Alerts) bool { return p.alerts.alerts == alerts }

// MatchAlerts returns which rows match the rules as of a time. It reads all rows and changes nothing.
func (v *View) MatchAlerts(alerts *Alerts, now time.Time) AlertPass {
	rows := newRowAlerts(alerts, v, now)
	return AlertPass{rows, rows.matches(&v.index)}
}

// TakeAlerts does what WatchAlerts and Alerts.NoteAll do, with the result of MatchAlerts for this view.
func (v *View) TakeAlerts(pass AlertPass) {
	v.alerts = pass.alerts
	v.alerts.alerts.NoteAll(pass.matches)
}

// AlertMatches returns the rows that match each rule, at most one more than MaxAlerts. It reads all rows and changes
// nothing.
func (v *View) AlertMatches() AlertMatches {
	if v.alerts == nil {
		return nil
	}
	return v.alerts.matches(&v.index)
}

// AlertsUncompared returns the names of the rules that compare amounts in markets whose decimals are not known: there
// they match nothing.
func (v *View) AlertsUncompared() []string {
	return v.alerts.uncompared()
}
