package model

import (
	"math/big"
	"math/bits"
	"strings"
)

// Sum adds up amounts of one asset, exactly. It cannot overflow: it is as wide as 2^64 amounts need.
// The zero Sum is 0.
type Sum struct {
	limbs   [3]uint64 // two's complement, the lowest first
	leftOut int
}

// Add adds a, or counts it as left out where it is no integer of at most 38 digits.
func (s *Sum) Add(a Amount) {
	if a.kept {
		var ok bool
		if a, ok = a.canonical(); !ok {
			s.leftOut++
			return
		}
	}
	s.add(uint64(a.high), a.low)
}

// Subtract takes back what Add added.
func (s *Sum) Subtract(a Amount) {
	if a.kept {
		var ok bool
		if a, ok = a.canonical(); !ok {
			s.leftOut--
			return
		}
	}
	s.add(negate(uint64(a.high), a.low))
}

// add adds a two's complement number of 128 bits.
func (s *Sum) add(high, low uint64) {
	var carry uint64
	s.limbs[0], carry = bits.Add64(s.limbs[0], low, 0)
	s.limbs[1], carry = bits.Add64(s.limbs[1], high, carry)
	s.limbs[2], _ = bits.Add64(s.limbs[2], uint64(int64(high)>>63), carry)
}

// canonical is an integer of at most 38 digits without the zeros that lead it, and whether a is one.
func (a Amount) canonical() (Amount, bool) {
	if !a.kept {
		return a, true
	}
	if !a.IsInteger() {
		return a, false
	}
	digits, negative := strings.CutPrefix(a.text, "-")
	digits = strings.TrimLeft(digits, "0")
	switch {
	case digits == "":
		return Amount{}, true
	case negative:
		digits = "-" + digits
	}
	a = ParseAmount(digits)
	return a, !a.kept
}

// LeftOut is how many of the amounts could not be added, so that a total can say so.
func (s *Sum) LeftOut() int { return s.leftOut }

// Amount is the total.
func (s *Sum) Amount() Amount {
	limbs, negative := s.limbs, int64(s.limbs[2]) < 0
	if negative {
		var borrow uint64
		for i := range limbs {
			limbs[i], borrow = bits.Sub64(0, limbs[i], borrow)
		}
	}
	total := new(big.Int)
	for _, limb := range [...]uint64{limbs[2], limbs[1], limbs[0]} {
		total.Lsh(total, 64).Or(total, new(big.Int).SetUint64(limb))
	}
	if negative {
		total.Neg(total)
	}
	return amountOfInt(total)
}
