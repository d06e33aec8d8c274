package model

import (
	"math"
	"math/big"
	"strconv"
)

// Estimate is a number that is worked out from rounded numbers, and by how much it may be wrong at most. Both are in
// the same unit. The size of a position is exact. Each other number that a service sends may be wrong by one unit of
// its last digit, whether the service rounds or cuts. So the bound is
//
//   - of a mark price (MarkAndNotional): one unit of the entry price, and one of the unrealised PnL ÷ size
//   - of a notional (MarkAndNotional): size × one unit of the entry price, and one of the unrealised PnL
//   - of a sum (NotionalSum, analysis.Exposure): the sum of the bounds of what was added
//   - of PnL at another mark price (analysis.Exposure.At): the change of the price × the bound of the notional
//   - of the parts of a change of PnL: see analysis.Change
//   - of a change of price that is a distance to a limit: see DistanceTo
//
// and in each case half a unit of the estimate, which is rounded itself. The bound is 0 if the number is exact.
type Estimate struct {
	Amount
	Bound Amount
}

// KnownPlaces returns the decimal place of the last digit that is known: its unit is at most twice the bound. It is
// negative if that digit is before the last one of a whole number. The unit of integers has these decimals.
func (e Estimate) KnownPlaces(decimals int) int {
	decimals = e.Bound.Places(decimals)
	if e.Bound.IsZero() {
		return e.Places(decimals)
	}
	var digits [PackedDigits + 2]byte
	if bound, ok := e.Bound.Int64(); ok && bound < math.MaxInt64/2 {
		return decimals + 1 - len(strconv.AppendInt(digits[:0], 2*bound, 10))
	}
	bound := e.Bound.coefficient()
	return decimals + 1 - len(bound.Lsh(bound, 1).Append(digits[:0], 10))
}

// IsKnown reports whether the estimate is good enough for a place that shows exact numbers with places decimal
// places: its bound is a hundredth of it at most, or one unit of the last digit there. The unit of integers has these
// decimals.
func (e Estimate) IsKnown(decimals, places int) bool {
	if e.Bound.IsZero() {
		return true
	}
	if value, ok := e.Int64(); ok {
		if bound, ok := e.Bound.Int64(); ok && uint64(bound) <= magnitude64(value)/100 {
			return true
		}
	}
	value, bound, of, ok := Aligned(e.Amount, e.Bound, decimals)
	return ok && (isHundredth(bound, value) || QuoPlaces(big.NewInt(1), places, big.NewInt(1), 0, of).Cmp(bound) >= 0)
}

// isHundredth reports whether a bound is at most a hundredth of a value.
func isHundredth(bound, value *big.Int) bool {
	return new(big.Int).Mul(bound, big.NewInt(100)).CmpAbs(value) <= 0
}

// Known returns the estimate without the digits that are not known: with zeros in their place.
func (e Estimate) Known(decimals int) Amount {
	places, known := e.Places(decimals), e.KnownPlaces(decimals)
	if places == Unscaled || known >= places {
		return e.Amount
	}
	unit := PowerOfTen(places - known)
	n := QuoRounded(e.coefficient(), new(big.Int).Set(unit))
	if n.Mul(n, unit); e.IsDecimal() {
		return DecimalOf(n, places, known)
	}
	return AmountOfInt(n)
}

// Bounds returns the least and the greatest number that the estimate may be of. The unit of integers has these
// decimals. It returns false if they are not known and one of the two numbers of the estimate is a decimal.
func (e Estimate) Bounds(decimals int) (least, most Amount, ok bool) {
	value, bound, places, ok := Aligned(e.Amount, e.Bound, decimals)
	if !ok {
		return Amount{}, Amount{}, false
	}
	of := func(n *big.Int) Amount {
		if areIntegers(e.Amount, e.Bound) {
			return AmountOfInt(n)
		}
		return DecimalOf(n, places, decimals)
	}
	return of(new(big.Int).Sub(value, bound)), of(new(big.Int).Add(value, bound)), true
}

// unitPlaces returns the decimal place of the last digit of a number, if the unit of integers has these decimals: 0 at
// least for a decimal, because an exponent leaves out zeros.
func (a Amount) unitPlaces(decimals int) int {
	if a.IsDecimal() {
		return max(a.Places(0), 0)
	}
	return orZero(decimals)
}

// LastDigit returns one unit of the last digit of a number, in the unit of the number.
func (a Amount) LastDigit() Amount {
	if a.IsDecimal() {
		return DecimalOf(big.NewInt(1), a.unitPlaces(0), 0)
	}
	return AmountOf(1)
}
