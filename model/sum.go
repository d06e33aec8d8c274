package model

import (
	"math/big"
	"math/bits"
)

// Sum is the exact sum of amounts of one asset. Integers and decimals are added by themselves, because the decimals of
// the asset, which only integers need, may be learned later. The zero Sum is 0.
//
// It cannot overflow with 2^64 amounts of 38 digits. Decimals are added in units of 10^-38: as a packed decimal has 35
// digits, that needs 243 bits for each.
type Sum struct {
	limbs      [3]uint64 // of the integers: two's complement, the lowest first
	fixed      [5]uint64 // of the decimals, likewise
	integers   int       // how many integers other than 0 were added
	decimals   int       // how many decimals were added, with those that are 0
	notAddable int
}

// SumPlaces is how many decimal places a decimal may have that is added to a sum.
const SumPlaces = packedPlaces

// Add adds a. An integer of more than 38 digits is not added, but counted in LeftOut. So is a decimal that has more
// than 35 digits, or more than 38 after the point, without zeros at its ends, and what is no number.
func (s *Sum) Add(a Amount) { s.AddSigned(a, +1) }

// Subtract undoes the Add of the same amount.
func (s *Sum) Subtract(a Amount) { s.AddSigned(a, -1) }

// AddSigned does Add with sign +1, and Subtract with sign -1.
func (s *Sum) AddSigned(a Amount, sign int) {
	if a.isText() {
		var ok bool
		if a, ok = a.addable(); !ok {
			s.notAddable += sign
			return
		}
	}
	if !a.isPackedInteger() {
		s.decimals += sign
		high, low, places := a.packedDigits()
		s.addFixed(high, low, places, (a.high < 0) != (sign < 0))
		return
	}
	high, low := uint64(a.high), a.low
	if high == 0 && low == 0 {
		return
	}
	s.integers += sign
	if sign < 0 {
		high, low = negate(high, low)
	}
	s.add(high, low)
}

// Replace subtracts one amount and adds another.
func (s *Sum) Replace(old, now Amount) {
	if old != now {
		s.AddSigned(old, -1)
		s.AddSigned(now, +1)
	}
}

// AddSum adds another sum, and what it has left out.
func (s *Sum) AddSum(other Sum) {
	if other == (Sum{}) { // as most parts of a change: s is perhaps not in the processor's cache
		return
	}
	addLimbs(s.limbs[:], other.limbs[:])
	addLimbs(s.fixed[:], other.fixed[:])
	s.integers += other.integers
	s.decimals += other.decimals
	s.notAddable += other.notAddable
}

// SubtractSum undoes the AddSum of the same sum.
func (s *Sum) SubtractSum(other Sum) {
	negateLimbs(other.limbs[:])
	negateLimbs(other.fixed[:])
	other.integers, other.decimals, other.notAddable = -other.integers, -other.decimals, -other.notAddable
	s.AddSum(other)
}

// IsZero reports whether the sum is 0.
func (s *Sum) IsZero() bool { return s.limbs == [3]uint64{} && s.fixed == [5]uint64{} }

// Plus returns a with the sum added, or a itself if a sum cannot include it. The asset has these decimals.
func (s Sum) Plus(a Amount, decimals int) Amount {
	if !a.IsAddable() {
		return a
	}
	s.Add(a)
	return s.Amount(decimals)
}

// AddProduct adds a × b if sign is +1, and subtracts it if it is -1.
func (s *Sum) AddProduct(a, b int64, sign int) {
	high, low := bits.Mul64(magnitude64(a), magnitude64(b))
	product := signed(high, low, (a < 0) != (b < 0) != (sign < 0))
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

// addFixed adds a decimal, from its digits as an integer.
func (s *Sum) addFixed(high, low uint64, places int, isNegative bool) {
	factor := powersOfTen[SumPlaces-places]
	var product [5]uint64
	var carry uint64
	// (high × 2^64 + low) × (factor.high × 2^64 + factor.low)
	product[1], product[0] = bits.Mul64(low, factor.low)
	for _, pair := range [...][2]uint64{{high, factor.low}, {low, factor.high}} {
		over, under := bits.Mul64(pair[0], pair[1])
		product[1], carry = bits.Add64(product[1], under, 0)
		product[2], carry = bits.Add64(product[2], over, carry)
		product[3] += carry
	}
	over, under := bits.Mul64(high, factor.high)
	product[2], carry = bits.Add64(product[2], under, 0)
	product[3], _ = bits.Add64(product[3], over, carry)
	if isNegative {
		negateLimbs(product[:])
	}
	addLimbs(s.fixed[:], product[:])
}

func addLimbs(to, from []uint64) {
	var carry uint64
	for i := range to {
		to[i], carry = bits.Add64(to[i], from[i], carry)
	}
}

func negateLimbs(n []uint64) {
	var borrow uint64
	for i := range n {
		n[i], borrow = bits.Sub64(0, n[i], borrow)
	}
}

// powersOfTen are those from 10^0 to 10^37, the largest that a decimal is multiplied with.
var powersOfTen = func() (powers [SumPlaces]struct{ high, low uint64 }) {
	powers[0].low = 1
	for i := range SumPlaces - 1 {
		over, low := bits.Mul64(powers[i].low, 10)
		powers[i+1].high, powers[i+1].low = powers[i].high*10+over, low
	}
	return powers
}()

// addable returns the number of a text in a form of 128 bits, and false if it has too many digits or is no number.
func (a Amount) addable() (Amount, bool) {
	n, ok := parseNumber(a.text)
	if !ok {
		return a, false
	}
	if n.isDecimal {
		a = DecimalOf(a.coefficient(), n.places, 0)
	} else {
		a = AmountOfInt(a.coefficient())
	}
	return a, !a.isText()
}

// LeftOut returns how many amounts are not in the sum, so that a total can name them. The asset has these decimals: if
// they are Unscaled and the sum has decimals, integers are left out too, because their unit is not known.
func (s *Sum) LeftOut(decimals int) int {
	if decimals == Unscaled && s.fixed != [5]uint64{} && s.limbs != [3]uint64{} {
		return s.notAddable + max(s.integers, 1) // a difference of sums may have counted none
	}
	return s.notAddable
}

// Amount returns the sum, in an asset with these decimals. It is a decimal if decimals were added, with the places
// as the asset has, or more if it needs them.
func (s *Sum) Amount(decimals int) Amount {
	switch {
	case s.HasDecimals() && (decimals != Unscaled || s.limbs == [3]uint64{} || s.fixed != [5]uint64{}):
		places := max(SumPlaces, decimals)
		return DecimalOf(s.Value(decimals, places), places, decimals)
	case s.fits128():
		return Amount{high: int64(s.limbs[1]), low: s.limbs[0]}
	}
	return AmountOfInt(bigOf(s.limbs[:]))
}

// Value returns the sum in units of 10^-places, in an asset with these decimals. The places must not be fewer,
// and not less than 38 if decimals were added.
func (s *Sum) Value(decimals, places int) *big.Int {
	total := new(big.Int)
	if decimals != Unscaled {
		total.Mul(bigOf(s.limbs[:]), PowerOfTen(places-decimals))
	}
	if s.HasDecimals() {
		fixed := bigOf(s.fixed[:])
		total.Add(total, fixed.Mul(fixed, PowerOfTen(places-SumPlaces)))
	}
	return total
}

// HasDecimals reports whether decimals were added, and not all of them subtracted again.
func (s *Sum) HasDecimals() bool { return s.decimals != 0 || s.fixed != [5]uint64{} }

// bigOf returns a number in two's complement, the lowest limb first.
func bigOf(limbs []uint64) *big.Int {
	var space [5]uint64
	copied := space[:copy(space[:], limbs)]
	negative := int64(limbs[len(limbs)-1]) < 0
	if negative {
		negateLimbs(copied)
	}
	n := new(big.Int)
	for i := range copied {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(copied[len(copied)-1-i]))
	}
	if negative {
		n.Neg(n)
	}
	return n
}

// fits128 reports whether the sum of the integers has at most 38 digits: then nothing is allocated.
func (s *Sum) fits128() bool {
	high, low := s.limbs[1], s.limbs[0]
	if s.limbs[2] != uint64(int64(high)>>63) {
		return false
	}
	high, low = Packed{High: int64(high), Low: low}.Magnitude()
	const tenTo38High, tenTo38Low = 5_421_010_862_427_522_170, 687_399_551_400_673_280
	return high < tenTo38High || high == tenTo38High && low < tenTo38Low
}

// IsAddable reports whether a sum can include the amount.
func (a Amount) IsAddable() bool {
	if !a.isText() {
		return true
	}
	_, ok := a.addable()
	return ok
}
