package view

import "blotter/model"

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

// compareKnown compares what is worked out of entries. Those of which it is not known are last.
func compareKnown[T any](of func(entry) (T, bool), compare func(x, y T) int) func(a, b entry) int {
	return func(a, b entry) int {
		x, hasX := of(a)
		y, hasY := of(b)
		switch {
		case hasX && hasY:
			return compare(x, y)
		case hasX:
			return -1
		case hasY:
			return +1
		}
		return 0
	}
}

func (o distanceOrdering) comparer(c *encoder) func(a, b entry) int {
	return compareKnown(func(e entry) (model.Distance, bool) { return c.distanceOf(e, o.to) }, model.Distance.Compare)
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
