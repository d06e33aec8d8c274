package model

import (
	"cmp"
	"math/big"
	"math/bits"
)

// MarginRatio is the unrealised PnL of a position divided by its maintenance margin: how much of the maintenance margin
// has been won or lost. Lower is worse. Both are amounts of one asset, so the ratio needs no decimals and is exact.
//
// A position has no ratio where it is closed, where the maintenance margin is not positive, or where an amount is not an
// integer of at most MaxDigits digits.
type MarginRatio struct{ profit, maintenance Amount }

// String returns the ratio in percent, with one decimal and its sign: "-37.4%".
func (r MarginRatio) String() string {
	percent, _ := Percent(r.profit, r.maintenance)
	return percent
}

// Permille returns the ratio in thousandths, rounded half away from zero: String without the sign for percent.
func (r MarginRatio) Permille() Amount {
	n, _ := permille(r.profit, r.maintenance)
	return n
}

// Sign returns -1, 0 or +1.
func (r MarginRatio) Sign() int { return r.profit.Sign() }

// Compare orders ratios by value.
func (r MarginRatio) Compare(s MarginRatio) int {
	if c := cmp.Compare(r.Sign(), s.Sign()); c != 0 || r.Sign() == 0 {
		return c
	}
	if r.maintenance == s.maintenance {
		return r.profit.Compare(s.profit)
	}
	a, _ := r.profit.Int()
	b, _ := r.maintenance.Int()
	c, _ := s.profit.Int()
	d, _ := s.maintenance.Int()
	return a.Mul(a, d).Cmp(c.Mul(c, b))
}

// A rank of a ratio has, from the highest bit on: a 1, the tier, whether the ratio is 0 or more, the exponent and the
// first bits of the fraction of its magnitude in base 2, and a 1 where the rank is not exact. A negative ratio has these
// bits the other way round.
const (
	fractionBits  = 49
	exponentBits  = 10 // an integer of MaxDigits digits has 333 bits
	tierBits      = 2
	ratioBits     = 1 + exponentBits + fractionBits + 1
	zeroRatio     = rank(1) << (ratioBits - 1)
	noRatio       = rank(1)<<ratioBits - 2 // above all ratios, and exact
	ratioRank     = rank(1) << (ratioBits + tierBits)
	zeroExponent  = 1 << (exponentBits - 1)
	magnitudeMask = rank(1)<<(exponentBits+fractionBits) - 1
)

// rank ranks the ratio as Compare orders it.
func (r MarginRatio) rank() rank {
	if r.Sign() == 0 {
		return ratioRank | zeroRatio
	}
	exponent, fraction, isExact := r.magnitude()
	magnitude := rank(exponent+zeroExponent)<<fractionBits | rank(fraction)
	var inexact rank
	if !isExact {
		inexact = 1
	}
	if r.Sign() > 0 {
		return ratioRank | zeroRatio | magnitude<<1 | inexact
	}
	// What is not exact is above its rank, also where it is negative: so its magnitude is rounded up.
	return ratioRank | (magnitudeMask-magnitude-inexact)<<1 | inexact
}

// magnitude returns the ratio without its sign as (1 + fraction / 2^fractionBits) × 2^exponent, with the fraction rounded
// down, and whether it is exact. The ratio must not be 0.
func (r MarginRatio) magnitude() (exponent int, fraction uint64, isExact bool) {
	if r.profit.isText || r.maintenance.isText {
		return r.longMagnitude()
	}
	high, low := uint64(r.profit.high), r.profit.low
	if r.profit.high < 0 {
		high, low = negate(high, low)
	}
	x, xLength := normalised(high, low)
	y, yLength := normalised(uint64(r.maintenance.high), r.maintenance.low)
	exponent = xLength - yLength
	if x.less(y) {
		x = x.doubled()
		exponent--
	}
	// Long division, one bit at a time: x < 2y always. The first bit is 1.
	for range fractionBits + 1 {
		fraction <<= 1
		if !x.less(y) {
			x = x.minus(y)
			fraction |= 1
		}
		x = x.doubled()
	}
	return exponent, fraction &^ (1 << fractionBits), x == uint128{}
}

// longMagnitude is magnitude for amounts of more digits.
func (r MarginRatio) longMagnitude() (exponent int, fraction uint64, isExact bool) {
	x, _ := r.profit.Int()
	y, _ := r.maintenance.Int()
	x.Abs(x)
	exponent = x.BitLen() - y.BitLen()
	shift := func(n *big.Int, by int) {
		if by > 0 {
			n.Lsh(n, uint(by))
		}
	}
	shift(x, -exponent)
	shift(y, exponent)
	if x.Cmp(y) < 0 {
		x.Lsh(x, 1)
		exponent--
	}
	x.Lsh(x, fractionBits)
	rest := new(big.Int)
	x.QuoRem(x, y, rest)
	return exponent, x.Uint64() &^ (1 << fractionBits), rest.Sign() == 0
}

type uint128 struct{ high, low uint64 }

// normalised returns a positive number of at most 127 bits, shifted to the left until it has 127 bits, and how many it
// had.
func normalised(high, low uint64) (shifted uint128, length int) {
	length = 64 + bits.Len64(high)
	if high == 0 {
		length = bits.Len64(low)
	}
	by := uint(127 - length)
	if by >= 64 {
		return uint128{low << (by - 64), 0}, length
	}
	return uint128{high<<by | low>>(64-by), low << by}, length
}

func (x uint128) less(y uint128) bool { return x.high < y.high || x.high == y.high && x.low < y.low }
func (x uint128) doubled() uint128    { return uint128{x.high<<1 | x.low>>63, x.low << 1} }

func (x uint128) minus(y uint128) uint128 {
	low, borrow := bits.Sub64(x.low, y.low, 0)
	high, _ := bits.Sub64(x.high, y.high, borrow)
	return uint128{high, low}
}
