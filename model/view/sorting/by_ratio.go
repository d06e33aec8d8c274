package sorting

import (
	"cmp"

	"blotter/model"
)

// ByRatio orders positions by their margin ratio, the lowest first. Open positions without one are between those
// that lose and those that win, by their profits, so that an unknown risk is not below a known gain. What is closed is
// after the others, unless it is kept: then it is below what has lost half of its maintenance margin. In the order of
// trouble, positions are compared by their tier first. What is closed and not kept is last in the order of trouble,
// also in a descending one.
type ByRatio struct{ ByTrouble, isDescending bool }

// keptRatio is where closed positions that are kept are in an order of ratios.
var keptRatio = model.MarginRatio{Profit: model.AmountOf(-1), Maintenance: model.AmountOf(2)}

// DescendingTrouble is a variable, so that it is not allocated for each update.
var DescendingTrouble Ordering = ByRatio{ByTrouble: true, isDescending: true}

// tier is how urgent a position is, whatever its margin ratio is: the lowest first.
type tier uint8

const (
	distressedTier tier = iota
	closedOutTier       // the service closes it out in several steps
	openTier
	closedTier
)

func (o ByRatio) tierOf(e Entry, status model.Status, c *Encoder) tier {
	t := tierOf(e, status, c)
	if o.isDescending { // tiers are reversed afterwards
		t = (t + 1) % (closedTier + 1)
	}
	return t
}

func tierOf(e Entry, status model.Status, c *Encoder) tier {
	switch {
	case e.Side() == model.Flat && c.Keeps(e):
		return openTier
	case e.Side() == model.Flat:
		return closedTier
	case status == model.StatusDistressed:
		return distressedTier
	case status == model.StatusClosedOut:
		return closedOutTier
	}
	return openTier
}

// Urgency is what a position is ordered by: its margin ratio or, if it has none, its profit.
type Urgency struct {
	model.MarginRatio      // of a profit, the one that divides it by one unit of its asset
	isProfit, IsNone  bool // it has neither
}

// Compare compares as the ranks of both do.
func (u *Urgency) Compare(other *Urgency) int {
	switch {
	case u.IsNone && other.IsNone:
		return 0
	case u.IsNone:
		return +1
	case other.IsNone:
		return -1
	}
	order := cmp.Compare(u.Sign(), other.Sign())
	switch {
	case order != 0 || u.Sign() == 0:
		return order
	case u.isProfit == other.isProfit:
		return u.MarginRatio.Compare(other.MarginRatio)
	case u.isProfit:
		return -u.Sign()
	}
	return u.Sign()
}

// Rank returns the rank of what a position is ordered by.
func (u *Urgency) Rank() Rank {
	switch {
	case u.IsNone:
		return ratioRank | noRatio
	case u.isProfit:
		return rankFrom(zeroProfit, u.MarginRatio)
	}
	return RankRatio(u.MarginRatio)
}

// Urgencies finds what positions are ordered by. It does not change until there is a new market.
type Urgencies struct {
	Units                                      // of the profits
	wholes [model.MaxDecimals + 1]model.Amount // one unit of an asset, by its decimals
}

// NewUrgencies returns what finds the urgencies of the entries of an encoder.
func NewUrgencies(c *Encoder) *Urgencies {
	u := &Urgencies{Units: NewUnits(model.UnrealisedPnl, c)}
	for decimals := range u.wholes {
		u.wholes[decimals] = model.AmountOfInt(model.PowerOfTen(decimals))
	}
	for market := range c.Markets.Values() {
		u.Units.of(uint32(market))
	}
	return u
}

// of returns what an entry is ordered by whose row has this profit.
func (u *Urgencies) of(e Entry, profit model.Amount) Urgency {
	if ratio, ok := u.encoder.RatioOf(e, profit); ok {
		return Urgency{MarginRatio: ratio}
	}
	if e.Side() == model.Flat {
		if u.encoder.Keeps(e) {
			return Urgency{MarginRatio: keptRatio}
		}
		return Urgency{IsNone: true}
	}
	return u.OfProfit(profit, u.Units.of(e.Market()).Decimals)
}

// wholeDecimal is one unit of any asset.
var wholeDecimal = model.ParseAmount("1.0")

// OfProfit returns what a profit is ordered by that has no margin ratio.
func (u *Urgencies) OfProfit(profit model.Amount, decimals int) Urgency {
	switch {
	case !profit.IsNumber():
		return Urgency{IsNone: true}
	case profit.IsDecimal():
		return Urgency{MarginRatio: model.MarginRatio{Profit: profit, Maintenance: wholeDecimal}, isProfit: true}
	}
	whole := u.wholes[min(max(decimals, 0), model.MaxDecimals)]
	return Urgency{MarginRatio: model.MarginRatio{Profit: profit, Maintenance: whole}, isProfit: true}
}

func (o ByRatio) comparer(c *Encoder) func(a, b Entry) int {
	urgencies := NewUrgencies(c)
	return func(a, b Entry) int {
		if o.ByTrouble {
			if order := cmp.Compare(o.tierOf(a, c.status(a), c), o.tierOf(b, c.status(b), c)); order != 0 {
				return order
			}
		}
		x, y := urgencies.of(a, c.Amount(a, model.UnrealisedPnl)), urgencies.of(b, c.Amount(b, model.UnrealisedPnl))
		return x.Compare(&y)
	}
}

// isSame compares also the sizes: an estimate depends on them.
func (ByRatio) isSame(p, q *model.Position) bool {
	return sameNumber(p, q, model.UnrealisedPnl) && sameNumber(p, q, model.OpenVolume)
}

func (o ByRatio) ranker(_ []Entry, c *Encoder) Ranker {
	urgencies := NewUrgencies(c)
	return Ranker{model.UnrealisedPnl, func(e Entry, profit model.Amount, status model.Status) Rank {
		urgency := urgencies.of(e, profit)
		r := urgency.Rank()
		if o.ByTrouble {
			r |= Rank(o.tierOf(e, status, c)) << ratioBits
		}
		return r
	}}
}

func (ByRatio) lastingRanker(*Encoder) Ranker { return Ranker{} }
