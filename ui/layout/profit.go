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

// profit formats an amount that has the unrealised PnL of a total, or of a part of its positions, in it. At other mark
// prices it is an estimate, whose bound is known from the latest survey.
func (f *Bars) profit(total *view.Total, a model.Amount) string {
	write := f.Store.Format()
	if write.Shift() == nil {
		return write.RoundedAmount(a, total.Asset, true)
	}
	if latest, _ := f.Store.Surveys().Latest(); latest != nil && latest.Asset(total.Asset) != nil {
		of := &latest.Asset(total.Asset).Total
		if text := write.ProfitSum(a, of.Gross, total.Rows, model.ID{}, total.Asset).Marked(format.RawMark); text != "" {
			return text
		}
	}
	return unknown
}

// loss formats the unrealised PnL of the worst position.
func (f *Bars) loss(worst *model.Position, asset model.ID) string {
	write, profit := f.Store.Format(), worst.Number(model.UnrealisedPnl)
	if write.Shift() != nil {
		return cmp.Or(write.NumberOf(profit, worst, model.UnrealisedPnl, true).Marked(format.RawMark), unknown)
	}
	return write.RoundedAmount(profit, asset, true)
}
