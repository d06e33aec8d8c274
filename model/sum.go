package model

import (
	"math/big"
	"math/bits"
	"slices"
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

// withoutLeadingZeros returns a text as a number of 128 bits, and false where it is not an integer of at most 38
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

// Total is the profit of the positions in scope whose markets settle in one asset. The zero ID stands for the markets whose
// asset is not known. Their numbers do not have one unit, so no sum of them is shown.
type Total struct {
	Asset      ID
	Unrealised Sum
	Realised   Sum
	Rows       int
}

// totals are totals by the code of their asset. The Asset of each is not set.
type totals []Total

// add adds a position with sign +1, and takes one that was added out with sign -1.
func (t *totals) add(p *Position, asset uint32, sign int) {
	for int(asset) >= len(*t) {
		*t = append(*t, Total{})
	}
	total := &(*t)[asset]
	total.Rows += sign
	if sign > 0 {
		total.Unrealised.Add(p.Number(UnrealisedPnl))
		total.Realised.Add(p.Number(RealisedPnl))
		return
	}
	total.Unrealised.Subtract(p.Number(UnrealisedPnl))
	total.Realised.Subtract(p.Number(RealisedPnl))
}

// addAll adds many rows as add does. It first copies some of them: so the processor loads the next row from memory
// while it still waits for the one before.
func (t *totals) addAll(entries []entry, c *encoder) {
	var rows [64]Position
	for part := range slices.Chunk(entries, len(rows)) {
		for i, e := range part {
			rows[i] = *e.row
		}
		for i, e := range part {
			t.add(&rows[i], c.assetCodes[e.market()], +1)
		}
	}
}
