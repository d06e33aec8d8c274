package model

import "cmp"

// ratioOrdering orders positions by their margin ratio, the lowest first, and those without one after the others. By
// trouble, the tier comes before the ratio.
type ratioOrdering struct{ byTrouble bool }

// tier is how much a position has to be looked at, whatever its margin ratio is: the lowest first.
type tier uint8

const (
	distressedTier tier = iota
	closedOutTier
	openTier
	closedTier
)

func tierOf(p *Position) tier {
	switch {
	case p.status == StatusDistressed:
		return distressedTier
	case p.status == StatusClosedOut:
		return closedOutTier
	case p.IsOpen():
		return openTier
	}
	return closedTier
}

func (o ratioOrdering) comparer(c *encoder) func(p, q *Position) int {
	return func(p, q *Position) int {
		if o.byTrouble {
			if order := cmp.Compare(tierOf(p), tierOf(q)); order != 0 {
				return order
			}
		}
		r, hasR := c.marginRatio(p)
		s, hasS := c.marginRatio(q)
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

func (o ratioOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	return func(e entry) rank {
		r := ratioRank | noRatio
		if ratio, ok := ratioOf(e.row, c.margins.find(e.row.Key, c.assetOf(e))); ok {
			r = ratio.rank()
		}
		if o.byTrouble {
			r |= rank(tierOf(e.row)) << ratioBits
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

// marginRecord returns the margin record of a position in the asset of its market, nil where there is none.
func (c *encoder) marginRecord(p *Position) *marginRecord {
	return c.margins.find(p.Key, c.instruments.Market(p.Market).Asset)
}

func (c *encoder) marginRatio(p *Position) (MarginRatio, bool) {
	return ratioOf(p, c.marginRecord(p))
}

// assetOf returns the asset that the market of an entry settles in, zero where it is not known.
func (c *encoder) assetOf(e entry) ID { return c.assets.values[c.assetCodes[e.market()]] }
