package store

import (
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// decidesOf returns the function for what the position of a rule, or its group, may decide. A group decides what that
// of its streams does that may decide the least, and nothing while a stream with rows of it has none.
func decidesOf(s *Store) view.DecidesOf {
	stale := sync.OnceValue(func() Stale { return judgedStale(s) })
	groups := make(map[string]view.Decides)
	of := func(rule int, key model.Key) view.Decides {
		name := s.alerts.all[rule].Group
		if name == "" {
			return stale().decides(key)
		}
		decides, isKnown := groups[name]
		if !isKnown {
			decides = groupDecides(s, name, stale())
			groups[name] = decides
		}
		return decides
	}
	return func(rule int, key model.Key) view.Decides {
		decides := of(rule, key)
		isHeld := !mayEnd(s, rule, key) || s.data.happening.corrections.IsUnderWay(key)
		if decides == view.DecidesAll && isHeld {
			return view.DecidesBegins
		}
		return decides
	}
}

func groupDecides(s *Store, name string, stale Stale) view.Decides {
	if len(s.flow.links) < len(s.data.subscriptions) {
		return view.DecidesNothing
	}
	decides := view.DecidesAll
	for link := range linksOf(s, name) {
		switch {
		case stale.Has(link.Subscription):
			return view.DecidesNothing
		case slices.Contains(stale.behind, link.Subscription):
			decides = view.DecidesBegins
		}
	}
	return decides
}

// linksOf yields the links of the streams that can have rows of a group.
func linksOf(s *Store, name string) func(yield func(*model.Link) bool) {
	in, links := s.data.rulesView().Instruments(), judgedLinks(s)
	group := model.FindGroup(in.Groups(), name)
	return func(yield func(*model.Link) bool) {
		for i := range links {
			link := &links[i]
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

// mayEnd reports whether an alert may end now if its row no longer matches: one of an earlier run waits until that is
// verified.
func mayEnd(s *Store, rule int, key model.Key) bool {
	a := &s.alerts
	alert := a.watched().Present().Active(rule, key)
	if alert == nil || !alert.IsUnconfirmed {
		return true
	}
	if group := a.all[rule].Group; group != "" {
		for link := range linksOf(s, group) {
			if !a.verifiesEnd(link) {
				return false
			}
		}
		return true
	}
	link := model.LinkOf(s.flow.links, key)
	return link != nil && a.verifiesEnd(link)
}
