package store

import (
	"sync"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// outOfDate returns what reports whether the position of a rule, or a row of its group, may be out of date. A group is
// also out of date while a stream with rows of it has none.
func outOfDate(s *Store) view.OutOfDate {
	isStale := sync.OnceValue(s.Stale)
	groups := make(map[string]bool)
	return func(rule int, key model.Key) bool {
		name := s.alerts.all[rule].Group
		if name == "" {
			return isStale().HasRow(key)
		}
		isOld, isKnown := groups[name]
		if !isKnown {
			isOld = isGroupOutOfDate(s, name, isStale())
			groups[name] = isOld
		}
		return isOld
	}
}

// isGroupOutOfDate reports whether rows of a group may be out of date, or missing.
func isGroupOutOfDate(s *Store, name string, stale Stale) bool {
	if len(s.flow.links) < len(s.data.subscriptions) {
		return true
	}
	isOld := false
	for link := range linksOf(s, name) {
		isOld = isOld || stale.Has(link.Subscription)
	}
	return isOld
}

// linksOf yields the links of the streams that can have rows of a group.
func linksOf(s *Store, name string) func(yield func(*model.Link) bool) {
	in := s.data.view.Instruments()
	group := model.FindGroup(in.Groups(), name)
	return func(yield func(*model.Link) bool) {
		for i := range s.flow.links {
			link := &s.flow.links[i]
			isOfParty := link.Party.IsZero() || in.GroupsOfParty(link.Party).Has(group)
			isOfMarket := link.Market.IsZero() || in.GroupsOfMarket(link.Market).Has(group)
			if group >= 0 && isOfParty && isOfMarket && !yield(link) {
				return
			}
		}
	}
}

// noteLinks notes in a change how far the streams of its position or its group are behind, and whether rows are
// missing.
func noteLinks(s *Store, change *view.AlertChange, now time.Time) {
	note := func(link *model.Link) {
		change.Behind, change.LateBy = max(change.Behind, link.Behind(now)), max(change.LateBy, link.LateBy)
		change.Partial = change.Partial || link.Partial
	}
	switch {
	case change.Feed != "":
	case change.Group != nil:
		for link := range linksOf(s, s.alerts.all[change.Rule].Group) {
			note(link)
		}
	default:
		if link := model.LinkOf(s.flow.links, change.Position.Key); link != nil {
			note(link)
		}
	}
}
