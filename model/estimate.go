package model

import (
	"math/big"
	"math/bits"
)

// Percent returns a / b in percent with one decimal, rounded half away from zero, with its sign: "-37.4%". Both amounts
// must have the same unit. It returns false if b is 0 or an amount is not an integer of at most MaxDigits digits.
func Percent(a, b Amount) (string, bool) {
	n, ok := permille(a, b)
	if !ok {
		return "", false
	}
	return n.Scaled(1, true) + "%", true
}

// permille returns a / b in thousandths, rounded half away from zero, with the same conditions.
func permille(a, b Amount) (Amount, bool) {
	x, isX := a.Int()
	y, isY := b.Int()
	if !isX || !isY || y.Sign() == 0 {
		return Amount{}, false
	}
	return AmountOfInt(QuoRounded(x.Mul(x, big.NewInt(1000)), y)), true
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

// Estimate returns two estimates. The mark price is implied by the unrealised PnL of a position, in the price
// decimals of its market. The notional is the size at that price, negative for a short position, in the decimals of the
// market's settlement asset. Both are rounded half away from zero. Estimate returns false if the position is closed,
// if decimals are not known, or if a number is not an integer of at most MaxDigits digits.
func Estimate(p *Position, in *Instruments) (mark, notional Amount, ok bool) {
	if !in.HasDecimals(p.Market) {
		return Amount{}, Amount{}, false
	}
	market := in.Market(p.Market)
	assetDecimals := in.Asset(market.Asset).Decimals
	v := valueAtMark{
		size: p.Number(OpenVolume), entry: p.Number(AverageEntryPrice), profit: p.Number(UnrealisedPnl),
		shift: assetDecimals - market.SizeDecimals - market.PriceDecimals,
	}
	if mark, notional, ok := v.estimate128(); ok {
		return mark, notional, true
	}
	return v.estimate()
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
func (v *valueAtMark) estimate128() (mark, notional Amount, ok bool) {
	sizeFactor, ok := powerOfTen64(max(v.shift, 0))
	assetUnit, ok2 := powerOfTen64(max(-v.shift, 0))
	if !ok || !ok2 {
		return Amount{}, Amount{}, false
	}
	size, isSize := v.size.Packed().times(sizeFactor)
	priceUnit, isUnit := size.Amount().Int64()
	entry, isEntry := v.entry.Packed().times(priceUnit)
	profit, isProfit := v.profit.Packed().times(assetUnit)
	if !isSize || !isUnit || priceUnit == 0 || !isEntry || !isProfit {
		return Amount{}, Amount{}, false
	}
	value := entry.plus(profit)
	return value.quoRounded(priceUnit).Amount(), value.quoRounded(assetUnit).Amount(), true
}

// estimate returns the estimates, and false if the position is closed or a number is not an integer of at most
// MaxDigits digits.
func (v *valueAtMark) estimate() (mark, notional Amount, ok bool) {
	size, isSize := v.size.Int()
	entry, isEntry := v.entry.Int()
	profit, isProfit := v.profit.Int()
	if !isSize || !isEntry || !isProfit || size.Sign() == 0 {
		return Amount{}, Amount{}, false
	}
	priceUnit := size.Mul(size, PowerOfTen(max(v.shift, 0))) // the value of one unit of the price
	assetUnit := PowerOfTen(max(-v.shift, 0))                // the value of one unit of the asset
	value := entry.Mul(entry, priceUnit)
	value.Add(value, profit.Mul(profit, assetUnit))
	mark = AmountOfInt(QuoRounded(new(big.Int).Set(value), priceUnit))
	return mark, AmountOfInt(QuoRounded(value, assetUnit)), true
}

// PowerOfTen returns 10^n.
func PowerOfTen(n int) *big.Int {
	if power, ok := powerOfTen64(n); ok {
		return big.NewInt(power)
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
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

// Difference returns a - b, and false if one of them is not an integer of at most MaxDigits digits.
func Difference(a, b Amount) (Amount, bool) {
	if !a.isText() && !b.isText() {
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
	x, isX := a.Int()
	y, isY := b.Int()
	if !isX || !isY {
		return Amount{}, false
	}
	return AmountOfInt(x.Sub(x, y)), true
}
