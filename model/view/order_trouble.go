package view

import (
	"cmp"

	"blotter/model"
)

// ratioOrdering orders positions by their margin ratio, the lowest first. Open positions without one are between those
// that lose and those that win, by their profits, so that an unknown risk is not below a known gain. What is closed is
// after the others, unless it is kept: then it is below what has lost half of its maintenance margin. In the order of
// trouble, positions are compared by their tier first. What is closed and not kept is last in the order of trouble,
// also in a descending one.
type ratioOrdering struct{ byTrouble, isDescending bool }

// keptRatio is where closed positions that are kept are in an order of ratios.
var keptRatio = model.MarginRatio{Profit: model.AmountOf(-1), Maintenance: model.AmountOf(2)}

// descendingTrouble is a variable, so that it is not allocated for each update.
var descendingTrouble ordering = ratioOrdering{byTrouble: true, isDescending: true}

// tier is how urgent a position is, whatever its margin ratio is: the lowest first.
type tier uint8

const (
	distressedTier tier = iota
	closedOutTier       // the service closes it out in several steps
	openTier
	closedTier
)

// tierOf returns the tier of an entry whose row has this status.
func (o ratioOrdering) tierOf(e entry, status model.Status, c *encoder) tier {
	t := tierOf(e, status, c)
	if o.isDescending { // tiers are reversed afterwards
		t = (t + 1) % (closedTier + 1)
	}
	return t
}

func tierOf(e entry, status model.Status, c *encoder) tier {
	switch {
	case e.side() == model.Flat && c.keeps(e):
		return openTier
	case e.side() == model.Flat:
		return closedTier
	case status == model.StatusDistressed:
		return distressedTier
	case status == model.StatusClosedOut:
		return closedOutTier
	}
	return openTier
}

// urgency is what a position is ordered by: its margin ratio or, if it has none, its profit.
type urgency struct {
	model.MarginRatio      // of a profit, the one that divides it by one unit of its asset
	isProfit, isNone  bool // it has neither
}

// compare compares as the ranks of both do.
func (u *urgency) compare(other *urgency) int {
	switch {
	case u.isNone && other.isNone:
		return 0
	case u.isNone:
		return +1
	case other.isNone:
		return -1
	}
	order := cmp.Compare(u.Sign(), other.Sign())
	switch {
	case order != 0 || u.Sign() == 0:
		return order
	case u.isProfit == other.isProfit:
		return u.Compare(other.MarginRatio)
	case u.isProfit:
		return -u.Sign()
	}
	return u.Sign()
}

func (u *urgency) rank() rank {
	switch {
	case u.isNone:
		return ratioRank | noRatio
	case u.isProfit:
		return rankProfit(u.MarginRatio)
	}
	return rankRatio(u.MarginRatio)
}

// urgencies finds what positions are ordered by. It does not change until there is a new market.
type urgencies struct {
	units                                      // of the profits
	wholes [model.MaxDecimals + 1]model.Amount // one unit of an asset, by its decimals
}

func newUrgencies(c *encoder) *urgencies {
	u := &urgencies{units: newUnits(model.UnrealisedPnl, c)}
	for decimals := range u.wholes {
		u.wholes[decimals] = model.AmountOfInt(model.PowerOfTen(decimals))
	}
	for market := range c.markets.Values() {
		u.units.of(uint32(market))
	}
	return u
}

// of returns what an entry is ordered by whose row has this profit.
func (u *urgencies) of(e entry, profit model.Amount) urgency {
	if ratio, ok := u.encoder.ratioOf(e, profit); ok {
		return urgency{MarginRatio: ratio}
	}
	if e.side() == model.Flat {
		if u.encoder.keeps(e) {
			return urgency{MarginRatio: keptRatio}
		}
		return urgency{isNone: true}
	}
	return u.ofProfit(profit, u.units.of(e.market()).Decimals)
}

// wholeDecimal is one unit of any asset.
var wholeDecimal = model.ParseAmount("1.0")

// ofProfit returns what a profit is ordered by that has no margin ratio.
func (u *urgencies) ofProfit(profit model.Amount, decimals int) urgency {
	switch {
	case !profit.IsNumber():
		return urgency{isNone: true}
	case profit.IsDecimal():
		return urgency{MarginRatio: model.MarginRatio{Profit: profit, Maintenance: wholeDecimal}, isProfit: true}
	}
	whole := u.wholes[min(max(decimals, 0), model.MaxDecimals)]
	return urgency{MarginRatio: model.MarginRatio{Profit: profit, Maintenance: whole}, isProfit: true}
}

func (o ratioOrdering) comparer(c *encoder) func(a, b entry) int {
	urgencies := newUrgencies(c)
	return func(a, b entry) int {
		if o.byTrouble {
			if order := cmp.Compare(o.tierOf(a, c.status(a), c), o.tierOf(b, c.status(b), c)); order != 0 {
				return order
			}
		}
		x, y := urgencies.of(a, c.amount(a, model.UnrealisedPnl)), urgencies.of(b, c.amount(b, model.UnrealisedPnl))
		return x.compare(&y)
	}
}

// isSame compares also the sizes: an estimate depends on them.
func (ratioOrdering) isSame(p, q *model.Position) bool {
	return sameNumber(p, q, model.UnrealisedPnl) && sameNumber(p, q, model.OpenVolume)
}

func (o ratioOrdering) ranker(_ []entry, c *encoder) ranker {
	urgencies := newUrgencies(c)
	return ranker{model.UnrealisedPnl, func(e entry, profit model.Amount, status model.Status) rank {
		urgency := urgencies.of(e, profit)
		r := urgency.rank()
		if o.byTrouble {
			r |= rank(o.tierOf(e, status, c)) << ratioBits
		}
		return r
	}}
}

func (ratioOrdering) lastingRanker(*encoder) ranker { return ranker{} }
