package model

import "math/big"

// A position names neither the mark price nor its value at that price, but both follow from
//
//	unrealised profit = size × (mark price − entry price)
//
// as closely as the service rounded. So they are estimates, and a screen has to say so.

// EstimatedMark is the mark price that a position's profit implies, in the price decimals of its market, rounded
// half away from zero. It is false where the position is closed, a number is no integer or decimals are unknown.
func EstimatedMark(p *Position, in *Instruments) (Amount, bool) {
	v, ok := valueAtMark(p, in)
	if !ok {
		return Amount{}, false
	}
	return amountOfInt(quoRounded(v.value, v.perPrice)), true
}

// EstimatedNotional is the size at the mark price that the position's profit implies, negative for a short one, in
// the decimals of the asset that its market settles in, rounded half away from zero. It is false where
// EstimatedMark is.
func EstimatedNotional(p *Position, in *Instruments) (Amount, bool) {
	v, ok := valueAtMark(p, in)
	if !ok {
		return Amount{}, false
	}
	return amountOfInt(quoRounded(v.value, v.perAsset)), true
}

// markValue is what a position is worth at its mark price, exactly: size × entry price + unrealised profit in a unit
// that makes it an integer.
type markValue struct {
	value    *big.Int
	perPrice *big.Int // how much of it is one unit of the mark price
	perAsset *big.Int // how much of it is one unit of the asset
}

// valueAtMark counts in units of 10^-(size + price + asset decimals).
func valueAtMark(p *Position, in *Instruments) (markValue, bool) {
	size, sizeDecimals, isSize := known(p, OpenVolume, in)
	entry, priceDecimals, isEntry := known(p, AverageEntryPrice, in)
	profit, assetDecimals, isProfit := known(p, UnrealisedPnl, in)
	if !isSize || !isEntry || !isProfit || size.Sign() == 0 {
		return markValue{}, false
	}
	v := markValue{
		perPrice: size.Mul(size, powerOfTen(assetDecimals)),
		perAsset: powerOfTen(sizeDecimals + priceDecimals),
	}
	v.value = entry.Mul(entry, v.perPrice)
	v.value.Add(v.value, profit.Mul(profit, v.perAsset))
	return v, true
}

// known is a number of a position and its decimals, and whether it is an integer and they are known.
func known(p *Position, f Field, in *Instruments) (n *big.Int, decimals int, ok bool) {
	n, isInteger := p.Number(f).Int()
	decimals = in.Decimals(f, p.Market)
	return n, decimals, isInteger && decimals >= 0
}

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
