package store

import (
	"slices"

	"blotter/model/filter"
)

// AsksScope reports whether saved rules watch all parties of the start because nobody has said which they shall watch.
// It does so once, and not if there is only one party.
func AsksScope(s *Store) (asks bool) {
	parties := s.data.judged.start.Parties
	if len(parties) == 0 {
		parties, _ = s.Seen()
	}
	if len(parties) < 2 {
		return false
	}
	a := &s.alerts
	all := slices.Clone(a.all)
	for i := range all {
		rule := &all[i]
		isUnknown := rule.IsOwn && !rule.HasScope
		asks = asks || isUnknown && rule.Group == "" && !namesParty(rule.Filter)
		rule.HasScope = rule.IsOwn
	}
	a.all = all
	return asks
}

// namesParty reports whether a filter compares the party.
func namesParty(q *filter.Query) bool {
	return slices.ContainsFunc(q.Terms(), func(t filter.Term) bool {
		return slices.ContainsFunc(t.Any, func(c filter.Condition) bool {
			text, isText := c.(filter.TextCondition)
			return isText && text.Field == filter.PartyField
		})
	})
}
