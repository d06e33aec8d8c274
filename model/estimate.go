package model

import (
	"math/big"
	"math/bits"
)

// Percent returns a / b in percent with one decimal, rounded half away from zero, with its sign: "-37.4%". Both amounts
// must have the same unit. It returns false where b is 0 or an amount is not an integer of at most MaxDigits digits.
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
// market's settlement asset. Both are rounded half away from zero. Estimate returns false where the position is closed,
// where decimals are not known, or where a number is not an integer of at most MaxDigits digits.
func Estimate(p *Position, in *Instruments) (mark, notional Amount, ok bool) {
	v, ok := valueAtMark(p, in)
	if !ok {
		return Amount{}, Amount{}, false
	}
	value := new(big.Int).Set(v.value)
	mark = AmountOfInt(QuoRounded(value, v.priceUnit))
	return mark, AmountOfInt(QuoRounded(v.value, v.assetUnit)), true
}

// markValue is the exact value of a position at its mark price, as an integer: size × entry price + unrealised PnL in
// units of 10^-(size + price + asset decimals).
type markValue struct {
	value     *big.Int
	priceUnit *big.Int // the value of one unit of the mark price
	assetUnit *big.Int // the value of one unit of the asset
}

func valueAtMark(p *Position, in *Instruments) (markValue, bool) {
	market := in.Market(p.Market)
	assetDecimals := in.Asset(market.Asset).Decimals
	size, isSize := p.Number(OpenVolume).Int()
	entry, isEntry := p.Number(AverageEntryPrice).Int()
	profit, isProfit := p.Number(UnrealisedPnl).Int()
	if !isSize || !isEntry || !isProfit || size.Sign() == 0 || min(market.SizeDecimals, market.PriceDecimals, assetDecimals) < 0 {
		return markValue{}, false
	}
	v := markValue{
		priceUnit: size.Mul(size, PowerOfTen(assetDecimals)),
		assetUnit: PowerOfTen(market.SizeDecimals + market.PriceDecimals),
	}
	v.value = entry.Mul(entry, v.priceUnit)
	v.value.Add(v.value, profit.Mul(profit, v.assetUnit))
	return v, true
}

// PowerOfTen returns 10^n.
func PowerOfTen(n int) *big.Int {
	if n <= 18 {
		power := int64(1)
		for range n {
			power *= 10
		}
		return big.NewInt(power)
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Difference returns a - b, and false where one of them is not an integer of at most MaxDigits digits.
func Difference(a, b Amount) (Amount, bool) {
	if !a.isText && !b.isText {
		const limit = 0x4b3b4ca85a86c47a // the upper half of 10^38, which has more than PackedDigits digits
		low, borrow := bits.Sub64(a.low, b.low, 0)
		upper, _ := bits.Sub64(uint64(a.high), uint64(b.high), borrow)
		high := int64(upper)
		hasOverflow := a.high^b.high < 0 && a.high^high < 0
		if -limit < high && high < limit && !hasOverflow {
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
