package view

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// rowAlerts are the rules for the rows of a view: the rows are matched with them as they change. A nil rowAlerts has no
// rules.
type rowAlerts struct {
	book    *book.Book
	scope   model.Scope
	encoder *encoder
	alerts  *Alerts
	filters []*matcher // by rule; nil if it is off
	clears  []*matcher // by rule; nil if it has none
	margins bool       // a rule depends on margin records
	changed []entry    // rows that have changed and were not matched yet, at most matchedTogether
}

// newRowAlerts returns the rules for the rows of a view. Ages and times of day are compared with now.
func newRowAlerts(alerts *Alerts, v *View, now time.Time) *rowAlerts {
	w := &rowAlerts{book: v.book, scope: v.scope, encoder: v.encoder, alerts: alerts, margins: alerts.UsesMargins()}
	for _, rule := range alerts.rules {
		var begins, ends *matcher // the entries need no ranks
		if !rule.IsOff {
			begins = newMatcher(rule.Filter, now, Order{}, w.encoder)
		}
		if !rule.IsOff && rule.Clear != nil {
			ends = newMatcher(rule.Clear, now, Order{}, w.encoder)
		}
		w.filters, w.clears = append(w.filters, begins), append(w.clears, ends)
	}
	return w
}

// matches returns the rows that match each rule: see matching.
func (w *rowAlerts) matches(rows *orderedIndex[entry]) AlertMatches {
	matches := make(AlertMatches, len(w.filters))
	for rule, m := range w.filters {
		if m != nil {
			matches[rule] = w.matching(m, rows)
		}
	}
	return matches
}

// matching returns the keys of rows that match: of one more than MaxAlerts, so that Evaluate finds that there are too
// many.
func (w *rowAlerts) matching(m *matcher, rows *orderedIndex[entry]) []model.Key {
	var keys []model.Key
	var matched [matchedTogether]bool
	for i := range rows.buckets {
		for part := range slices.Chunk(rows.buckets[i].entries, matchedTogether) {
			m.matchAll(part, &matched)
			for i := range part {
				if !matched[i] {
					continue
				}
				if keys = append(keys, w.encoder.key(part[i])); len(keys) > MaxAlerts {
					return keys
				}
			}
		}
	}
	return keys
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

// noteChanged adds a row that has changed, and matches the added rows when there are matchedTogether of them.
// matchChanged must be called before the rows are used in another way.
func (w *rowAlerts) noteChanged(e entry) {
	if w == nil {
		return
	}
	if w.changed = append(w.changed, e); len(w.changed) == matchedTogether {
		w.matchChanged()
	}
}

// matchChanged records the rules that begin or end for the rows that have changed since it was called last.
func (w *rowAlerts) matchChanged() {
	if w == nil || len(w.changed) == 0 {
		return
	}
	w.matchNew()
	var matched [matchedTogether]bool
	for rule, filter := range w.filters {
		if filter == nil {
			continue
		}
		filter.matchAll(w.changed, &matched)
		rows := w.alerts.active[rule]
		for i, e := range w.changed {
			if !matched[i] && len(rows) == 0 {
				continue
			}
			key := w.encoder.key(e)
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
func (w *rowAlerts) noteRemoved(key model.Key) {
	if w == nil {
		return
	}
	w.matchChanged()
	for rule, rows := range w.alerts.active {
		if rows[key] != nil {
			w.alerts.note(rule, key)
		}
	}
}

// canEnd reports whether a rule ends for a row that no longer matches its filter.
func (w *rowAlerts) canEnd(rule int, e entry) bool {
	return w.clears[rule] == nil || e.side() == model.Flat || w.clears[rule].matches(e)
}

// wouldChange reports whether a rule begins or ends for the position with the key. If the book no longer has
// it, the rule ends, unless rows of its subscription may still come.
func (w *rowAlerts) wouldChange(rule int, key model.Key) bool {
	if w == nil || w.filters[rule] == nil || !w.scope.Covers(key) {
		return false
	}
	active := w.alerts.active[rule][key] != nil
	t, number := w.book.Row(key)
	if number == 0 {
		return active && w.book.HasAllOf(key)
	}
	e := w.encoder.entry(t, number)
	w.matchNew()
	matches := w.filters[rule].matches(e)
	return matches && !active || active && !matches && w.canEnd(rule, e)
}

// mustWait reports whether a rule depends on the margin ratio of the position with the key, which has ended. A rule
// that matches whatever the ratio is does not depend on it: an alert of distress must not wait.
func (w *rowAlerts) mustWait(rule int, key model.Key) bool {
	if !w.alerts.usesMargins(rule) {
		return false
	}
	p, ok := w.book.Find(key)
	if !ok {
		return false
	}
	if ratio, ok := w.encoder.ratioIn(w.book, &p); !ok || !ratio.HasEnded() {
		return false
	}
	t, number := w.book.Row(key)
	return !w.filters[rule].matchesAtAnyRatio(w.encoder.entry(t, number))
}

// change returns the change of a rule with the position as it is now.
func (w *rowAlerts) change(n notedAlert, begins bool) AlertChange {
	change := AlertChange{Rule: n.rule, Begins: begins, Position: model.Position{Key: n.key}}
	if p, ok := w.book.Find(n.key); ok {
		change.Position = p
		change.Ratio, change.HasRatio = w.encoder.ratioIn(w.book, &p)
	}
	return change
}
