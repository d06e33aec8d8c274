package alerts

import (
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
)

// InAlert is for which positions or groups a rule is in alert, as it is kept for the next run.
type InAlert struct {
	Rule      string  `json:"rule"`
	Condition string  `json:"condition"` // a rule with another one was changed
	Alerts    []Begun `json:"alerts,omitempty"`
}

// Begun is an alert that has begun, as it is kept.
type Begun struct {
	Key   model.Key   `json:"key,omitzero"`  // zero if it is of a group or of the feed
	Sums  model.Scope `json:"sums,omitzero"` // of a group: the scope whose rows were added
	Since time.Time   `json:"since"`
	Told  time.Time   `json:"told"`
	// NotSentSince is since when its position is not sent, if it went together with many others.
	NotSentSince time.Time `json:"notSentSince,omitzero"`
}

// InAlert returns what is kept of the alerts of a rule.
func (a *Rule) InAlert(all []view.Begun) InAlert {
	kept := InAlert{Rule: a.Name, Condition: a.signature()}
	for _, b := range all {
		of := Begun{Key: b.Key, Since: b.Since.UTC(), Told: b.Told.UTC()}
		if !b.NotSentSince.IsZero() {
			of.NotSentSince = b.NotSentSince.UTC()
		}
		if a.Group != "" {
			of.Sums = b.Sums
		}
		kept.Alerts = append(kept.Alerts, of)
	}
	return kept
}

// Resumed returns the alerts of the rule at a place, and whether that is the same rule, and on.
func (k *InAlert) Resumed(rule *Rule, place int) (all []view.Begun, isSame bool) {
	for _, b := range k.Alerts {
		of := event.Alert{Rule: place, Key: b.Key, Begun: true, Since: b.Since, Told: b.Told, NotSentSince: b.NotSentSince}
		all = append(all, view.Begun{Alert: of, Sums: b.Sums})
	}
	return all, !rule.IsOff && k.Condition == rule.signature()
}

// Watches reports whether a rule watches that of which an alert of an earlier run is, if it watches a scope.
func (a *Rule) Watches(alert *view.Begun, scope model.Scope) bool {
	if a.Group != "" {
		return alert.Sums.Equal(scope)
	}
	return a.StaleFor > 0 || scope.Covers(alert.Key)
}

// signature returns all that decides when a rule begins, ends and is reported again.
func (a *Rule) signature() string { return a.Condition() + "; " + a.Details() }
