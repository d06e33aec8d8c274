package ui

import "blotter/model"

// estimates are the mark price and the value of a position in words, empty where nothing can be estimated.
func (m *Model) estimates(p *model.Position) (mark, notional string) {
	in := m.data.instruments
	if a, ok := model.EstimatedMark(p, in); ok {
		mark = amount(a, in.Decimals(model.AverageEntryPrice, p.Market), false)
	}
	if a, ok := model.EstimatedNotional(p, in); ok {
		notional = amount(a, in.Decimals(model.UnrealisedPnl, p.Market), false)
	}
	return mark, notional
}
