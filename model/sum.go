package model

import (
	"math/big"
	"math/bits"
	"strings"
)

// Sum is the exact sum of amounts of one asset. It has 192 bits, enough for 2^64 amounts of 38 digits, so it cannot
// overflow. The zero Sum is 0.
type Sum struct {
	limbs   [3]uint64 // two's complement, the lowest first
	leftOut int
}

// Add adds a. An amount that is not an integer of at most 38 digits is not added, but counted in LeftOut.
func (s *Sum) Add(a Amount) {
	if a.isText {
		var ok bool
		if a, ok = a.withoutLeadingZeros(); !ok {
			s.leftOut++
			return
		}
	}
	s.add(uint64(a.high), a.low)
}

// Subtract undoes the Add of the same amount.
func (s *Sum) Subtract(a Amount) {
	if a.isText {
		var ok bool
		if a, ok = a.withoutLeadingZeros(); !ok {
			s.leftOut--
			return
		}
	}
	s.add(negate(uint64(a.high), a.low))
}

// add adds a number of 128 bits in two's complement.
func (s *Sum) add(high, low uint64) {
	var carry uint64
	s.limbs[0], carry = bits.Add64(s.limbs[0], low, 0)
	s.limbs[1], carry = bits.Add64(s.limbs[1], high, carry)
	s.limbs[2], _ = bits.Add64(s.limbs[2], uint64(int64(high)>>63), carry)
}

// withoutLeadingZeros returns a text as a number of 128 bits, and false where it is not an integer of at most 38 digits.
func (a Amount) withoutLeadingZeros() (Amount, bool) {
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
	return a, !a.isText
}

// LeftOut returns how many amounts could not be added, so that a total can name them.
func (s *Sum) LeftOut() int { return s.leftOut }

// Amount returns the sum.
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
