package view

import (
	"slices"
	"time"

	"blotter/model"
)

// The alerts of a view: its rows are matched with the rules as they change.

// alertMatchers are the rules for the rows of one view.
type alertMatchers struct {
	alerts  *Alerts
	filters []*matcher // by rule
	clears  []*matcher // by rule; nil if it has none
	margins bool       // a rule depends on margin records
	changed []entry    // rows that have changed and were not matched yet, at most matchedTogether
}

// AlertMatches are the rows that match each rule, by rule.
type AlertMatches [][]model.Key

// WatchAlerts makes the view record for which rows a rule may begin or end, from now on. It matches each party and
// market once. Ages and times of day are compared with now: it must be called again as time passes.
func (v *View) WatchAlerts(alerts *Alerts, now time.Time) {
	if alerts != nil && len(alerts.rules) > 0 {
		v.alerts = v.alertMatchers(alerts, now)
	}
}

// alertMatchers returns matchers of the rules.
func (v *View) alertMatchers(alerts *Alerts, now time.Time) *alertMatchers {
	w := &alertMatchers{alerts: alerts, margins: alerts.UsesMargins()}
	for _, rule := range alerts.rules {
		w.filters = append(w.filters, newMatcher(rule.Filter, now, Order{}, v.encoder)) // the entries need no ranks
		var clear *matcher
		if rule.Clear != nil {
			clear = newMatcher(rule.Clear, now, Order{}, v.encoder)
		}
		w.clears = append(w.clears, clear)
	}
	return w
}

// AlertPass is the result of MatchAlerts.
type AlertPass struct {
	matchers *alertMatchers
	matches  AlertMatches
}

// MatchAlerts returns which rows match the rules as of a time. It reads all rows and changes nothing.
func (v *View) MatchAlerts(alerts *Alerts, now time.Time) AlertPass {
	w := v.alertMatchers(alerts, now)
	return AlertPass{w, v.alertMatches(w)}
}

// TakeAlerts does what WatchAlerts and Alerts.NoteAll do, with the result of MatchAlerts for this view.
func (v *View) TakeAlerts(pass AlertPass) {
	v.alerts = pass.matchers
	v.alerts.alerts.NoteAll(pass.matches)
}

// AlertMatches returns the rows that match each rule, a little more than MaxAlerts at most. It reads all rows and
// changes nothing.
func (v *View) AlertMatches() AlertMatches {
	if v.alerts == nil {
		return nil
	}
	return v.alertMatches(v.alerts)
}

func (v *View) alertMatches(w *alertMatchers) AlertMatches {
	matches := make(AlertMatches, len(w.filters))
	for rule, m := range w.filters {
		matches[rule] = v.matching(m, MaxAlerts+1) // one more: so that Evaluate finds that there are too many
	}
	return matches
}

// matching returns the keys of at most most rows that match.
func (v *View) matching(m *matcher, most int) []model.Key {
	var keys []model.Key
	var matched [matchedTogether]bool
	for i := range v.index.buckets {
		for part := range slices.Chunk(v.index.buckets[i].entries, matchedTogether) {
			m.matchAll(part, &matched)
			for i := range part {
				if matched[i] && len(keys) == most {
					return keys
				}
				if matched[i] {
					keys = append(keys, v.encoder.key(part[i]))
				}
			}
		}
	}
	return keys
}

// AlertsUncompared returns the names of the rules that compare amounts in markets whose decimals are not known: there
// they match nothing.
func (v *View) AlertsUncompared() []string {
	if v.alerts == nil {
		return nil
	}
	var names []string
	for rule, m := range v.alerts.filters {
		if m.uncompared() > 0 {
			names = append(names, v.alerts.alerts.rules[rule].Name)
		}
	}
	return names
}

// matchNew prepares for entries with new codes.
func (w *alertMatchers) matchNew() {
	for rule, m := range w.filters {
		m.matchNew()
		if w.clears[rule] != nil {
			w.clears[rule].matchNew()
		}
	}
}

// noteAlerts adds a row that has changed, and matches the added rows when there are matchedTogether of them.
// matchChanged must be called before the rows are used in another way.
func (v *View) noteAlerts(e entry) {
	w := v.alerts
	if w == nil {
		return
	}
	if w.changed = append(w.changed, e); len(w.changed) == matchedTogether {
		v.matchChanged()
	}
}

// matchChanged records the rules that begin or end for the rows that have changed since it was called last.
func (v *View) matchChanged() {
	w := v.alerts
	if w == nil || len(w.changed) == 0 {
		return
	}
	w.matchNew()
	var matched [matchedTogether]bool
	for rule, filter := range w.filters {
		filter.matchAll(w.changed, &matched)
		rows := w.alerts.active[rule]
		for i, e := range w.changed {
			if !matched[i] && len(rows) == 0 {
				continue
			}
			key := v.encoder.key(e)
			switch active := rows[key] != nil; {
			case matched[i] && !active && w.alerts.isFull(rule):
				w.alerts.full[rule] = true
			case matched[i] && !active, active && !matched[i] && w.canEnd(rule, e):
				w.alerts.note(rule, key)
			}
		}
	}
	w.changed = w.changed[:0]
}

// noteRemoved records the rules that end because a row is removed.
func (v *View) noteRemoved(key model.Key) {
	if v.alerts == nil {
		return
	}
	v.matchChanged()
	for rule, rows := range v.alerts.alerts.active {
		if rows[key] != nil {
			v.alerts.alerts.note(rule, key)
		}
	}
}

// wouldChange reports whether a rule begins or ends for a row.
func (w *alertMatchers) wouldChange(rule int, e entry, key model.Key) bool {
	matches, active := w.filters[rule].matches(e), w.alerts.active[rule][key] != nil
	return matches && !active || active && !matches && w.canEnd(rule, e)
}

// canEnd reports whether a rule ends for a row that no longer matches its filter.
func (w *alertMatchers) canEnd(rule int, e entry) bool {
	return w.clears[rule] == nil || e.side() == model.Flat || w.clears[rule].matches(e)
}

// wouldChange reports whether a rule begins or ends for the position with the key. If the book no longer has
// it, the rule ends, unless rows of its subscription may still come.
func (v *View) wouldChange(rule int, key model.Key) bool {
	if !v.scope.Covers(key) || v.alerts == nil {
		return false
	}
	t, number := v.book.Row(key)
	if number == 0 {
		return v.book.HasAllOf(key) && v.alerts.alerts.active[rule][key] != nil
	}
	e := v.encoder.entry(t, number)
	v.alerts.matchNew()
	return v.alerts.wouldChange(rule, e, key)
}

// mustWait reports whether a rule depends on the margin ratio of the position with the key, which has ended. A rule
// that matches whatever the ratio is does not depend on it: an alert of distress must not wait.
func (v *View) mustWait(rule int, key model.Key) bool {
	if !v.alerts.alerts.usesMargins(rule) {
		return false
	}
	p, ok := v.book.Find(key)
	if !ok {
		return false
	}
	if ratio, ok := v.MarginRatio(&p); !ok || !ratio.HasEnded() {
		return false
	}
	t, number := v.book.Row(key)
	return !v.alerts.filters[rule].matchesAtAnyRatio(v.encoder.entry(t, number))
}

// alertChange returns the change of a rule with the position as it is now.
func (v *View) alertChange(n notedAlert, begins bool) AlertChange {
	change := AlertChange{Rule: n.rule, Begins: begins, Position: model.Position{Key: n.key}}
	if p, ok := v.book.Find(n.key); ok {
		change.Position = p
		change.Ratio, change.HasRatio = v.MarginRatio(&p)
	}
	return change
}
