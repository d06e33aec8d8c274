package model

import (
	"cmp"
	"math/big"
	"slices"
)

// NotionalSum is the exact sum of the estimated notional of positions that settle in one asset: see MarkAndNotional. It
// is rounded once, to the decimals of the asset. Its bound is the sum of their bounds. The zero NotionalSum is 0.
type NotionalSum struct {
	profit Sum           // unrealised
	units  Sum           // of the last digits of unrealised PnL
	scales []int         // of values; apart from these, so that they are found fast
	values []scaledValue // of size × entry price
}

// scaledValue is the value of positions whose size and entry price have a number of decimal places together.
type scaledValue struct {
	sum    Sum      // if both are integers of at most 64 bits: see add
	others *big.Int // of all others; nil is 0
	bounds Sum      // the sizes without their signs: times one unit of the entry price
}

// AddSigned adds a position whose notional can be estimated if sign is +1, and undoes that if it is -1. The scale is
// that of its market: see NotionalScale.
func (s *NotionalSum) AddSigned(p *Position, scale, sign int) {
	s.profit.AddSigned(p.Number(UnrealisedPnl), sign)
	s.AddValue(p, scale, sign)
}

// AddValue does what AddSigned does, without the unrealised PnL: see WithProfit.
func (s *NotionalSum) AddValue(p *Position, scale, sign int) {
	i := slices.Index(s.scales, scale)
	if i < 0 {
		i = len(s.scales)
		s.scales, s.values = append(s.scales, scale), append(s.values, scaledValue{})
	}
	s.values[i].addPosition(p, sign)
	s.units.AddSigned(p.Number(UnrealisedPnl).LastDigit(), sign)
}

// addPosition adds or subtracts a position. With a big.Int for each, BenchmarkSurvey takes 1.5 times as long with
// amounts of 9 digits.
func (v *scaledValue) addPosition(p *Position, sign int) {
	size, isShortSize := p.Number(OpenVolume).Int64()
	entry, isShortEntry := p.Number(AverageEntryPrice).Int64()
	if isShortSize && isShortEntry {
		v.sum.AddProduct(size, entry, sign)
		v.bounds.AddProduct(size, int64(cmp.Compare(size, 0)), sign)
		return
	}
	x, _, _ := p.Number(OpenVolume).Value(0)
	y, _, _ := p.Number(AverageEntryPrice).Value(0)
	if v.others == nil {
		v.others = new(big.Int)
	}
	v.bounds.AddSigned(AmountOfInt(new(big.Int).Abs(x)), sign)
	x.Mul(x, y)
	if sign < 0 {
		x.Neg(x)
	}
	v.others.Add(v.others, x)
}

// IsEmpty reports whether no position was added.
func (s *NotionalSum) IsEmpty() bool { return len(s.scales) == 0 }

// WithProfit returns the sum with another sum of the unrealised PnL.
func (s NotionalSum) WithProfit(profit Sum) NotionalSum {
	s.profit = profit
	return s
}

// Profit returns the sum of the unrealised PnL.
func (s *NotionalSum) Profit() Sum { return s.profit }

// Places returns the fewest decimal places with which the sum is an integer, in an asset with these decimals.
func (s *NotionalSum) Places(decimals int) int {
	places := max(decimals, 0)
	for _, scale := range s.scales {
		places = max(places, scale)
	}
	if s.profit.HasDecimals() || s.units.HasDecimals() {
		places = max(places, SumPlaces)
	}
	return places
}

// Bound returns the sum of the bounds, with the units of Value.
func (s *NotionalSum) Bound(places, decimals int) *big.Int {
	bound := s.units.Value(decimals, places)
	for i, scale := range s.scales {
		sizes := s.values[i].bounds.Value(0, 0)
		bound.Add(bound, sizes.Mul(sizes, PowerOfTen(places-scale)))
	}
	return bound
}

// Value returns the sum in units of 10^-places, in an asset with these decimals. The places must be at least Places.
func (s *NotionalSum) Value(places, decimals int) *big.Int {
	sum := s.profit.Value(decimals, places)
	for i, scale := range s.scales {
		value, _ := s.values[i].sum.Amount(Unscaled).Int()
		if others := s.values[i].others; others != nil {
			value.Add(value, others)
		}
		sum.Add(sum, value.Mul(value, PowerOfTen(places-scale)))
	}
	return sum
}

// RoundedNotional returns a notional and its bound, both in units of 10^-places, rounded to the decimals of the asset.
// If a number of the positions is a decimal, so is the notional.
func RoundedNotional(n, bound *big.Int, places, decimals int, isDecimal bool) Estimate {
	to := max(decimals, MinDecimals)
	if isDecimal {
		to = max(decimals, estimatedPlaces)
	}
	rounded := func(n *big.Int) *big.Int { return QuoPlaces(n, places, big.NewInt(1), 0, to) }
	value, by := rounded(n), rounded(bound)
	by.Add(by, big.NewInt(1))
	if isDecimal {
		return Estimate{DecimalOf(value, to, decimals), DecimalOf(by, to, decimals)}
	}
	return Estimate{AmountOfInt(value), AmountOfInt(by)}
}

// NotionalScale is how many decimal places the numbers of a market have.
type NotionalScale struct {
	size, price, asset int
	hasAll             bool // none is Unscaled
	isNotLinear        bool
}

// NotionalScale returns the scale of a market.
func (in *Instruments) NotionalScale(market ID) NotionalScale {
	m := in.Market(market)
	return NotionalScale{m.SizeDecimals, m.PriceDecimals, in.Asset(m.Asset).Decimals, in.HasDecimals(market), m.IsNotLinear}
}

// Of returns how many decimal places the size and the entry price of a position have together; Unscaled if a number
// needs decimals that are not known, and if the market is not linear.
func (s *NotionalScale) Of(p *Position) int {
	if s.isNotLinear {
		return Unscaled
	}
	if s.hasAll {
		return p.Number(OpenVolume).Places(s.size) + p.Number(AverageEntryPrice).Places(s.price)
	}
	_, size, hasSize := p.Number(OpenVolume).Value(s.size)
	_, entry, hasEntry := p.Number(AverageEntryPrice).Value(s.price)
	_, _, hasProfit := p.Number(UnrealisedPnl).Value(s.asset)
	hasUnit := s.asset != Unscaled || p.HasDecimalNotional() // of the notional: a profit of 0 needs none
	if !hasSize || !hasEntry || !hasProfit || !hasUnit {
		return Unscaled
	}
	return size + entry
}

// HasAddableNotional reports whether the numbers of a position can be added to a NotionalSum.
func (p *Position) HasAddableNotional() bool {
	return p.Number(OpenVolume).IsAddable() && p.Number(AverageEntryPrice).IsAddable() && p.Number(UnrealisedPnl).IsAddable()
}

// HasDecimalNotional reports whether a number that the notional of a position is estimated from is a decimal.
func (p *Position) HasDecimalNotional() bool {
	return p.Number(OpenVolume).IsDecimal() || p.Number(AverageEntryPrice).IsDecimal() || p.Number(UnrealisedPnl).IsDecimal()
}

// Sizes are the sums of the sizes of positions in one market.
type Sizes struct{ long, short Sum }

// AddSigned adds a size if sign is +1, and undoes that if it is -1.
func (s *Sizes) AddSigned(size Amount, sign int) {
	if size.Sign() > 0 {
		s.long.AddSigned(size, sign)
	} else {
		s.short.AddSigned(size, sign)
	}
}

// Net returns the sum of the sizes, in a market with these decimals of sizes.
func (s *Sizes) Net(decimals int) Amount {
	net := s.long
	net.AddSum(s.short)
	return net.Amount(decimals)
}

// Gross returns the sum of the magnitudes of the sizes.
func (s *Sizes) Gross(decimals int) Amount {
	gross := s.long
	gross.SubtractSum(s.short)
	return gross.Amount(decimals)
}

// LeftOut returns how many sizes are in no sum: see Sum.
func (s *Sizes) LeftOut(decimals int) int {
	if n := s.long.LeftOut(decimals) + s.short.LeftOut(decimals); n > 0 {
		return n
	}
	gross := s.long
	gross.SubtractSum(s.short)
	return gross.LeftOut(decimals)
}
