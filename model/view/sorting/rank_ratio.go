package sorting

import (
	"cmp"
	"math/big"
	"math/bits"

	"blotter/model"
)

// A rank of a ratio has, from the highest bit on: a 1, the tier, whether the ratio is 0 or more, the exponent and the
// first bits of the fraction of its magnitude in base 2, and a 1 if the rank is not exact. A negative ratio has
// these bits inverted.
const (
	fractionBits  = 48
	exponentBits  = 11 // MaxDigits digits before and after the point have 665 bits
	tierBits      = 2
	ratioBits     = 1 + exponentBits + fractionBits + 1
	ratioMask     = Rank(1)<<ratioBits - 1
	zeroRatio     = Rank(1) << (ratioBits - 1)
	noRatio       = Rank(1)<<ratioBits - 2 // above all ratios, and exact
	neverRank     = ratioRank | noRatio
	noDistance    = neverRank | 1<<ratioBits // above all distances, and exact
	ratioRank     = Rank(1) << (ratioBits + tierBits)
	magnitudeMask = Rank(1)<<(exponentBits+fractionBits) - 1
)

// The exponents of ratios, and those of the profits of positions without a ratio, which are nearer to 0 than all
// ratios: so the positions without a ratio are between those that lose and those that win, in the order of their
// profits.
const (
	maxExponent  = 334 // an integer of MaxDigits digits has 333 bits
	zeroProfit   = maxExponent + 1
	zeroExponent = 2*zeroProfit + maxExponent
)

// RankRatio ranks a ratio as MarginRatio.Compare orders it.
func RankRatio(r model.MarginRatio) Rank { return rankFrom(zeroExponent, r) }

// isProfit reports whether a rank that is not of zero is of a profit.
func (r Rank) isProfit() bool {
	magnitude := r >> 1 & magnitudeMask
	if r&zeroRatio == 0 {
		magnitude ^= magnitudeMask
	}
	return magnitude < (zeroProfit+maxExponent+1)<<fractionBits
}

func rankFrom(zero int, r model.MarginRatio) Rank {
	if r.Sign() == 0 {
		return ratioRank | zeroRatio
	}
	exponent, fraction, isExact := ratioMagnitude(r)
	magnitude := Rank(exponent+zero)<<fractionBits | Rank(fraction)
	var inexact Rank
	if !isExact {
		inexact = 1
	}
	if r.Sign() > 0 {
		return ratioRank | zeroRatio | magnitude<<1 | inexact
	}
	// An inexact ratio is greater than the value of its rank, even if it is negative: so its magnitude is rounded
	// up.
	return ratioRank | (magnitudeMask-magnitude-inexact)<<1 | inexact
}

// ratioMagnitude returns the ratio without its sign as (1 + fraction / 2^fractionBits) × 2^exponent, with the fraction
// rounded down, and whether it is exact. The ratio must not be 0.
func ratioMagnitude(r model.MarginRatio) (exponent int, fraction uint64, isExact bool) {
	profit, maintenance := r.Profit.Packed(), r.Maintenance.Packed()
	if !profit.IsInteger() || !maintenance.IsInteger() {
		return longRatioMagnitude(r)
	}
	x, xLength := normalised(profit.Magnitude())
	y, yLength := normalised(maintenance.Magnitude())
	exponent = xLength - yLength
	if x.less(y) {
		x = x.doubled()
		exponent--
	}
	if x.low == 0 && y.low == 0 {
		quotient, rest := bits.Div64(x.high>>(64-fractionBits), x.high<<fractionBits, y.high)
		return exponent, quotient &^ (1 << fractionBits), rest == 0
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

// longRatioMagnitude is ratioMagnitude for amounts of more digits, and for decimals.
func longRatioMagnitude(r model.MarginRatio) (exponent int, fraction uint64, isExact bool) {
	x, y := r.Integers()
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

// CompareRatio compares the ratio of a rank, in an order of ratios, with that of the rank of a limit. It is not decided
// if several ratios have these ranks.
func (r Rank) CompareRatio(limit Rank) (order int, hasRatio, isDecided bool) {
	r, limit = r&ratioMask, limit&ratioMask
	if r == limit || r == zeroRatio {
		return 0, false, false
	}
	return cmp.Compare(r, limit), r != noRatio && !r.isProfit(), true
}
