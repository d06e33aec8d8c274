package model

import (
	"cmp"
	"math/bits"
)

// Packed is an amount in 16 bytes without pointers: an integer of up to 38 digits in 128 bits, in two's complement, a
// decimal (see decimal.go), or a mark that the amount is a text, which is stored elsewhere.
type Packed struct {
	High int64
	Low  uint64
}

// PackedText in Packed.High means that the amount is a text. No integer of 38 digits and no decimal has these bits.
const PackedText = -1 << 63

// Packed returns the amount without its text.
func (a Amount) Packed() Packed { return Packed{a.high, a.low} }

// Amount returns an amount that is not a text.
func (p Packed) Amount() Amount { return Amount{high: p.High, low: p.Low} }

// IsText reports whether the amount is a text.
func (p Packed) IsText() bool { return p.High == PackedText }

// IsInteger reports whether the amount is an integer in 128 bits.
func (p Packed) IsInteger() bool { return p.Amount().isPackedInteger() }

// Magnitude returns an integer without its sign.
func (p Packed) Magnitude() (high, low uint64) {
	if p.High < 0 {
		return negate(uint64(p.High), p.Low)
	}
	return uint64(p.High), p.Low
}

// Times returns p × n. It returns false if the product has more than 125 bits, and if p is not an integer.
func (p Packed) Times(n int64) (Packed, bool) {
	const limit = 1 << 61 // the upper half of 2^125
	if !p.IsInteger() {
		return Packed{}, false
	}
	high, low := p.Magnitude()
	factor := magnitude64(n)
	over, high := bits.Mul64(high, factor)
	carry, low := bits.Mul64(low, factor)
	high, more := bits.Add64(high, carry, 0)
	if over != 0 || more != 0 || high >= limit {
		return Packed{}, false
	}
	return signed(high, low, (p.High < 0) != (n < 0)), true
}

// Plus returns p + q, if both have at most 125 bits.
func (p Packed) Plus(q Packed) Packed {
	low, carry := bits.Add64(p.Low, q.Low, 0)
	return Packed{p.High + q.High + int64(carry), low}
}

// Minus returns p - q, if both have at most 125 bits.
func (p Packed) Minus(q Packed) Packed {
	low, borrow := bits.Sub64(p.Low, q.Low, 0)
	return Packed{p.High - q.High - int64(borrow), low}
}

// CompareMagnitude compares two integers without their signs.
func (p Packed) CompareMagnitude(q Packed) int {
	high, low := p.Magnitude()
	ofHigh, ofLow := q.Magnitude()
	return cmp.Or(cmp.Compare(high, ofHigh), cmp.Compare(low, ofLow))
}

// Scaled returns p × 10^places, or p if places is not above 0. It returns false if Times does.
func (p Packed) Scaled(places int) (Packed, bool) {
	power, ok := powerOfTen64(places)
	if !ok {
		return Packed{}, false
	}
	return p.Times(power)
}

// QuoRounded returns p / n, rounded half away from zero, if p has at most 126 bits. n must not be 0.
func (p Packed) QuoRounded(n int64) Packed {
	high, low := p.Magnitude()
	divisor := magnitude64(n)
	high, rest := high/divisor, high%divisor
	low, rest = bits.Div64(rest, low, divisor)
	if rest >= divisor-rest {
		var carry uint64
		low, carry = bits.Add64(low, 1, 0)
		high += carry
	}
	return signed(high, low, (p.High < 0) != (n < 0))
}

// signed returns a number of at most 127 bits with a sign.
func signed(high, low uint64, negative bool) Packed {
	if negative {
		high, low = negate(high, low)
	}
	return Packed{int64(high), low}
}

// TextAmount returns an amount that is kept as a text: one that Packed cannot represent.
func TextAmount(text string) Amount { return Amount{high: PackedText, text: text} }
