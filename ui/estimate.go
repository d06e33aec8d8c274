package ui

import "blotter/model"

// estimates are the mark price and the value of a position in words, empty where nothing can be estimated.
func (m *Model) estimates(p *model.Position) (mark, notional string) {
	in := m.data.instruments
	price, value, ok := model.Estimate(p, in)
	if !ok {
		return "", ""
	}
	mark = amount(price, in.Decimals(model.AverageEntryPrice, p.Market), false)
	notional = amount(value, in.Decimals(model.UnrealisedPnl, p.Market), false)
	return mark, notional
}
