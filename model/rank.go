package model

import (
	"bytes"
	"math"
	"slices"
)

// rank is a number that stands for another value in its order: where the values go up, so do the ranks or they
// stay the same. Ranks are quicker to compare than values, of which many lie far apart in memory.
type rank struct {
	number uint64
	exact  bool // another exact rank of the same number stands for an equal value
}

// reversed is the rank in the opposite order.
func (r rank) reversed() rank { return rank{^r.number, r.exact} }

// rankAll ranks things of which no two are equal.
func rankAll[K any](all []K, compare func(a, b K) int) []rank {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compare(all[a], all[b]) })
	ranks := make([]rank, len(all))
	for place, i := range order {
		ranks[i] = rank{uint64(place), true}
	}
	return ranks
}

// rankScaled ranks a / 10^decimals as compareScaled orders it. The number says, from the highest bit on, the
// sign, how many digits stand before the decimal point, and the first 16 of them.
func (a Amount) rankScaled(decimals int) rank {
	const (
		zero       = 1 << 63
		digitsKept = 16
		digitBits  = 54
		maxLength  = 1<<(63-digitBits) - 1
		noLength   = maxLength / 2 // the number for no digits before the point, and less for zeros after it
	)
	switch {
	case !a.IsInteger():
		return rank{number: math.MaxUint64}
	case a.IsZero():
		return rank{zero, true}
	}
	var space [maxDigits + 1]byte
	digits := a.appendMagnitude(space[:0])
	length := len(digits) - decimals + noLength
	var first uint64
	for i := range digitsKept {
		first *= 10
		if i < len(digits) {
			first += uint64(digits[i] - '0')
		}
	}
	r := rank{exact: len(bytes.TrimRight(digits, "0")) <= digitsKept}
	switch {
	case length < 0:
		length, first, r.exact = 0, 0, false
	case length > maxLength:
		length, first, r.exact = maxLength, 1<<digitBits-1, false
	}
	r.number = zero | uint64(length)<<digitBits | first
	if a.Sign() < 0 {
		return r.reversed()
	}
	return r
}
