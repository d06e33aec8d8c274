package store

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// feedAlerts are the alerts about the feed. They begin when rows have been out of date for a time: all of a stream, or
// those that it has not sent again.
type feedAlerts struct {
	staleSince time.Time            // since when rows of some stream may be out of date; zero if none may
	active     map[string]time.Time // the names of the rules that have begun, with when they were reported last
	unseen     []string             // the names of those whose beginning was not seen, the newest last
}

// checkFeed returns which alerts about the feed begin and end.
func (a *Alerts) checkFeed(isStale bool, now time.Time) (changes []view.AlertChange) {
	switch {
	case !isStale:
		a.feed.staleSince = time.Time{}
	case a.feed.staleSince.IsZero():
		a.feed.staleSince = now
	}
	for i := range a.all {
		rule := &a.all[i]
		is := isStale && model.Elapsed(now, a.feed.staleSince) >= rule.StaleFor
		told, was := a.feed.active[rule.Name]
		isAgain := is && was && rule.Again > 0 && model.Elapsed(now, told) >= rule.Again
		if rule.StaleFor == 0 || rule.IsOff || is == was && !isAgain {
			continue
		}
		change := view.AlertChange{Rule: i, Begins: is, IsAgain: isAgain, At: now, Feed: "rows are current again"}
		delete(a.feed.active, rule.Name)
		if is {
			a.feed.active[rule.Name] = now
			a.feed.unseen = append(slices.DeleteFunc(a.feed.unseen, func(name string) bool { return name == rule.Name }), rule.Name)
			change.Feed = "rows out of date for " + format.Age(rule.StaleFor)
		}
		changes = append(changes, change)
	}
	return changes
}
