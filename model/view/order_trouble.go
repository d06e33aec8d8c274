package view

import (
	"cmp"

	"blotter/model"
)

// ratioOrdering orders positions by their margin ratio, the lowest first, and those without one after the others. In
// the order of trouble, they are compared by their tier first. What is closed and has no status is last in the order of
// trouble, also in a descending one.
type ratioOrdering struct{ byTrouble, isDescending bool }

// tier is how urgent a position is, whatever its margin ratio is: the lowest first.
type tier uint8

const (
	distressedTier tier = iota
	closedOutTier
	openTier
	closedTier
)

// tierOf returns the tier of an entry whose row has this status.
func (o ratioOrdering) tierOf(e entry, status model.Status) tier {
	t := tierOf(e, status)
	if o.isDescending { // tiers are reversed afterwards
		t = (t + 1) % (closedTier + 1)
	}
	return t
}

func tierOf(e entry, status model.Status) tier {
	switch {
	case status == model.StatusDistressed:
		return distressedTier
	case status == model.StatusClosedOut:
		return closedOutTier
	case e.side() != model.Flat:
		return openTier
	}
	return closedTier
}

func (o ratioOrdering) comparer(c *encoder) func(a, b entry) int {
	return func(a, b entry) int {
		if o.byTrouble {
			if order := cmp.Compare(o.tierOf(a, c.rows(a).Status(a.row)), o.tierOf(b, c.rows(b).Status(b.row))); order != 0 {
				return order
			}
		}
		r, hasR := c.marginRatio(a)
		s, hasS := c.marginRatio(b)
		switch {
		case hasR && hasS:
			return r.Compare(s)
		case hasR:
			return -1
		case hasS:
			return +1
		}
		return 0
	}
}

func (ratioOrdering) isSame(p, q *model.Position) bool { return sameNumber(p, q, model.UnrealisedPnl) }

func (o ratioOrdering) ranker(_ []entry, c *encoder) ranker {
	return ranker{model.UnrealisedPnl, func(e entry, profit model.Amount, status model.Status) rank {
		r := ratioRank | noRatio
		if ratio, ok := c.ratioOf(e, profit); ok {
			r = rankRatio(ratio)
		}
		if o.byTrouble {
			r |= rank(o.tierOf(e, status)) << ratioBits
		}
		return r
	}}
}

func (ratioOrdering) lastingRanker(*encoder) ranker { return ranker{} }

// usesMargins reports whether the order changes with margin records.
func (o Order) usesMargins() bool {
	_, uses := o.ordering().(ratioOrdering)
	return uses
}
