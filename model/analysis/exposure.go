package analysis

import (
	"cmp"
	"math/big"
	"slices"

	"blotter/model"
)

// exposure is the sum of the estimated notional of long and of short positions: see Estimate. It is exact until it is
// rounded once, to the decimals of the asset.
type exposure struct {
	long, short exposureSum
	unestimated model.Sum // unrealised PnL of positions whose decimals are not known
	sizes       sizes     // of a market
	isDecimal   bool      // one of the numbers is a decimal
}

// sizes are sums of sizes in the decimals of one market.
type sizes struct{ long, short model.Sum }

func (s *sizes) add(size model.Amount) {
	if size.Sign() > 0 {
		s.long.Add(size)
	} else {
		s.short.Add(size)
	}
}

// exposureSum is an exact sum, of the markets of each scale by themselves.
type exposureSum []scaledExposure

// scaledExposure is the exposure in positions whose size and entry price have this many decimal places together.
type scaledExposure struct {
	scale  int
	value  model.Sum // of size × entry price, if both are integers of at most 64 bits: see add
	others *big.Int  // of all others; nil is 0
	profit model.Sum // unrealised
}

// estimatedPlaces is how many decimal places an exposure in decimals has at least: see model.Estimate.
const estimatedPlaces = 8

// addExposure adds an open position, whose numbers can be added, to what is held under an identifier, and returns that.
func addExposure(to map[model.ID]*exposure, id model.ID, p *model.Position, scale int) *exposure {
	e := to[id]
	if e == nil {
		e = new(exposure)
		to[id] = e
	}
	for f := range model.UnrealisedPnl + 1 {
		e.isDecimal = e.isDecimal || p.Number(f).IsDecimal()
	}
	switch {
	case scale == model.Unscaled:
		e.unestimated.Add(p.Number(model.UnrealisedPnl))
	case p.Number(model.OpenVolume).Sign() > 0:
		e.long.add(p, scale)
	default:
		e.short.add(p, scale)
	}
	return e
}

func (e *exposureSum) add(p *model.Position, scale int) {
	i := slices.IndexFunc(*e, func(s scaledExposure) bool { return s.scale == scale })
	if i < 0 {
		i = len(*e)
		*e = append(*e, scaledExposure{scale: scale})
	}
	(*e)[i].add(p)
}

// add adds a position. With a big.Int for each, BenchmarkSurvey takes 1.5 times as long with amounts of 9 digits.
func (s *scaledExposure) add(p *model.Position) {
	s.profit.Add(p.Number(model.UnrealisedPnl))
	size, isShortSize := p.Number(model.OpenVolume).Int64()
	entry, isShortEntry := p.Number(model.AverageEntryPrice).Int64()
	if isShortSize && isShortEntry {
		s.value.AddProduct(size, entry)
		return
	}
	x, _, _ := p.Number(model.OpenVolume).Value(0)
	y, _, _ := p.Number(model.AverageEntryPrice).Value(0)
	if s.others == nil {
		s.others = new(big.Int)
	}
	s.others.Add(s.others, x.Mul(x, y))
}

// places returns the fewest decimal places with which the sum is an integer, in an asset with these decimals.
func (e exposureSum) places(decimals int) int {
	places := max(decimals, 0)
	for i := range e {
		if places = max(places, e[i].scale); e[i].profit.HasDecimals() {
			places = max(places, model.SumPlaces)
		}
	}
	return places
}

// sum returns the sum in units of 10^-places, in an asset with these decimals.
func (e exposureSum) sum(places, decimals int) *big.Int {
	sum := new(big.Int)
	for i := range e {
		s := &e[i]
		value, _ := s.value.Amount(model.Unscaled).Int()
		if s.others != nil {
			value.Add(value, s.others)
		}
		value.Mul(value, model.PowerOfTen(places-s.scale))
		sum.Add(sum, value).Add(sum, s.profit.Value(decimals, places))
	}
	return sum
}

// rounded returns the exposure of what is held under an identifier, in an asset with these decimals, in a market whose
// sizes have these decimals.
func (e *exposure) rounded(id model.ID, decimals, sizeDecimals int) Exposure {
	places := max(e.long.places(decimals), e.short.places(decimals))
	long, short := e.long.sum(places, decimals), e.short.sum(places, decimals)
	net, gross := new(big.Int).Add(long, short), new(big.Int).Sub(long, short)
	rounded := func(n *big.Int) model.Amount {
		if e.isDecimal {
			to := max(decimals, estimatedPlaces)
			return model.DecimalOf(model.QuoPlaces(n, places, big.NewInt(1), 0, to), to, decimals)
		}
		return model.AmountOfInt(model.QuoPlaces(n, places, big.NewInt(1), 0, max(decimals, model.MinDecimals)))
	}
	profit := e.unestimated
	for _, each := range slices.Concat(e.long, e.short) {
		profit.AddSum(each.profit)
	}
	netSize, grossSize := e.sizes.long, e.sizes.long
	netSize.AddSum(e.sizes.short)
	grossSize.SubtractSum(e.sizes.short)
	return Exposure{
		ID: id, IsEstimated: len(e.long)+len(e.short) > 0, Gross: rounded(gross), Net: rounded(net), Long: rounded(long), Short: rounded(short),
		Profit: profit.Amount(decimals), NetSize: netSize.Amount(sizeDecimals), GrossSize: grossSize.Amount(sizeDecimals),
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
	total.Gross = sum(func(e *Exposure) model.Amount { return e.Gross })
	total.Net = sum(func(e *Exposure) model.Amount { return e.Net })
	total.Long = sum(func(e *Exposure) model.Amount { return e.Long })
	total.Short = sum(func(e *Exposure) model.Amount { return e.Short })
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
		if byGross := model.CompareScaled(b.Gross, decimals, a.Gross, decimals); byGross != 0 {
			return byGross
		}
		return cmp.Or(model.CompareMagnitudes(b.Profit, a.Profit, decimals), a.ID.Compare(b.ID))
	})
	return all
}
