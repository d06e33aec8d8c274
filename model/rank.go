package model

import (
	"bytes"
	"math"
	"slices"
)

// rank is a number that stands for another value in its order: where the values go up, so do the ranks or they
// stay the same. Ranks are quicker to compare than values, of which many lie far apart in memory.
//
// A rank whose lowest bit is not its highest is exact: the same one stands for an equal value. So what it stands for
// above zero has a 1 in the lowest bit where the rank is not exact, and to turn all bits round reverses the order.
type rank uint64

func (r rank) isExact() bool { return r&1 != r>>63 }

// reversed is the rank in the opposite order.
func (r rank) reversed() rank { return ^r }

// rankAll ranks things of which no two are equal.
func rankAll[K any](all []K, compare func(a, b K) int) []rank {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compare(all[a], all[b]) })
	ranks := make([]rank, len(all))
	for place, i := range order {
		ranks[i] = rank(place)<<1 | 1
	}
	return ranks
}

// rankScaled ranks a / 10^decimals as compareScaled orders it. The number says, from the highest bit on, the
// sign, how many digits stand before the decimal point, the first 16 of them, and whether there are more.
func (a Amount) rankScaled(decimals int) rank {
	const (
		zero       = 1 << 63
		digitsKept = 16
		digitBits  = 54
		maxLength  = 1<<(62-digitBits) - 1
		noLength   = maxLength / 2 // the number for no digits before the point, and less for zeros after it
	)
	switch {
	case !a.IsInteger():
		return math.MaxUint64
	case a.IsZero():
		return zero
	}
	var space [packedDigits + 1]byte
	digits := a.appendMagnitude(space[:0])
	length := len(digits) - decimals + noLength
	var first, more rank
	for i := range digitsKept {
		first *= 10
		if i < len(digits) {
			first += rank(digits[i] - '0')
		}
	}
	if len(bytes.TrimRight(digits, "0")) > digitsKept {
		more = 1
	}
	switch {
	case length < 0:
		length, first, more = 0, 0, 1
	case length > maxLength:
		length, first, more = maxLength, 1<<digitBits-1, 1
	}
	r := zero | rank(length)<<(digitBits+1) | first<<1 | more
	if a.Sign() < 0 {
		return r.reversed()
	}
	return r
}
