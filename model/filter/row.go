package filter

import (
	"slices"
	"time"

	"blotter/model"
)

// Context is what a query needs to match a row by itself, outside of a view.
type Context struct {
	Instruments *model.Instruments
	MarginRatio func(*model.Position) (model.MarginRatio, bool) // nil if no margin records were read
	Levels      func(*model.Position) *model.MarginLevels       // the same; nil for a position without a record
	Now         time.Time                                       // by the service's clock; its location is the zone of times of day
}

// Matches reports whether the position matches the query.
func (q *Query) Matches(p *model.Position, in Context) bool {
	return q.isMetBy(row{p, &in}.meets)
}

// MatchesLevels reports whether a margin record matches a query for which OnlyNames is true.
func (q *Query) MatchesLevels(levels *model.MarginLevels, in *model.Instruments) bool {
	return q.isMetBy(func(c Condition) bool {
		text, ok := c.(TextCondition)
		return ok && (text.MatchesParty(in.Party(levels.Party)) || text.MatchesMarket(in.Market(levels.Market), in.Asset(levels.Asset)) ||
			text.matchesGroupOf(levels.Key, in))
	})
}

// Names returns a query of the terms that select by party, market and asset alone.
func (q *Query) Names() *Query {
	return &Query{terms: slices.DeleteFunc(slices.Clone(q.Terms()), Term.needsMore)}
}

// OnlyNames reports whether the query selects by party, market and asset alone, which margin records have too.
func (q *Query) OnlyNames() bool { return !slices.ContainsFunc(q.Terms(), Term.needsMore) }

// needsMore reports whether the term does not select by party, market and asset alone.
func (t Term) needsMore() bool {
	return slices.ContainsFunc(t.Any, func(c Condition) bool {
		text, ok := c.(TextCondition)
		return !ok || text.Field == StatusField
	})
}

// isMetBy reports whether the query matches, given which conditions are met.
func (q *Query) isMetBy(meets func(Condition) bool) bool {
	return !slices.ContainsFunc(q.Terms(), func(t Term) bool { return slices.ContainsFunc(t.Any, meets) == t.Negated })
}

// row is a position by itself.
type row struct {
	*model.Position
	in *Context
}

// meets reports whether it certainly meets a condition.
func (r row) meets(c Condition) bool { return Meets(At(r.in.Now, c), r) == Yes }

func (r row) HasText(c TextCondition) Answer {
	in := r.in.Instruments
	market := in.Market(r.Market)
	return AnswerOf(c.MatchesParty(in.Party(r.Party)) || c.MatchesMarket(market, in.Asset(market.Asset)) ||
		c.MatchesStatus(r.StatusName()) || c.matchesGroupOf(r.Key, in))
}

func (r row) Number(f model.Field) (model.Amount, Answer) { return r.Position.Number(f), Yes }

func (r row) Maintenance() (model.Amount, Answer) {
	levels := r.levels()
	if levels == nil || r.in.Instruments.Market(r.Market).Asset.IsZero() {
		return model.Amount{}, No
	}
	return levels.Maintenance, Yes
}

func (row) Day() (model.Amount, Answer) { return model.Amount{}, Unknown }

func (r row) Estimate(ofMark bool) (model.Estimate, Answer) {
	return EstimateOf(ofMark, r.Position, r.in.Instruments)
}

// EstimateOf returns the estimate of the mark price or of the notional of a position.
func EstimateOf(ofMark bool, p *model.Position, in *model.Instruments) (model.Estimate, Answer) {
	mark, notional, ok := model.MarkAndNotional(p, in)
	if ofMark {
		return mark, AnswerOf(ok)
	}
	return notional, AnswerOf(ok)
}

func (r row) Ratio() (ratio model.MarginRatio, has Answer) {
	if r.in.MarginRatio == nil {
		return ratio, No
	}
	ratio, ok := r.in.MarginRatio(r.Position)
	return ratio, AnswerOf(ok)
}

func (r row) Distance(to model.RatioLimit) (model.Distance, Answer) {
	ratio, has := r.Ratio()
	if has != Yes {
		return model.Distance{}, has
	}
	distance, ok := model.DistanceTo(to, ratio, r.Position, r.in.Instruments)
	return distance, AnswerOf(ok)
}

func (r row) Figure(of model.Figure) (model.MarginRatio, Answer) {
	figure, ok := of.Of(r.Position, r.levels(), r.in.Instruments)
	return figure, AnswerOf(ok)
}

// levels returns the margin record of an open position; nil if there is none.
func (r row) levels() *model.MarginLevels {
	if r.in.Levels == nil || !r.IsOpen() {
		return nil
	}
	return r.in.Levels(r.Position)
}

func (r row) Decimals(f model.Field) int { return r.in.Instruments.Decimals(f, r.Market) }

func (row) Uncompared() Answer { return No }

// CanCompare reports whether each comparison of the query can be made with the numbers of a position: no decimals that
// are not known are needed.
func (q *Query) CanCompare(p *model.Position, in *model.Instruments) bool {
	return !q.has(func(c Condition) bool {
		amount, ok := c.(AmountCondition)
		if !ok {
			return false
		}
		limit := amount.In(in.Decimals(amount.Number, p.Market))
		_, isCompared := limit.Matches(p.Number(amount.Number))
		return !isCompared
	})
}
