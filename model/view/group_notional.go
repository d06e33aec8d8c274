package view

import (
	"blotter/model"
	"blotter/model/view/sorting"
)

// notionalTotal is what the net notional of a group is estimated from, without the unrealised PnL: if each open row has
// an estimate, that is the one of all open rows.
type notionalTotal struct {
	values      model.NotionalSum
	decimals    int // how many rows have a number that is a decimal
	unestimated int // how many open rows have no estimate
}

// count adds an open position if sign is +1, and subtracts it if it is -1.
func (t *notionalTotal) count(p *model.Position, of *model.NotionalScale, sign int) {
	scale := model.Unscaled
	if p.HasAddableNotional() {
		scale = of.Of(p)
	}
	if scale == model.Unscaled {
		t.unestimated += sign
		return
	}
	t.values.AddValue(p, scale, sign)
	if p.HasDecimalNotional() {
		t.decimals += sign
	}
}

// NetNotional returns the estimated notional of the long positions less that of the short ones, in an asset with these
// decimals. It returns false if no row is open, or if an open row has no estimate.
func (t *GroupTotal) NetNotional(decimals int) (model.Estimate, bool) {
	n := &t.notional
	if t.Open == 0 || n.unestimated > 0 {
		return model.Estimate{}, false
	}
	profit := t.openProfit()
	if profit.LeftOut(decimals) > 0 {
		return model.Estimate{}, false
	}
	sum := n.values.WithProfit(profit)
	places := sum.Places(decimals)
	return model.RoundedNotional(sum.Value(places, decimals), sum.Bound(places, decimals), places, decimals, n.decimals > 0), true
}

// Sizes returns the sums of the sizes of a group of one market, whose sizes have these decimals: of long positions less
// short ones, and of both. It returns false if the group is not of a market, if none of its rows is open, or if a size
// cannot be added.
func (g *Group) Sizes(decimals int) (net, gross model.Amount, ok bool) {
	if g.openSizes == 0 || g.sizes.LeftOut(decimals) > 0 {
		return model.Amount{}, model.Amount{}, false
	}
	return g.sizes.Net(decimals), g.sizes.Gross(decimals), true
}

// notionalScales are the scales of markets, by their codes.
type notionalScales []model.NotionalScale

// of returns the scale of the market with a code.
func (s *notionalScales) of(market uint32, c *sorting.Encoder) *model.NotionalScale {
	for _, id := range c.Markets.Values()[min(len(*s), int(market)+1) : market+1] {
		*s = append(*s, c.Instruments.NotionalScale(id))
	}
	return &(*s)[market]
}
