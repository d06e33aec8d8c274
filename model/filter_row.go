package model

import (
	"cmp"
	"slices"
	"time"
)

// MatchContext is what a query needs to match a row by itself, outside of a view.
type MatchContext struct {
	Instruments *Instruments
	Margins     *Margins  // nil where no margin records were read
	Now         time.Time // as in Filter
}

// Matches reports whether the position matches the query.
func (q *Query) Matches(p *Position, in MatchContext) bool {
	return q.isMetBy(func(c condition) bool { return in.meets(p, c) })
}

// MatchesLevels reports whether a margin record matches a query that OnlyNames is true for.
func (q *Query) MatchesLevels(levels *MarginLevels, in *Instruments) bool {
	return q.isMetBy(func(c condition) bool {
		text, ok := c.(textCondition)
		return ok && (text.matchesParty(in.Party(levels.Party)) || text.matchesMarket(in.Market(levels.Market), in.Asset(levels.Asset)))
	})
}

// Names returns the query of only those terms that select by party, market and asset alone.
func (q *Query) Names() *Query {
	names := new(Query)
	if q != nil {
		for _, t := range q.terms {
			if one := (&Query{[]term{t}}); one.OnlyNames() {
				names.terms = append(names.terms, t)
			}
		}
	}
	return names
}

// OnlyNames reports whether the query selects by party, market and asset alone, which margin records have too.
func (q *Query) OnlyNames() bool {
	return !q.has(func(c condition) bool {
		text, ok := c.(textCondition)
		return !ok || text.field == statusField
	})
}

func (q *Query) isMetBy(meets func(condition) bool) bool {
	return q == nil || !slices.ContainsFunc(q.terms, func(t term) bool { return slices.ContainsFunc(t.any, meets) == t.negated })
}

// meets reports whether the position meets the condition.
func (in MatchContext) meets(p *Position, c condition) bool {
	switch c := c.(type) {
	case textCondition:
		market := in.Instruments.Market(p.Market)
		return c.matchesParty(in.Instruments.Party(p.Party)) ||
			c.matchesMarket(market, in.Instruments.Asset(market.Asset)) || c.matchesStatus(p.StatusName())
	case sideCondition:
		return matchesSide(c, sideOf(p.Number(OpenVolume)))
	case amountCondition:
		if c.isOfSide() {
			return matchesSide(c, sideOf(p.Number(OpenVolume)))
		}
		limit := c.limit.in(in.Instruments.Decimals(c.number, p.Market))
		return limit.matches(p.Number(c.number), c.operator)
	case ratioCondition:
		if in.Margins == nil {
			return false
		}
		ratio, ok := in.Margins.ratioOf(p, in.Instruments.Market(p.Market).Asset)
		return ok && c.operator.holds(ratio.Compare(c.limit))
	case ageCondition:
		at, ok := p.Number(UpdatedAt).Time()
		return ok && !in.Now.IsZero() && c.operator.holds(cmp.Compare(in.Now.Sub(at), c.limit))
	case timeCondition:
		at, ok := p.Number(UpdatedAt).Time()
		return ok && (!c.today || !in.Now.IsZero()) && c.operator.holds(at.Compare(c.in(in.Now)))
	}
	return false
}

// Uncompared returns those of the markets whose amounts match no comparison of the query, because their decimals are
// not known.
func (q *Query) Uncompared(markets []ID, in *Instruments) []ID {
	return slices.DeleteFunc(slices.Clone(markets), func(market ID) bool {
		return !q.has(func(c condition) bool {
			amount, ok := c.(amountCondition)
			return ok && !amount.isOfSide() && !amount.limit.in(in.Decimals(amount.number, market)).known
		})
	})
}
