package view

import (
	"time"

	"blotter/model"
	"blotter/model/event"
)

// DeskAlerts are what a desk knows of a rule that it evaluates for all its traders.
type DeskAlerts struct {
	Rule    string        // its name
	Active  []event.Alert // what is in alert, in the order in which it began; Rule and Number of each have no meaning
	IsFull  bool          // it begins for no more: it is in alert for MaxAlerts positions
	Changes []AlertChange // what has begun and ended lately, the oldest first; some may be missing. Rule has no meaning
}

// Follow takes what the desk knows of the rule at a place, and returns what has begun and ended since it was taken
// last. Changes that are missing are found by what is in alert, with the positions as the view has them now.
func (a *Alerts) Follow(v *View, rule int, of *DeskAlerts, now time.Time) (changes []AlertChange) {
	a.full[rule] = of.IsFull
	for _, change := range of.Changes {
		change.Rule = rule
		if a.followChange(&change) {
			changes = append(changes, change)
		}
	}
	isActive := make(map[model.Key]bool, len(of.Active))
	for _, alert := range of.Active {
		alert.Rule, alert.Number, alert.Begun, alert.IsUnconfirmed = rule, 0, true, false
		isActive[alert.Key] = true
		if was := a.present.Active(rule, alert.Key); was != nil && was.Since.Equal(alert.Since) {
			alert.Number = was.Number
			*was = alert
			continue
		}
		begin := changeOf(v, &alert, alert.Since, "it has begun before")
		begin.Begins = true
		a.present.Put(alert)
		changes = append(changes, begin)
	}
	for alert := range a.present.Alerts() {
		if alert.Rule == rule && alert.Begun && !isActive[alert.Key] {
			end := changeOf(v, alert, now, "it has ended")
			end.Why = EndsWhileAway
			a.present.Drop(rule, alert.Key)
			changes = append(changes, end)
		}
	}
	return changes
}

// followChange applies a change of the desk. It reports whether the change was not known.
func (a *Alerts) followChange(change *AlertChange) bool {
	was := a.present.Active(change.Rule, change.Position.Key)
	switch {
	case change.IsAgain:
		if was == nil || !change.At.After(was.Told) {
			return false
		}
		was.Told = change.At
	case change.Begins:
		if was != nil && !change.At.After(was.Since) {
			return false
		}
		a.present.Put(event.Alert{
			Rule: change.Rule, Key: change.Position.Key, Begun: true, Since: change.At, Told: change.At,
		})
	case was == nil || change.At.Before(was.Since):
		return false
	default:
		a.present.Drop(change.Rule, change.Position.Key)
	}
	return true
}
