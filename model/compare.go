package model

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// Compare orders numbers by value, if the unit of integers is 1. All other amounts come after them, ordered by their
// text.
func (a Amount) Compare(b Amount) int {
	if a.isPackedInteger() && b.isPackedInteger() {
		return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low))
	}
	return CompareScaled(a, 0, b, 0)
}

// CompareScaled orders a and b as Compare does, if the units of integers have these decimals: an integer a is
// a / 10^aDecimals. Unscaled counts as 0.
func CompareScaled(a Amount, aDecimals int, b Amount, bDecimals int) int {
	if aDecimals == bDecimals && a.isPackedInteger() && b.isPackedInteger() {
		return a.Compare(b)
	}
	switch isA, isB := a.IsNumber(), b.IsNumber(); {
	case !isA && !isB:
		return strings.Compare(a.text, b.text)
	case !isA:
		return +1
	case !isB:
		return -1
	}
	sign := a.Sign()
	if c := cmp.Compare(sign, b.Sign()); c != 0 || sign == 0 {
		return c
	}
	return compareMagnitudes(a, aDecimals, b, bDecimals) * sign
}

// CompareMagnitudes orders two numbers as CompareScaled does, without their signs.
func CompareMagnitudes(a, b Amount, decimals int) int {
	if a.IsZero() || b.IsZero() {
		return cmp.Compare(a.Sign()*a.Sign(), b.Sign()*b.Sign())
	}
	return compareMagnitudes(a, decimals, b, decimals)
}

// compareMagnitudes orders two numbers that are not 0.
func compareMagnitudes(a Amount, aDecimals int, b Amount, bDecimals int) int {
	aPlaces, bPlaces := a.Places(orZero(aDecimals)), b.Places(orZero(bDecimals))
	if c, ok := compareSmall(a, aPlaces, b, bPlaces); ok {
		return c
	}
	var aSpace, bSpace [PackedDigits + 1]byte
	x, y := a.AppendMagnitude(aSpace[:0]), b.AppendMagnitude(bSpace[:0])
	// The number with more digits before the decimal point is larger. If both have the same number, the first digit
	// that differs decides. Trailing zeros do not count: 5 tenths are 50 hundredths.
	return cmp.Or(
		cmp.Compare(len(x)-aPlaces, len(y)-bPlaces),
		bytes.Compare(bytes.TrimRight(x, "0"), bytes.TrimRight(y, "0")),
	)
}

// compareSmall orders the magnitudes of two numbers with these decimal places. It returns false if one is a text, or if
// their places differ by more than 18.
func compareSmall(a Amount, aPlaces int, b Amount, bPlaces int) (order int, ok bool) {
	if a.isText() || b.isText() {
		return 0, false
	}
	aFactor, aOk := powerOfTen64(max(bPlaces-aPlaces, 0))
	bFactor, bOk := powerOfTen64(max(aPlaces-bPlaces, 0))
	return compareProducts(a, Amount{low: uint64(aFactor)}, b, Amount{low: uint64(bFactor)}), aOk && bOk
}

// compareProducts orders the magnitudes of a × b and c × d, of which none is a text.
func compareProducts(a, b, c, d Amount) int {
	x, y := product(a, b), product(c, d)
	return slices.Compare(x[:], y[:])
}

// product returns the magnitude of a product, the highest bits first.
func product(a, b Amount) (p [4]uint64) {
	aHigh, aLow := a.magnitude()
	bHigh, bLow := b.magnitude()
	p[2], p[3] = bits.Mul64(aLow, bLow)
	high, low := bits.Mul64(aHigh, bLow)
	middle, carry := bits.Add64(p[2], low, 0)
	p[1] = high + carry // it has no more than 64 bits
	high, low = bits.Mul64(aLow, bHigh)
	p[2], carry = bits.Add64(middle, low, 0)
	p[1], p[0] = bits.Add64(p[1], high, carry)
	high, low = bits.Mul64(aHigh, bHigh)
	p[1], carry = bits.Add64(p[1], low, 0)
	p[0] += high + carry
	return p
}
