package ui

import "blotter/model"

// estimates are the mark price and the notional value of a position in words, empty where nothing can be estimated.
func (m *Model) estimates(p *model.Position) (mark, notional string) {
	in := m.data.instruments
	if a, ok := estimatedMark(p, in); ok {
		mark = amount(a, in.Decimals(model.AverageEntryPrice, p.Market), false)
	}
	if a, ok := estimatedNotional(p, in); ok {
		notional = amount(a, in.Decimals(model.UnrealisedPnl, p.Market), true)
	}
	return mark, notional
}

func estimatedMark(*model.Position, *model.Instruments) (model.Amount, bool) {
	return model.Amount{}, false
}
func estimatedNotional(*model.Position, *model.Instruments) (model.Amount, bool) {
	return model.Amount{}, false
}
