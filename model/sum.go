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
func (s *Sum) Add(a Amount) { s.AddSigned(a, +1) }

// Subtract undoes the Add of the same amount.
func (s *Sum) Subtract(a Amount) { s.AddSigned(a, -1) }

// AddSigned does Add with sign +1, and Subtract with sign -1.
func (s *Sum) AddSigned(a Amount, sign int) {
	if a.isText() {
		var ok bool
		if a, ok = a.withoutLeadingZeros(); !ok {
			s.leftOut += sign
			return
		}
	}
	high, low := uint64(a.high), a.low
	if sign < 0 {
		high, low = negate(high, low)
	}
	s.add(high, low)
}

// AddSum adds another sum, and what it has left out.
func (s *Sum) AddSum(other Sum) {
	var carry uint64
	for i := range s.limbs {
		s.limbs[i], carry = bits.Add64(s.limbs[i], other.limbs[i], carry)
	}
	s.leftOut += other.leftOut
}

// SubtractSum undoes the AddSum of the same sum.
func (s *Sum) SubtractSum(other Sum) {
	var borrow uint64
	for i := range s.limbs {
		s.limbs[i], borrow = bits.Sub64(s.limbs[i], other.limbs[i], borrow)
	}
	s.leftOut -= other.leftOut
}

// Plus returns a with the sum added, or a itself if a sum cannot include it.
func (s Sum) Plus(a Amount) Amount {
	if !a.IsAddable() {
		return a
	}
	s.Add(a)
	return s.Amount()
}

// AddProduct adds a × b.
func (s *Sum) AddProduct(a, b int64) {
	high, low := bits.Mul64(magnitude64(a), magnitude64(b))
	product := signed(high, low, (a < 0) != (b < 0))
	s.add(uint64(product.High), product.Low)
}

func magnitude64(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// add adds a number of 128 bits in two's complement.
func (s *Sum) add(high, low uint64) {
	var carry uint64
	s.limbs[0], carry = bits.Add64(s.limbs[0], low, 0)
	s.limbs[1], carry = bits.Add64(s.limbs[1], high, carry)
	s.limbs[2], _ = bits.Add64(s.limbs[2], uint64(int64(high)>>63), carry)
}

// withoutLeadingZeros returns a text as a number of 128 bits, and false if it is not an integer of at most 38
// digits.
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
	return a, !a.isText()
}

// LeftOut returns how many amounts could not be added, so that a total can name them.
func (s *Sum) LeftOut() int { return s.leftOut }

// Amount returns the sum.
func (s *Sum) Amount() Amount {
	if a, ok := s.packed(); ok {
		return a
	}
	limbs, negative := s.Magnitude()
	total := new(big.Int)
	for _, limb := range [...]uint64{limbs[2], limbs[1], limbs[0]} {
		total.Lsh(total, 64).Or(total, new(big.Int).SetUint64(limb))
	}
	if negative {
		total.Neg(total)
	}
	return AmountOfInt(total)
}

// Magnitude returns the sum without its sign, the lowest limb first, and whether it is negative.
func (s *Sum) Magnitude() (limbs [3]uint64, negative bool) {
	limbs, negative = s.limbs, int64(s.limbs[2]) < 0
	if negative {
		var borrow uint64
		for i := range limbs {
			limbs[i], borrow = bits.Sub64(0, limbs[i], borrow)
		}
	}
	return limbs, negative
}

// packed returns the sum if it has at most 38 digits, for which nothing is allocated.
func (s *Sum) packed() (Amount, bool) {
	high, low := s.limbs[1], s.limbs[0]
	if s.limbs[2] != uint64(int64(high)>>63) {
		return Amount{}, false
	}
	a := Amount{high: int64(high), low: low}
	high, low = a.Packed().Magnitude()
	const tenTo38High, tenTo38Low = 5_421_010_862_427_522_170, 687_399_551_400_673_280
	return a, high < tenTo38High || high == tenTo38High && low < tenTo38Low
}

// IsAddable reports whether a sum can include the amount.
func (a Amount) IsAddable() bool {
	if !a.isText() {
		return true
	}
	_, ok := a.withoutLeadingZeros()
	return ok
}
