package view

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// rowAlerts are the rules for the rows of a view: the rows are matched with them as they change. A nil rowAlerts has no
// rules.
type rowAlerts struct {
	scope   model.Scope
	encoder *sorting.Encoder
	alerts  *Alerts
	filters []*matcher // by rule; nil if it is off or about a group
	clears  []*matcher // by rule; nil if it has none
	margins bool       // a rule depends on margin records
	sums    *groupSums // of the groups that rules are about
}

// newRowAlerts returns the rules for rows in scope. Ages and times of day are compared with now.
func newRowAlerts(
	alerts *Alerts, scope model.Scope, c *sorting.Encoder, rows *ordered.Index[sorting.Entry], now time.Time,
) *rowAlerts {
	w := &rowAlerts{scope: scope, encoder: c, alerts: alerts, margins: alerts.UsesMargins()}
	w.sums = newGroupSums(alerts.rules, c, rows)
	for _, rule := range alerts.rules {
		var begins, ends *matcher // the entries need no ranks
		isOfRows := rule.isEvaluated() && !rule.OfFeed && rule.Group == ""
		if isOfRows {
			begins = newMatcher(rule.Filter, now, sorting.Sorter{}, w.encoder)
		}
		if isOfRows && rule.Clear != nil {
			ends = newMatcher(rule.Clear, now, sorting.Sorter{}, w.encoder)
		}
		w.filters, w.clears = append(w.filters, begins), append(w.clears, ends)
	}
	return w
}

// matching returns which rows match a rule: at most one more than MaxAlerts, so that Evaluate finds that there are too
// many.
func (w *rowAlerts) matching(rule int, rows *ordered.Index[sorting.Entry]) (matching []notedAlert) {
	for i := range rows.Buckets {
		for part := range slices.Chunk(rows.Buckets[i].Entries, matchedTogether) {
			for i := range w.filters[rule].matchAll(part).all {
				if matching = append(matching, notedAlert{rule, w.encoder.Key(part[i])}); len(matching) > MaxAlerts {
					return matching
				}
			}
		}
	}
	return matching
}

// uncompared returns the names of the rules that compare amounts in markets whose decimals are not known.
func (w *rowAlerts) uncompared() (names []string) {
	if w == nil {
		return nil
	}
	for rule, m := range w.filters {
		if m != nil && m.uncompared() > 0 {
			names = append(names, w.alerts.rules[rule].Name)
		}
		if sum := w.sums.ofRule(rule); sum != nil && sum.uncompared {
			names = append(names, w.alerts.rules[rule].Name)
		}
	}
	return names
}

// notLinear returns the names of the rules that match nothing in some market because it is not linear.
func (w *rowAlerts) notLinear() (names []string) {
	if w == nil {
		return nil
	}
	for rule, m := range w.filters {
		if m != nil && m.notLinear() > 0 {
			names = append(names, w.alerts.rules[rule].Name)
		}
	}
	return names
}

// matchNew prepares for entries with new codes.
func (w *rowAlerts) matchNew() {
	for rule, m := range w.filters {
		if m != nil {
			m.matchNew()
		}
		if w.clears[rule] != nil {
			w.clears[rule].matchNew()
		}
	}
}

// noteChanged records the rules that begin or end for a row that has changed.
func (w *rowAlerts) noteChanged(e sorting.Entry) {
	if w == nil {
		return
	}
	w.matchNew()
	key := w.encoder.Key(e)
	for rule, filter := range w.filters {
		if filter == nil {
			continue
		}
		alert := w.alerts.present.Active(rule, key)
		noteSent(alert)
		switch active := alert != nil; {
		case !active && w.alerts.rules[rule].For > 0:
			w.alerts.noteMatch(rule, key, filter.matches(e))
		case !w.changes(rule, e, active):
		case !active && w.alerts.isFull(rule):
			w.alerts.full[rule] = true
		default:
			w.alerts.note(rule, key)
		}
	}
}

// noteRemoved notes that a row is removed: if its position comes again, it has not matched without a break. What is
// active ends when all rows are there.
func (w *rowAlerts) noteRemoved(key model.Key) {
	if w == nil {
		return
	}
	for rule := range w.filters {
		if alert := w.alerts.present.Alert(rule, key); alert != nil && !alert.Begun {
			w.alerts.present.Drop(rule, key)
		}
	}
}

// changes reports whether a rule that is active for a row ends for it, or one that is not begins.
func (w *rowAlerts) changes(rule int, e sorting.Entry, active bool) bool {
	matches := w.filters[rule].matches(e)
	if !active {
		return matches
	}
	return !matches && (w.clears[rule] == nil || e.Side() == model.Flat || w.clears[rule].matches(e))
}

// wouldChange reports whether a rule begins or ends for the position with the key. If the book no longer has
// it, the rule ends, unless rows of its subscription may still come.
func (w *rowAlerts) wouldChange(rule int, key model.Key) bool {
	if w != nil && w.alerts.isOfGroup(rule) {
		return w.sumChanges(rule)
	}
	if w == nil || w.filters[rule] == nil || !w.scope.Covers(key) {
		return false
	}
	alert := w.alerts.present.Active(rule, key)
	active := alert != nil
	t, number := w.encoder.Book.Row(key)
	if number == 0 {
		return active && alert.NotSentSince.IsZero() && w.encoder.Book.HasAllOf(key)
	}
	noteSent(alert)
	e := w.encoder.Entry(t, number)
	w.matchNew()
	return w.changes(rule, e, active)
}

// mustWait reports whether it depends on what is not known of the position with the key whether a rule begins, or ends,
// for it. A rule that matches whatever that is does not depend on it: an alert of distress must not wait.
func (w *rowAlerts) mustWait(rule int, key model.Key) bool {
	t, number := w.encoder.Book.Row(key)
	if w.alerts.isOfGroup(rule) || number == 0 {
		return false
	}
	e := w.encoder.Entry(t, number)
	reading := ofRule
	if w.alerts.awaits {
		reading = ofRuleThatAwaits
	}
	answer := w.filters[rule].answer(e, reading)
	if answer == filter.No && w.clears[rule] != nil && e.Side() != model.Flat {
		answer = w.clears[rule].answer(e, reading)
	}
	return answer == filter.Unknown
}

// change returns the change of a rule at a time, with the position as it is now.
func (w *rowAlerts) change(n notedAlert, begins bool, at time.Time) AlertChange {
	change := AlertChange{Rule: n.rule, Begins: begins, At: at, Position: model.Position{Key: n.key}}
	if sum := w.sums.ofRule(n.rule); sum != nil {
		change.Group = sum.sums(w.encoder.Instruments)
	} else if p, ok := w.encoder.Book.Find(n.key); ok {
		change.Position = p
		change.Ratio, change.HasRatio = w.encoder.RatioOfPosition(&p)
	} else if !begins {
		change.Why = EndsGone
	}
	return change
}

// countInSums adds a row to the sums of groups that rules are about if sign is +1, and subtracts it if it is -1.
func (w *rowAlerts) countInSums(e sorting.Entry, p *model.Position, sign int) {
	if w != nil {
		w.sums.count(e, p, sign)
	}
}

func (w *rowAlerts) hasSums() bool { return w != nil && w.sums != nil }

// beginSums makes all sums count as changed. Alerts whose group is not known any longer are dropped: they have not
// ended.
func (w *rowAlerts) beginSums() {
	if w.hasSums() {
		for i := range w.sums.all {
			w.sums.all[i].isChanged = true
		}
	}
	for alert := range w.alerts.evaluated {
		if w.alerts.isOfGroup(alert.Rule) && w.sums.ofRule(alert.Rule) == nil {
			w.alerts.present.Drop(alert.Rule, alert.Key)
		}
	}
}

// noteSums notes the rules about groups whose sums have changed.
func (w *rowAlerts) noteSums() {
	if !w.hasSums() {
		return
	}
	for rule, sum := range w.sums.byRule {
		if sum == nil || !sum.isChanged || !w.alerts.rules[rule].isEvaluated() {
			continue
		}
		if w.alerts.rules[rule].For == 0 || w.alerts.present.Active(rule, model.Key{}) != nil {
			w.alerts.note(rule, model.Key{})
		} else if matches, isKnown := w.matchesNow(rule, model.Key{}); isKnown {
			w.alerts.noteMatch(rule, model.Key{}, matches)
		}
	}
	for i := range w.sums.all {
		w.sums.all[i].isChanged = false
	}
}

// sumChanges reports whether a rule that is active for its group ends, or one that is not begins.
func (w *rowAlerts) sumChanges(rule int) bool {
	sum, active := w.sums.ofRule(rule), w.alerts.present.Active(rule, model.Key{}) != nil
	if sum == nil {
		return false
	}
	of := &w.alerts.rules[rule]
	matches := sum.answer(of.Filter, w.encoder.Instruments)
	if !active {
		return matches == filter.Yes
	}
	return matches == filter.No && (of.Clear == nil || sum.total.Open == 0 || sum.answer(of.Clear, w.encoder.Instruments) == filter.Yes)
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
	t, number := w.encoder.Book.Row(key)
	if number == 0 {
		return false, w.encoder.Book.HasAllOf(key)
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
