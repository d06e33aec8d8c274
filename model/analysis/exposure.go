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

// scaledExposure is the exposure in markets whose sizes and prices have this many decimals together.
type scaledExposure struct {
	scale  int
	value  model.Sum // of size × entry price, if both have at most 64 bits: see add
	others *big.Int  // of all others; nil is 0
	profit model.Sum // unrealised
}

// addExposure adds an open position, whose numbers are integers, to what is held under an identifier, and returns that.
func addExposure(to map[model.ID]*exposure, id model.ID, p *model.Position, scale int) *exposure {
	e := to[id]
	if e == nil {
		e = new(exposure)
		to[id] = e
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
	x, _ := p.Number(model.OpenVolume).Int()
	y, _ := p.Number(model.AverageEntryPrice).Int()
	if s.others == nil {
		s.others = new(big.Int)
	}
	s.others.Add(s.others, x.Mul(x, y))
}

// scale returns the least scale in which the sum is an integer in units of 10^-(scale + decimals of the asset).
func (e exposureSum) scale(decimals int) int {
	scale := 0
	for i := range e {
		scale = max(scale, e[i].scale, e[i].scale-decimals)
	}
	return scale
}

// sum returns the sum in units of 10^-(scale + decimals of the asset). The scale must not be less than that of e.
func (e exposureSum) sum(scale, decimals int) *big.Int {
	sum, unit := new(big.Int), model.PowerOfTen(scale)
	for i := range e {
		s := &e[i]
		value, _ := s.value.Amount().Int()
		if s.others != nil {
			value.Add(value, s.others)
		}
		value.Mul(value, model.PowerOfTen(decimals+scale-s.scale))
		profit, _ := s.profit.Amount().Int()
		sum.Add(sum, value).Add(sum, profit.Mul(profit, unit))
	}
	return sum
}

// rounded returns the exposure of what is held under an identifier, in an asset with the given number of decimals.
func (e *exposure) rounded(id model.ID, decimals int) Exposure {
	scale := max(e.long.scale(decimals), e.short.scale(decimals))
	long, short := e.long.sum(scale, decimals), e.short.sum(scale, decimals)
	net, gross := new(big.Int).Add(long, short), new(big.Int).Sub(long, short)
	rounded := func(n *big.Int) model.Amount { return model.AmountOfInt(model.QuoRounded(n, model.PowerOfTen(scale))) }
	profit, _ := e.unestimated.Amount().Int()
	for _, each := range slices.Concat(e.long, e.short) {
		addTo(profit, each.profit.Amount())
	}
	longSize, _ := e.sizes.long.Amount().Int()
	shortSize, _ := e.sizes.short.Amount().Int()
	return Exposure{
		ID: id, IsEstimated: len(e.long)+len(e.short) > 0, Gross: rounded(gross), Net: rounded(net), Long: rounded(long), Short: rounded(short), Profit: model.AmountOfInt(profit),
		NetSize: model.AmountOfInt(new(big.Int).Add(longSize, shortSize)), GrossSize: model.AmountOfInt(longSize.Sub(longSize, shortSize)),
	}
}

// addTo adds an amount, unless it is not an integer of at most MaxDigits digits.
func addTo(sum *big.Int, a model.Amount) {
	if n, ok := a.Int(); ok {
		sum.Add(sum, n)
	}
}

// sumOf returns the sum of exposures, without sizes: those of two markets have different units.
func sumOf(all []Exposure) Exposure {
	sum := func(of func(*Exposure) model.Amount) model.Amount {
		n := new(big.Int)
		for i := range all {
			addTo(n, of(&all[i]))
		}
		return model.AmountOfInt(n)
	}
	return Exposure{
		IsEstimated: slices.ContainsFunc(all, func(e Exposure) bool { return e.IsEstimated }),

		Gross:  sum(func(e *Exposure) model.Amount { return e.Gross }),
		Net:    sum(func(e *Exposure) model.Amount { return e.Net }),
		Long:   sum(func(e *Exposure) model.Amount { return e.Long }),
		Short:  sum(func(e *Exposure) model.Amount { return e.Short }),
		Profit: sum(func(e *Exposure) model.Amount { return e.Profit }),
	}
}

// exposures returns exposures, that of the largest gross first, then that of the largest unrealised PnL.
func exposures(of map[model.ID]*exposure, decimals int) []Exposure {
	var all []Exposure
	for id, e := range of {
		all = append(all, e.rounded(id, decimals))
	}
	slices.SortFunc(all, func(a, b Exposure) int {
		if byGross := b.Gross.Compare(a.Gross); byGross != 0 {
			return byGross
		}
		ofA, _ := a.Profit.Int()
		ofB, _ := b.Profit.Int()
		return cmp.Or(ofB.CmpAbs(ofA), a.ID.Compare(b.ID))
	})
	return all
}
