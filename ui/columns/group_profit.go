package columns

import (
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
)

// profitCell formats a sum that has the unrealised PnL of the group in it.
func (h *Heading) profitCell(a model.Amount, total *view.GroupTotal) draw.Cell {
	return h.Profit(a, total).Styled(h.Styles.Profit(a.Sign()))
}

// Profit formats a sum that has the unrealised PnL of the group in it: an empty cell if it is not known.
func (h *Heading) Profit(a model.Amount, total *view.GroupTotal) draw.Cell {
	notional, ok := total.NetNotional(h.Format.Decimals(total.Asset))
	if h.Format.Shift() != nil && total.Open > 0 && !ok {
		return draw.Cell{}
	}
	return h.Format.ProfitSum(a, notional, total.Rows, h.market(), total.Asset)
}

// Ratio returns the margin ratio of the group, and false if it is not known.
func (h *Heading) Ratio(total *view.GroupTotal) (model.MarginRatio, bool) {
	decimals := h.Format.Decimals(total.Asset)
	ratio, ok := total.MarginRatio(decimals)
	if !ok || h.Format.Shift() == nil {
		return ratio, ok
	}
	notional, ok := total.NetNotional(decimals)
	profit := h.Format.Shift().ProfitOf(ratio.Profit, notional, total.Rows, h.market(), decimals)
	return ratio, ok && ratio.IsKnown(profit.Bound, decimals)
}

// market returns the market of the group; zero if it is not of one market.
func (h *Heading) market() model.ID {
	if h.By == view.GroupByMarket {
		return h.ID
	}
	return model.ID{}
}
