package layout

import (
	"cmp"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// putProfit appends a name and an amount that has the unrealised PnL of a total in it.
func (f *Bars) putProfit(to *headlinePart, name string, a model.Amount, total *view.Total) {
	to.put(f.Styles.Dim, name)
	to.put(f.Styles.Profit(a.Sign()), f.profit(total, a))
}

// profit formats an amount that has the unrealised PnL of a total, or of a part of its positions, in it.
func (f *Bars) profit(total *view.Total, a model.Amount) string {
	return cmp.Or(f.Store.Surveys().Profit(f.Store.Format(), a, total.Asset), unknown)
}

func (f *Bars) loss(worst *model.Position, asset model.ID) string {
	write, profit := f.Store.Format(), worst.Number(model.UnrealisedPnl)
	if write.Shift() != nil {
		return cmp.Or(write.NumberOf(profit, worst, model.UnrealisedPnl, true).Marked(format.RawMark), unknown)
	}
	return write.RoundedAmount(profit, asset, true)
}
