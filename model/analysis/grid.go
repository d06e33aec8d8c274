package analysis

import (
	"math/big"

	"blotter/model"
	"blotter/model/view"
)

// ShiftCount is how many changes of all mark prices a survey has a grid of.
const ShiftCount = 7

// Shifts returns these changes, in percent.
func Shifts() [ShiftCount]int64 { return [...]int64{-10, -5, -2, 0, 2, 5, 10} }

// Grid has how many positions are at a limit of the margin ratio or beyond it, at each change of all mark prices. Only
// the Rated positions are counted: those with a margin ratio that is of one moment or an estimate, and an estimate of
// their notional. Their maintenance margin is kept as it is.
type Grid struct {
	Beyond [model.RatioLimitCount][ShiftCount]int
	Rated  int
}

// At returns the unrealised PnL of the exposure, in an asset with these decimals, if all mark prices change by a
// percentage: it changes by the same percentage of the net notional.
func (e *Exposure) At(percent int64, decimals int) model.Estimate {
	one := model.AmountOf(1)
	if e.isDecimal() {
		one = model.DecimalOf(big.NewInt(1), estimatedPlaces, decimals)
	}
	return model.Estimate{
		Amount: e.at(percent, e.Profit, e.Net.Amount, decimals),
		Bound:  e.at(max(percent, -percent), one, e.Net.Bound, decimals),
	}
}

// isDecimal reports whether what follows from the exposure is a decimal.
func (e *Exposure) isDecimal() bool { return e.Profit.IsDecimal() || e.Net.IsDecimal() }

// at returns an amount and a percentage of a notional together.
func (e *Exposure) at(percent int64, of, notional model.Amount, decimals int) model.Amount {
	sum, value, places, ok := model.Aligned(of, notional, decimals)
	if !ok {
		return of
	}
	if e.isDecimal() {
		more := model.PowerOfTen(max(estimatedPlaces-places, 0))
		sum.Mul(sum, more)
		value.Mul(value, more)
		places = max(places, estimatedPlaces)
	}
	sum.Add(sum, model.QuoRounded(value.Mul(value, big.NewInt(percent)), big.NewInt(100)))
	if e.isDecimal() {
		return model.DecimalOf(sum, places, decimals)
	}
	return model.AmountOfInt(sum)
}

// addPosition counts an open position of a view with a margin record.
func (g *Grid) addPosition(p *model.Position, v *view.View) {
	r, ok := v.Margins().Ratio(p)
	if !ok || r.HasEnded() && !r.IsEstimate {
		return
	}
	_, notional, ok := model.MarkAndNotional(p, v.Instruments())
	if !ok {
		return
	}
	if g.addShort(r, notional.Amount) {
		g.Rated++
		return
	}
	decimals := v.Instruments().Decimals(model.UnrealisedPnl, p.Market)
	profit, value, places, ok := model.Aligned(r.Profit, notional.Amount, decimals)
	maintenance, maintenancePlaces, isMaintenance := r.Maintenance.Value(decimals)
	if !ok || places == model.Unscaled || !isMaintenance {
		return
	}
	common := max(places, maintenancePlaces)
	for _, n := range []*big.Int{profit, value} {
		n.Mul(n, model.PowerOfTen(common-places))
	}
	maintenance.Mul(maintenance, model.PowerOfTen(common-maintenancePlaces))
	hundred := big.NewInt(100)
	profit.Mul(profit, hundred)
	maintenance.Mul(maintenance, hundred)
	g.Rated++
	lost, factor := new(big.Int), new(big.Int) // for all products: there are many
	g.count(func(part, percent int64) bool {
		lost.Mul(value, factor.SetInt64(percent)).Add(lost, profit)
		lost.Mul(lost, factor.SetInt64(part)).Add(lost, maintenance)
		return lost.Sign() <= 0
	})
}

// addShort counts a position whose amounts are integers of which 128 bits can represent the products below, without a
// big.Int for each. It reports false for others.
func (g *Grid) addShort(r model.MarginRatio, notional model.Amount) bool {
	profit, isProfit := r.Profit.Packed().Times(100)
	maintenance, isMaintenance := r.Maintenance.Packed().Times(100)
	if !isProfit || !isMaintenance {
		return false
	}
	counted, isShort := *g, true
	counted.count(func(part, percent int64) bool {
		change, isChange := notional.Packed().Times(percent)
		lost, isLost := change.Plus(profit).Times(part)
		isShort = isShort && isChange && isLost
		return isShort && lost.Plus(maintenance).Amount().Sign() <= 0
	})
	if isShort {
		*g = counted
	}
	return isShort
}

// count counts a position for each limit and change at which it is beyond: profit + notional × change is at most the
// limit × the maintenance margin, which is -maintenance margin ÷ part.
func (g *Grid) count(isBeyond func(part, percent int64) bool) {
	for limit := range model.RatioLimitCount {
		for i, percent := range Shifts() {
			if isBeyond(limit.Part(), percent) {
				g.Beyond[limit][i]++
			}
		}
	}
}
