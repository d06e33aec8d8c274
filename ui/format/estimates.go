package format

import (
	"blotter/model"
	"blotter/ui/draw"
)

// Estimates formats the mark price and the notional of a position for a table; both are empty if nothing can be
// estimated.
func (f *Formatter) Estimates(p *model.Position) (mark, notional draw.Cell) {
	price, value, ok := model.Estimate(p, f.instruments)
	if !ok {
		return draw.Cell{}, draw.Cell{}
	}
	mark = PriceOrSize(price, f.instruments.Decimals(model.AverageEntryPrice, p.Market), false)
	return mark, f.Amount(value, f.instruments.Market(p.Market).Asset, true)
}

// ExactEstimates formats the same with every digit.
func (f *Formatter) ExactEstimates(p *model.Position) (mark, notional string) {
	price, value, ok := model.Estimate(p, f.instruments)
	if !ok {
		return "", ""
	}
	mark = Exact(price, f.instruments.Decimals(model.AverageEntryPrice, p.Market), false)
	return mark, f.ExactAmount(value, f.instruments.Market(p.Market).Asset, true)
}
