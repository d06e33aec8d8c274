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

// notionalScales are the scales of markets, by their codes.
type notionalScales []model.NotionalScale

// of returns the scale of the market with a code.
func (s *notionalScales) of(market uint32, c *sorting.Encoder) *model.NotionalScale {
	for _, id := range c.Markets.Values()[min(len(*s), int(market)+1) : market+1] {
		*s = append(*s, c.Instruments.NotionalScale(id))
	}
	return &(*s)[market]
}
