package store

import (
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/format"
)

// checkFeed returns which alerts about the feed begin and end.
func (a *Alerts) checkFeed(isStale bool, now time.Time) (changes []view.AlertChange) {
	switch {
	case !isStale:
		a.staleSince = time.Time{}
	case a.staleSince.IsZero():
		a.staleSince = now
	}
	for i := range a.all {
		rule := &a.all[i]
		if rule.StaleFor == 0 || rule.IsOff || rule.OfDesk {
			continue
		}
		isLong := isStale && model.Elapsed(now, a.staleSince) >= rule.StaleFor
		active := a.data.happening.troubles.Present.Active(i, model.Key{})
		was := active != nil
		is := isLong || isStale && was // one of an earlier run lasts until all rows are current
		if was && isLong {
			active.IsUnconfirmed = false
		}
		isAgain := is && was && rule.Again > 0 && !active.IsUnconfirmed && model.Elapsed(now, active.Told) >= rule.Again
		if is == was && !isAgain {
			continue
		}
		change := view.AlertChange{Rule: i, Begins: is, IsAgain: isAgain, At: now, Feed: "rows are current again"}
		switch {
		case isAgain:
			active.Told = now
		case is:
			a.data.happening.troubles.Present.Put(event.Alert{Rule: i, Begun: true, Since: now, Told: now})
		default:
			if active.IsUnconfirmed {
				change.Why = view.EndsWhileAway
			}
			a.data.happening.troubles.Present.Drop(i, model.Key{})
		}
		if is {
			change.Feed = "rows out of date for " + format.Age(rule.StaleFor)
		}
		changes = append(changes, change)
	}
	return changes
}
