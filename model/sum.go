package model

import (
	"math/big"
	"math/bits"
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
		s.leftOut++
		return
	}
	var carry uint64
	s.limbs[0], carry = bits.Add64(s.limbs[0], a.low, 0)
	s.limbs[1], carry = bits.Add64(s.limbs[1], uint64(a.high), carry)
	s.limbs[2], _ = bits.Add64(s.limbs[2], uint64(a.high>>63), carry)
}

// Subtract takes back what Add added.
func (s *Sum) Subtract(a Amount) {
	if a.kept {
		s.leftOut--
		return
	}
	var borrow uint64
	s.limbs[0], borrow = bits.Sub64(s.limbs[0], a.low, 0)
	s.limbs[1], borrow = bits.Sub64(s.limbs[1], uint64(a.high), borrow)
	s.limbs[2], _ = bits.Sub64(s.limbs[2], uint64(a.high>>63), borrow)
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
	return ParseAmount(total.String())
}
