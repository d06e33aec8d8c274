package format

import (
	"blotter/model"
	"blotter/ui/table"
)

// Estimates formats the mark price and the notional of a position for a table; both are empty if nothing can be
// estimated.
func (f *Formatter) Estimates(p *model.Position) (mark, notional table.Cell) {
	price, value, ok := model.Estimate(p, f.instruments)
	if !ok {
		return table.Cell{}, table.Cell{}
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
