package store

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
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
		asks = asks || isUnknown && rule.Group == "" && !NamesAny(rule.Filter, filter.PartyField)
		rule.HasScope = rule.IsOwn
	}
	a.all = all
	return asks
}

// NamesAny reports whether a filter compares a field of texts, such as the party.
func NamesAny(q *filter.Query, field filter.Field) bool {
	return slices.ContainsFunc(q.Terms(), func(t filter.Term) bool {
		return slices.ContainsFunc(t.Any, func(c filter.Condition) bool {
			text, isText := c.(filter.TextCondition)
			return isText && text.Field == field
		})
	})
}

// NotJudged returns what the first line says if the rules do not watch all rows of the scope; empty if they do, or if
// no rule is on.
func (a *Alerts) NotJudged() string {
	d := a.data
	isOn := func(r alerts.Rule) bool { return !r.IsOff }
	switch {
	case !slices.ContainsFunc(a.all, isOn) || includes(d.judged.start, d.scope):
		return ""
	case d.judged.alerts.AreOn() && !d.isJudged():
		return "alerts wait"
	case haveCommon(d.judged.start.Parties, d.scope.Parties) && haveCommon(d.judged.start.Markets, d.scope.Markets):
		return "not all judged by alerts"
	}
	return "not judged by alerts"
}

// NewFilter returns the filter of a new rule: the one that is on, and the scope if it is another than at the start.
func (a *Alerts) NewFilter(shown view.Settings) string {
	start, in := &a.data.judged.start, a.data.instruments
	var terms []string
	if parties := shown.Scope.Parties; len(parties) > 0 && !slices.Equal(parties, start.Parties) {
		terms = append(terms, filter.OfParties(in, parties...))
	}
	if markets := shown.Scope.Markets; len(markets) > 0 && !slices.Equal(markets, start.Markets) {
		terms = append(terms, filter.OfMarkets(in, markets...))
	}
	if shown.Filter != "" {
		terms = append(terms, shown.Filter)
	}
	return strings.Join(terms, " ")
}

// haveCommon reports whether two lists of identifiers, of which an empty one means all, have any in common.
func haveCommon(a, b []model.ID) bool {
	isInB := func(id model.ID) bool { return slices.Contains(b, id) }
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, isInB)
}
