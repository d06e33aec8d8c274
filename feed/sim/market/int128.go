package market

import (
	"math/bits"
	"strconv"
)

// int128 is an amount of money in the smallest unit of its asset. With 18 decimals a modest profit does not fit 64
// bits, and no float is exact enough. A market's prices and sizes are bounded so that 128 bits never overflow.
type int128 struct {
	high int64
	low  uint64
}

func product(a, b int64) int128 {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	x := int128{int64(high), low}
	if (a < 0) != (b < 0) {
		return x.negated()
	}
	return x
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func (x int128) plus(y int128) int128 {
	low, carry := bits.Add64(x.low, y.low, 0)
	high, _ := bits.Add64(uint64(x.high), uint64(y.high), carry)
	return int128{int64(high), low}
}

func (x int128) negated() int128 {
	low, borrow := bits.Sub64(0, x.low, 0)
	high, _ := bits.Sub64(0, uint64(x.high), borrow)
	return int128{int64(high), low}
}

func (x int128) minus(y int128) int128 { return x.plus(y.negated()) }

// times returns x multiplied by a factor.
func (x int128) times(factor uint64) int128 {
	if x.high < 0 {
		return x.negated().times(factor).negated()
	}
	high, low := bits.Mul64(x.low, factor)
	return int128{int64(high + uint64(x.high)*factor), low}
}

// over returns x divided by a divisor, rounded towards zero.
func (x int128) over(divisor uint64) int128 {
	if x.high < 0 {
		return x.negated().over(divisor).negated()
	}
	quotient, _ := x.divided(divisor)
	return quotient
}

// divided returns x divided by a divisor, rounded down, and the rest. x must not be negative.
func (x int128) divided(divisor uint64) (quotient int128, rest uint64) {
	high, rest := uint64(x.high)/divisor, uint64(x.high)%divisor
	low, rest := bits.Div64(rest, x.low, divisor)
	return int128{int64(high), low}, rest
}

func (x int128) append(b []byte) []byte {
	if x.high < 0 {
		return x.negated().append(append(b, '-'))
	}
	if x.high == 0 {
		return strconv.AppendUint(b, x.low, 10)
	}
	// 19 digits are the most that always fit a word.
	front, back := x.divided(1e19)
	b = front.append(b)
	for place := uint64(1e18); place > back && place > 1; place /= 10 {
		b = append(b, '0')
	}
	return strconv.AppendUint(b, back, 10)
}

func (x int128) text() string { return string(x.append(nil)) }
