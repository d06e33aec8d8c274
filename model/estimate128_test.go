package model

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestEstimatesIn128Bits compares them with those of integers of any length, for numbers of every length and around
// each limit.
func TestEstimatesIn128Bits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	number := func() Amount {
		n := new(big.Int).Lsh(big.NewInt(1), uint(random.IntN(129)))
		switch random.IntN(3) {
		case 0: // of a random length
			n.SetUint64(random.Uint64()).Lsh(n, 64).Or(n, new(big.Int).SetUint64(random.Uint64()))
			n.Rsh(n, uint(random.IntN(129)))
		case 1: // around a power of two
			n.Add(n, big.NewInt(int64(random.IntN(5)-2)))
		default: // a power of ten, and halves of it
			n.Mul(PowerOfTen(random.IntN(39)), big.NewInt([]int64{1, 2, 5, 15}[random.IntN(4)]))
		}
		if random.IntN(2) == 0 {
			n.Neg(n)
		}
		return AmountOfInt(n)
	}
	inBits := 0
	for range 100_000 {
		v := valueAtMark{size: number(), entry: number(), profit: number(), shift: random.IntN(43) - 21}
		mark, notional, ok := v.estimate128()
		if !ok {
			continue
		}
		inBits++
		if wantMark, wantNotional, ok := v.estimate(); mark != wantMark || notional != wantNotional || !ok {
			t.Fatalf("%+v: the mark is %s and the notional %s, want %s and %s, %v", v, mark, notional, wantMark, wantNotional, ok)
		}
	}
	if inBits < 10_000 {
		t.Errorf("only %d estimates were made in 128 bits", inBits)
	}
}

// TestUsualEstimatesNeed128Bits: a position of usual numbers in an asset of 18 decimals allocates nothing.
func TestUsualEstimatesNeed128Bits(t *testing.T) {
	v := valueAtMark{size: AmountOf(-55_300), entry: AmountOf(341_010_000), profit: ParseAmount("884660000000000000000"), shift: 18 - 3 - 5}
	if _, _, ok := v.estimate128(); !ok {
		t.Error("it needs more bits")
	}
	v.profit = TextAmount("1.5")
	if _, _, ok := v.estimate128(); ok {
		t.Error("a text has an estimate")
	}
}
