package model

import (
	"math/big"
	"math/bits"
)

// Percent returns a / b in percent with one decimal, rounded half away from zero, with its sign: "-37.4%". Both amounts
// are of one asset with these decimals, which may be Unscaled. It returns false if b is 0, if an amount is no number,
// if only one of them is a decimal and the decimals are not known, and if the result has more than MaxDigits digits.
func Percent(a, b Amount, decimals int) (string, bool) {
	n, ok := permille(a, b, decimals)
	if !ok {
		return "", false
	}
	return n.Scaled(1, true) + "%", true
}

// permille returns a / b in thousandths, rounded half away from zero, with the same conditions.
func permille(a, b Amount, decimals int) (Amount, bool) {
	if divisor, isShort := b.Int64(); isShort && divisor != 0 {
		if n, ok := a.Packed().Times(1000); ok {
			return n.QuoRounded(divisor).Amount(), true
		}
	}
	x, y, _, ok := Aligned(a, b, decimals)
	if !ok || y.Sign() == 0 {
		return Amount{}, false
	}
	n := AmountOfInt(QuoRounded(x.Mul(x, big.NewInt(1000)), y))
	return n, n.IsNumber()
}

// QuoRounded returns x / y, rounded half away from zero. It may change x and y.
func QuoRounded(x, y *big.Int) *big.Int {
	negative := x.Sign()*y.Sign() < 0
	x.Abs(x)
	y.Abs(y)
	// x / y + 1/2, rounded down
	x.Lsh(x, 1).Add(x, y)
	y.Lsh(y, 1)
	x.Quo(x, y)
	if negative {
		x.Neg(x)
	}
	return x
}

// The service sends neither the mark price nor the notional value of a position. Both follow from
//
//	unrealised PnL = size × (mark price − entry price)
//
// except for the service's rounding. So they are estimates, and are shown as such.

// MarkAndNotional returns two estimates. The mark price is implied by the unrealised PnL of a position, in the price
// decimals of its market. The notional is the size at that price, negative for a short position, in the decimals of the
// market's settlement asset. Both are rounded half away from zero. MarkAndNotional returns false if the position is
// closed, if its market is not linear, if decimals are not known that integers need, or if a number is not one.
//
// If one of the three numbers is a decimal, both estimates are decimals: see estimateDecimals.
func MarkAndNotional(p *Position, in *Instruments) (mark, notional Estimate, ok bool) {
	if !in.IsLinear(p.Market) {
		return Estimate{}, Estimate{}, false
	}
	size, entry, profit := p.Number(OpenVolume), p.Number(AverageEntryPrice), p.Number(UnrealisedPnl)
	if size.IsDecimal() || entry.IsDecimal() || profit.IsDecimal() {
		return estimateDecimals(p, in)
	}
	if !in.HasDecimals(p.Market) {
		return Estimate{}, Estimate{}, false
	}
	market := in.Market(p.Market)
	assetDecimals := in.Asset(market.Asset).Decimals
	v := valueAtMark{size, entry, profit, assetDecimals - market.SizeDecimals - market.PriceDecimals}
	if mark, notional, ok := v.estimate128(); ok {
		return mark, notional, true
	}
	return v.estimate()
}

// estimatedPlaces is how many decimal places the estimates from decimals have at least, before zeros are left out. A
// service that writes decimals may write few of them, or leave out zeros at the end: they do not show its precision.
const estimatedPlaces = 8

// placesOfEstimate returns how many decimal places an estimate has, from those of the number that was sent and the
// decimals of the configuration. These are 0 if a service leaves out the point of whole numbers.
func placesOfEstimate(sent, decimals int) int {
	if decimals > 0 {
		return max(sent, decimals)
	}
	return max(sent, estimatedPlaces)
}

// estimateDecimals does what MarkAndNotional does, with decimals.
func estimateDecimals(p *Position, in *Instruments) (mark, notional Estimate, ok bool) {
	ofPrice, ofAsset := in.Decimals(AverageEntryPrice, p.Market), in.Decimals(UnrealisedPnl, p.Market)
	size, sizePlaces, isSize := p.Number(OpenVolume).Value(in.Decimals(OpenVolume, p.Market))
	entry, entryPlaces, isEntry := p.Number(AverageEntryPrice).Value(ofPrice)
	profit, profitPlaces, isProfit := p.Number(UnrealisedPnl).Value(ofAsset)
	if !isSize || !isEntry || !isProfit || size.Sign() == 0 {
		return Estimate{}, Estimate{}, false
	}
	markPlaces, notionalPlaces := placesOfEstimate(entryPlaces, ofPrice), placesOfEstimate(profitPlaces, ofAsset)
	value := entry.Mul(entry, size)
	places := max(sizePlaces+entryPlaces, profitPlaces)
	value.Mul(value, PowerOfTen(places-sizePlaces-entryPlaces))
	value.Add(value, profit.Mul(profit, PowerOfTen(places-profitPlaces)))
	ofEntry, ofProfit := p.Number(AverageEntryPrice).unitPlaces(ofPrice), p.Number(UnrealisedPnl).unitPlaces(ofAsset)
	wrongPlaces := max(sizePlaces+ofEntry, ofProfit)
	wrong := new(big.Int).Abs(size)
	wrong.Mul(wrong, PowerOfTen(wrongPlaces-sizePlaces-ofEntry)).Add(wrong, PowerOfTen(wrongPlaces-ofProfit))
	estimate := func(of *big.Int, ofPlaces, to, decimals int) Estimate {
		bound := QuoPlaces(wrong, wrongPlaces, new(big.Int).Abs(of), ofPlaces, to)
		rounded := QuoPlaces(value, places, of, ofPlaces, to)
		return Estimate{DecimalOf(rounded, to, decimals), DecimalOf(bound.Add(bound, big.NewInt(1)), to, decimals)}
	}
	mark = estimate(size, sizePlaces, markPlaces, ofPrice)
	notional = estimate(big.NewInt(1), 0, notionalPlaces, ofAsset)
	return mark, notional, mark.areNumbers() && notional.areNumbers()
}

func (e Estimate) areNumbers() bool { return e.IsNumber() && e.Bound.IsNumber() }

// QuoPlaces returns (x / 10^xPlaces) / (y / 10^yPlaces) in units of 10^-places, rounded half away from zero.
func QuoPlaces(x *big.Int, xPlaces int, y *big.Int, yPlaces, places int) *big.Int {
	if by := places + yPlaces - xPlaces; by > 0 {
		x, y = new(big.Int).Mul(x, PowerOfTen(by)), new(big.Int).Set(y)
	} else {
		x, y = new(big.Int).Set(x), new(big.Int).Mul(y, PowerOfTen(-by))
	}
	return QuoRounded(x, y)
}

// valueAtMark is the exact value of a position at its mark price, size × entry price + unrealised PnL. It is counted in
// units of size × price or, if the asset has more decimals, in units of the asset: then shift is how many more, and
// else it is negative or 0.
type valueAtMark struct {
	size, entry, profit Amount
	shift               int
}

// estimate128 does what estimate does, in 128 bits and more than ten times as fast. It returns false if a number has
// more bits, if the position is closed, and if a number is a text.
func (v *valueAtMark) estimate128() (mark, notional Estimate, ok bool) {
	sizeFactor, ok := powerOfTen64(max(v.shift, 0))
	assetUnit, ok2 := powerOfTen64(max(-v.shift, 0))
	if !ok || !ok2 {
		return Estimate{}, Estimate{}, false
	}
	size, isSize := v.size.Packed().Times(sizeFactor)
	priceUnit, isUnit := size.Amount().Int64()
	entry, isEntry := v.entry.Packed().Times(priceUnit)
	profit, isProfit := v.profit.Packed().Times(assetUnit)
	if !isSize || !isUnit || priceUnit == 0 || !isEntry || !isProfit {
		return Estimate{}, Estimate{}, false
	}
	value := entry.Plus(profit)
	wrong := signed(0, magnitude64(priceUnit), false).Plus(AmountOf(assetUnit).Packed())
	one := AmountOf(1).Packed()
	mark = Estimate{value.QuoRounded(priceUnit).Amount(), absolute(wrong.QuoRounded(priceUnit)).Plus(one).Amount()}
	notional = Estimate{value.QuoRounded(assetUnit).Amount(), wrong.QuoRounded(assetUnit).Plus(one).Amount()}
	return mark, notional, true
}

// absolute returns an integer without its sign.
func absolute(p Packed) Packed {
	high, low := p.Magnitude()
	return signed(high, low, false)
}

// estimate returns the estimates, and false if the position is closed or a number, also an estimate, is not an integer
// of at most MaxDigits digits.
func (v *valueAtMark) estimate() (mark, notional Estimate, ok bool) {
	size, isSize := v.size.Int()
	entry, isEntry := v.entry.Int()
	profit, isProfit := v.profit.Int()
	if !isSize || !isEntry || !isProfit || size.Sign() == 0 {
		return Estimate{}, Estimate{}, false
	}
	priceUnit := size.Mul(size, PowerOfTen(max(v.shift, 0))) // the value of one unit of the price
	assetUnit := PowerOfTen(max(-v.shift, 0))                // the value of one unit of the asset
	value := entry.Mul(entry, priceUnit)
	value.Add(value, profit.Mul(profit, assetUnit))
	wrong := new(big.Int).Abs(priceUnit)
	wrong.Add(wrong, assetUnit)
	in := func(unit *big.Int) Estimate {
		bound := QuoPlaces(wrong, 0, new(big.Int).Abs(unit), 0, 0)
		return Estimate{AmountOfInt(QuoPlaces(value, 0, unit, 0, 0)), AmountOfInt(bound.Add(bound, big.NewInt(1)))}
	}
	mark, notional = in(priceUnit), in(assetUnit)
	return mark, notional, mark.areNumbers() && notional.areNumbers()
}

// PowerOfTen returns 10^n.
func PowerOfTen(n int) *big.Int {
	if power, ok := powerOfTen64(n); ok {
		return big.NewInt(power)
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Scale multiplies n by 10^places, if places is above 0, and returns n.
func Scale(n *big.Int, places int) *big.Int {
	if power, ok := powerOfTen64(places); !ok {
		n.Mul(n, PowerOfTen(places))
	} else if places > 0 {
		n.Mul(n, big.NewInt(power)) // of one word, which needs no memory
	}
	return n
}

// powerOfTen64 returns 10^n, and false if it has more than 63 bits.
func powerOfTen64(n int) (power int64, ok bool) {
	if n > 18 {
		return 0, false
	}
	power = 1
	for range n {
		power *= 10
	}
	return power, true
}

// Difference returns a - b, two amounts in a unit with these decimals, which may be Unscaled. It returns false if one
// of them is no number, if only one of them is a decimal and the decimals are not known, and if the difference has more
// than MaxDigits digits.
func Difference(a, b Amount, decimals int) (Amount, bool) {
	if a.isPackedInteger() && b.isPackedInteger() {
		// The upper half of 10^38, which has more than PackedDigits digits. A difference that does not fit 128 bits is
		// beyond it too, because a and b are less than 10^38.
		const limit = 0x4b3b4ca85a86c47a
		low, borrow := bits.Sub64(a.low, b.low, 0)
		upper, _ := bits.Sub64(uint64(a.high), uint64(b.high), borrow)
		high := int64(upper)
		if -limit < high && high < limit {
			return Amount{high: high, low: low}, true
		}
	}
	x, y, places, ok := Aligned(a, b, decimals)
	if !ok {
		return Amount{}, false
	}
	x.Sub(x, y)
	difference := AmountOfInt(x)
	if !areIntegers(a, b) {
		difference = DecimalOf(x, places, decimals)
	}
	return difference, difference.IsNumber()
}
