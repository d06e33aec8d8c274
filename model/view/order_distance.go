package view

import (
	"blotter/model"
	"blotter/model/filter"
)

// distanceOrdering orders positions by the size of their distance to a limit of the margin ratio: those that have
// passed it first, then the nearest. Those that never reach it are after the others, and those without a distance last.
type distanceOrdering struct{ to model.RatioLimit }

// distanceOf returns the distance of an entry to a limit, and false if it has none.
func (c *encoder) distanceOf(e entry, to model.RatioLimit) (model.Distance, bool) {
	ratio, ok := c.marginRatio(e)
	if !ok {
		return model.Distance{}, false
	}
	p := c.position(e)
	return model.DistanceTo(to, ratio, &p, c.instruments)
}

func (o distanceOrdering) comparer(c *encoder) func(a, b entry) int {
	return func(a, b entry) int {
		x, hasX := c.distanceOf(a, o.to)
		y, hasY := c.distanceOf(b, o.to)
		switch {
		case hasX && hasY:
			return x.Compare(y)
		case hasX:
			return -1
		case hasY:
			return +1
		}
		return 0
	}
}

// isSame compares all numbers that the estimates depend on.
func (distanceOrdering) isSame(p, q *model.Position) bool {
	return sameNumber(p, q, model.UnrealisedPnl) && sameNumber(p, q, model.OpenVolume) && sameNumber(p, q, model.AverageEntryPrice)
}

// ranker ranks rows as they are stored, because a distance depends on several numbers.
func (o distanceOrdering) ranker(_ []entry, c *encoder) ranker {
	return rankedByEntry(func(e entry) rank {
		switch distance, ok := c.distanceOf(e, o.to); {
		case !ok:
			return noDistance
		case distance.IsNever:
			return neverRank
		default:
			return rankRatio(distance.Size())
		}
	})
}

func (distanceOrdering) lastingRanker(*encoder) ranker { return ranker{} }

// distanceComparison compares the distance to a limit of the margin ratio.
type distanceComparison struct {
	filter.DistanceCondition
	encoder *encoder
}

func (c *distanceComparison) matches(e entry) bool {
	ratio, ok := c.encoder.marginRatio(e)
	if !ok {
		return false
	}
	p := c.encoder.position(e)
	return c.Meets(ratio, &p, c.encoder.instruments)
}

func (c *distanceComparison) matchAll(entries []entry, of entrySet) (met entrySet) {
	for i := range of.all {
		if c.matches(entries[i]) {
			met |= 1 << i
		}
	}
	return met
}

func (*distanceComparison) needsRatio() bool { return true }

func (*distanceComparison) cost() int { return 3 }
