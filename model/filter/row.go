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
	return q.isMetBy(func(c Condition) bool { return in.meets(p, c) })
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

func (q *Query) isMetBy(meets func(Condition) bool) bool {
	return !slices.ContainsFunc(q.Terms(), func(t Term) bool { return slices.ContainsFunc(t.Any, meets) == t.Negated })
}

func (in Context) meets(p *model.Position, c Condition) bool {
	switch c := c.(type) {
	case TextCondition:
		market := in.Instruments.Market(p.Market)
		return c.MatchesParty(in.Instruments.Party(p.Party)) ||
			c.MatchesMarket(market, in.Instruments.Asset(market.Asset)) || c.MatchesStatus(p.StatusName()) ||
			c.matchesGroupOf(p.Key, in.Instruments)
	case SideCondition:
		return MatchesSide(c, model.SideOf(p.Number(model.OpenVolume)))
	case AmountCondition:
		if c.IsOfSide() {
			return MatchesSide(c, model.SideOf(p.Number(model.OpenVolume)))
		}
		limit := c.Limit.In(in.Instruments.Decimals(c.Number, p.Market))
		return limit.Matches(p.Number(c.Number), c.Operator)
	case RatioCondition:
		ratio, ok := in.ratio(p)
		return ok && c.Operator.Holds(ratio.Compare(c.Limit))
	case DistanceCondition:
		ratio, ok := in.ratio(p)
		return ok && c.Meets(ratio, p, in.Instruments)
	case FigureCondition:
		return c.Meets(p, in.levels(p), in.Instruments)
	case EstimateCondition:
		return c.Meets(p, nil, in.Instruments)
	case MaintenanceCondition:
		return c.Meets(p, in.levels(p), in.Instruments)
	case interface{ In(time.Time) TimeLimit }:
		limit := c.In(in.Now)
		return limit.Matches(p.Number(model.UpdatedAt))
	}
	return false
}

func (in Context) ratio(p *model.Position) (model.MarginRatio, bool) {
	if in.MarginRatio == nil {
		return model.MarginRatio{}, false
	}
	return in.MarginRatio(p)
}

// levels returns the margin record of an open position; nil if there is none.
func (in Context) levels(p *model.Position) *model.MarginLevels {
	if in.Levels == nil || !p.IsOpen() {
		return nil
	}
	return in.Levels(p)
}

// Meets reports whether a position with a margin record, which is nil if it has none, meets the condition.
func (c FigureCondition) Meets(p *model.Position, levels *model.MarginLevels, in *model.Instruments) bool {
	figure, ok := c.Of.Of(p, levels, in)
	return ok && c.Operator.Holds(figure.Compare(c.Limit))
}

// Meets reports whether a position with a margin record, which is nil if it has none, meets the condition. If the asset
// of its market is not known, it does not.
func (c MaintenanceCondition) Meets(p *model.Position, levels *model.MarginLevels, in *model.Instruments) bool {
	if levels == nil || in.Market(p.Market).Asset.IsZero() {
		return false
	}
	limit := c.Limit.In(in.Decimals(model.UnrealisedPnl, p.Market))
	return limit.Matches(levels.Maintenance, c.Operator)
}

// Meets reports whether a position meets the condition, whatever the rounding of the numbers is of which the estimate
// is made.
func (c EstimateCondition) Meets(p *model.Position, _ *model.MarginLevels, in *model.Instruments) bool {
	mark, notional, ok := model.MarkAndNotional(p, in)
	of, unit := notional, model.UnrealisedPnl
	if c.OfMark {
		of, unit = mark, model.AverageEntryPrice
	}
	decimals := in.Decimals(unit, p.Market)
	limit := c.Limit.In(decimals)
	least, most, isKnown := of.Bounds(decimals)
	switch {
	case !ok || !isKnown:
		return false
	case c.Operator == "!=":
		return limit.Matches(least, ">") || limit.Matches(most, "<")
	}
	return limit.Matches(least, c.Operator) && limit.Matches(most, c.Operator)
}

// Meets reports whether a position with a margin ratio meets the condition.
func (c DistanceCondition) Meets(r model.MarginRatio, p *model.Position, in *model.Instruments) bool {
	distance, ok := model.DistanceTo(c.To, r, p, in)
	return ok && c.Operator.Holds(distance.CompareSize(c.Limit))
}

// CanCompare reports whether each comparison of the query can be made with the numbers of a position: no decimals that
// are not known are needed.
func (q *Query) CanCompare(p *model.Position, in *model.Instruments) bool {
	return !q.has(func(c Condition) bool {
		amount, ok := c.(AmountCondition)
		if !ok {
			return false
		}
		limit := amount.Limit.In(in.Decimals(amount.Number, p.Market))
		return !limit.Compares(p.Number(amount.Number))
	})
}
