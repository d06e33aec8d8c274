package analysis

import (
	"cmp"
	"math/big"
	"slices"

	"blotter/model"
)

// exposure is the sum of the estimated notional of long and of short positions.
type exposure struct {
	long, short model.NotionalSum
	unestimated model.Sum   // unrealised PnL of positions whose decimals are not known
	sizes       model.Sizes // of a market
	isDecimal   bool        // one of the numbers is a decimal
}

// estimatedPlaces is how many decimal places an exposure in decimals has at least: see model.MarkAndNotional.
const estimatedPlaces = 8

// addExposure adds an open position, whose numbers can be added, to what is held under a key, and returns that.
func addExposure[K comparable](to map[K]*exposure, of K, p *model.Position, scale int) *exposure {
	e := to[of]
	if e == nil {
		e = new(exposure)
		to[of] = e
	}
	e.isDecimal = e.isDecimal || p.HasDecimalNotional()
	switch {
	case scale == model.Unscaled:
		e.unestimated.Add(p.Number(model.UnrealisedPnl))
	case p.Number(model.OpenVolume).Sign() > 0:
		e.long.AddSigned(p, scale, +1)
	default:
		e.short.AddSigned(p, scale, +1)
	}
	return e
}

// rounded returns the exposure of what is held under an identifier, in an asset with these decimals, in a market whose
// sizes have these decimals.
func (e *exposure) rounded(id model.ID, decimals, sizeDecimals int) Exposure {
	places := max(e.long.Places(decimals), e.short.Places(decimals))
	long, short := e.long.Value(places, decimals), e.short.Value(places, decimals)
	ofLong, ofShort := e.long.Bound(places, decimals), e.short.Bound(places, decimals)
	net, gross, ofBoth := new(big.Int).Add(long, short), new(big.Int).Sub(long, short), new(big.Int).Add(ofLong, ofShort)
	rounded := func(n, bound *big.Int) model.Estimate {
		return model.RoundedNotional(n, bound, places, decimals, e.isDecimal)
	}
	profit := e.unestimated
	profit.AddSum(e.long.Profit())
	profit.AddSum(e.short.Profit())
	return Exposure{
		ID: id, IsEstimated: !e.long.IsEmpty() || !e.short.IsEmpty(), Gross: rounded(gross, ofBoth),
		Net: rounded(net, ofBoth), Long: rounded(long, ofLong), Short: rounded(short, ofShort),
		Profit: profit.Amount(decimals), NetSize: e.sizes.Net(sizeDecimals), GrossSize: e.sizes.Gross(sizeDecimals),
		withoutProfit: profit.LeftOut(decimals),
	}
}

// sumOf returns the sum of exposures in an asset with these decimals, without sizes: those of two markets have
// different units.
func sumOf(all []Exposure, decimals int) (total Exposure) {
	isDecimal := slices.ContainsFunc(all, func(e Exposure) bool { return e.Gross.IsDecimal() || e.Profit.IsDecimal() })
	sum := func(of func(*Exposure) model.Amount) model.Amount {
		n, places := new(big.Int), model.MaxDigits
		for i := range all {
			a := of(&all[i])
			if !isDecimal {
				addTo(n, a)
			} else if value, valuePlaces, ok := a.Value(decimals); ok {
				n.Add(n, value.Mul(value, model.PowerOfTen(places-valuePlaces)))
			}
		}
		if isDecimal {
			return model.DecimalOf(n, places, decimals)
		}
		return model.AmountOfInt(n)
	}
	for i := range all {
		total.IsEstimated = total.IsEstimated || all[i].IsEstimated
		total.withoutProfit += all[i].withoutProfit
	}
	estimate := func(of func(*Exposure) *model.Estimate) model.Estimate {
		return model.Estimate{
			Amount: sum(func(e *Exposure) model.Amount { return of(e).Amount }),
			Bound:  sum(func(e *Exposure) model.Amount { return of(e).Bound }),
		}
	}
	total.Gross = estimate(func(e *Exposure) *model.Estimate { return &e.Gross })
	total.Net = estimate(func(e *Exposure) *model.Estimate { return &e.Net })
	total.Long = estimate(func(e *Exposure) *model.Estimate { return &e.Long })
	total.Short = estimate(func(e *Exposure) *model.Estimate { return &e.Short })
	total.Profit = sum(func(e *Exposure) model.Amount { return e.Profit })
	return total
}

// addTo adds an amount, unless it is not an integer of at most MaxDigits digits.
func addTo(sum *big.Int, a model.Amount) {
	if n, ok := a.Int(); ok {
		sum.Add(sum, n)
	}
}

// exposures returns exposures, that of the largest gross first, then that of the largest unrealised PnL. The asset has
// these decimals, and the sizes of a market those that sizeDecimals returns.
func exposures(of map[model.ID]*exposure, decimals int, sizeDecimals func(model.ID) int) []Exposure {
	var all []Exposure
	for id, e := range of {
		all = append(all, e.rounded(id, decimals, sizeDecimals(id)))
	}
	slices.SortFunc(all, func(a, b Exposure) int {
		if byGross := model.CompareScaled(b.Gross.Amount, decimals, a.Gross.Amount, decimals); byGross != 0 {
			return byGross
		}
		return cmp.Or(model.CompareMagnitudes(b.Profit, a.Profit, decimals), a.ID.Compare(b.ID))
	})
	return all
}
