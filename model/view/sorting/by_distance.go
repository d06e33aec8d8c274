package sorting

import "blotter/model"

// ByDistance orders positions by the size of their distance to a limit of the margin ratio: those that have
// passed it first, then the nearest. Those that never reach it are after the others, and those without a distance last.
type ByDistance struct{ To model.RatioLimit }

// DistanceOf returns the distance of an entry to a limit, and false if it has none.
func (c *Encoder) DistanceOf(e Entry, to model.RatioLimit) (model.Distance, bool) {
	ratio, ok := c.MarginRatio(e)
	if !ok {
		return model.Distance{}, false
	}
	p := c.Position(e)
	return model.DistanceTo(to, ratio, &p, c.Instruments)
}

// compareKnown compares what is worked out of entries. Those of which it is not known are last.
func compareKnown[T any](of func(Entry) (T, bool), compare func(x, y T) int) func(a, b Entry) int {
	return func(a, b Entry) int {
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

func (o ByDistance) comparer(c *Encoder) func(a, b Entry) int {
	return compareKnown(func(e Entry) (model.Distance, bool) { return c.DistanceOf(e, o.To) }, model.Distance.Compare)
}

// isSame compares all numbers that the estimates depend on.
func (ByDistance) isSame(p, q *model.Position) bool {
	return sameNumber(p, q, model.UnrealisedPnl) && sameNumber(p, q, model.OpenVolume) && sameNumber(p, q, model.AverageEntryPrice)
}

// ranker ranks rows as they are stored, because a distance depends on several numbers.
func (o ByDistance) ranker(_ []Entry, c *Encoder) Ranker {
	return rankedByEntry(func(e Entry) Rank {
		switch distance, ok := c.DistanceOf(e, o.To); {
		case !ok:
			return noDistance
		case distance.IsNever:
			return neverRank
		default:
			return RankRatio(distance.Size())
		}
	})
}

func (ByDistance) lastingRanker(*Encoder) Ranker { return Ranker{} }
