package store

import (
	"time"

	"blotter/model"
	"blotter/ui/format"
)

// advanceAlerts begins the alerts that were due before the changes that are held came, and those that are reported
// again. It must be called before these changes are applied.
func advanceAlerts(s *Store) {
	a, now := &s.alerts, s.Now()
	if s.flow.held != nil {
		now = s.flow.heldAt
	}
	if canEvaluate(s) && a.watched().AreWatchedBy(s.data.rulesView()) {
		noteAlerts(s, a.watched().Advance(s.data.rulesView(), decidesOf(s), now))
	}
	a.watched().SetNow(now)
}

// PendingAlert is a position, or a group, that matches a rule, but not for the time that the rule asks for.
type PendingAlert struct {
	Name     string         // of the rule
	Rule     int            // its place
	IsGroup  bool           // the rule is about a group
	Position model.Position // if it is about positions
	For, Of  time.Duration  // for how long it has matched, and for how long it must match
}

// Pending returns the positions for which a rule is about to begin, those that wait the least first: at most the given
// number.
func (a *Alerts) Pending(most int, now time.Time) (first []PendingAlert) {
	for _, p := range a.watched().FirstPending(most) {
		position, isThere := a.data.book.Find(p.Key)
		if !isThere {
			position.Key = p.Key
		}
		rule := &a.all[p.Rule]
		matched := min(max(now.Sub(p.Since), 0), rule.For)
		first = append(first, PendingAlert{rule.Name, p.Rule, rule.Group != "", position, matched, rule.For})
	}
	return first
}

// WhyRatiosWait returns why alerts on margin ratios do not begin or end; empty if that is not so.
func WhyRatiosWait(s *Store) string {
	waiting := &s.walk.judged
	if !s.data.judged.alerts.UsesMargins() || waiting.Overdue == 0 {
		return ""
	}
	rows := format.Counted(waiting.Overdue, "position")
	if waiting.More {
		rows = "more than " + rows
	}
	return "Alerts on uPnL/MM wait for margin levels of " + rows + ": the size changed after the record."
}
