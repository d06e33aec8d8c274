package view

import (
	"cmp"

	"blotter/model"
)

// ratioOrdering orders positions by their margin ratio, the lowest first, and those without one after the others. In
// the order of trouble, they are compared by their tier first.
type ratioOrdering struct{ byTrouble bool }

// tier is how urgent a position is, whatever its margin ratio is: the lowest first.
type tier uint8

const (
	distressedTier tier = iota
	closedOutTier
	openTier
	closedTier
)

func (c *encoder) tier(e entry) tier {
	switch status := c.rows(e).Status(e.row); {
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
			if order := cmp.Compare(c.tier(a), c.tier(b)); order != 0 {
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

func (o ratioOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	return func(e entry) rank {
		r := ratioRank | noRatio
		if ratio, ok := c.marginRatio(e); ok {
			r = rankRatio(ratio)
		}
		if o.byTrouble {
			r |= rank(c.tier(e)) << ratioBits
		}
		return r
	}
}

func (ratioOrdering) lastingRanker(*encoder) func(entry) rank { return nil }

// usesMargins reports whether the order changes with margin records.
func (o Order) usesMargins() bool {
	_, uses := o.ordering().(ratioOrdering)
	return uses
}
