package model

import (
	"math/big"
	"strings"
	"testing"
)

// compareTexts is how amounts that are scaled are ordered, said with big.Rat.
func compareTexts(x string, xDecimals int, y string, yDecimals int) int {
	a, b := bigOf(x), bigOf(y)
	switch {
	case a == nil && b == nil:
		return strings.Compare(x, y)
	case a == nil:
		return +1
	case b == nil:
		return -1
	}
	scaled := func(n *big.Int, decimals int) *big.Rat { return new(big.Rat).SetFrac(n, powerOfTen(decimals)) }
	return scaled(a, xDecimals).Cmp(scaled(b, yDecimals))
}

func TestCompareAgreesWithBigNumbers(t *testing.T) {
	s := newSample(2, 0, 0)
	for range 50_000 {
		x, y := s.text(), s.text()
		a, b := ParseAmount(x), ParseAmount(y)
		if got, want := a.Compare(b), compareTexts(x, 0, y, 0); got != want {
			t.Fatalf("%q and %q compare as %d, want %d", x, y, got, want)
		}
		if a.Compare(b) != -b.Compare(a) {
			t.Fatalf("%q and %q compare differently the other way round", x, y)
		}
	}
}

func TestCompareScaledAgreesWithBigNumbers(t *testing.T) {
	s := newSample(3, 0, 0)
	for range 50_000 {
		x, y := s.text(), s.text()
		if s.IntN(4) == 0 { // the same value in other decimals
			y = x + strings.Repeat("0", s.IntN(5))
		}
		m, n := s.IntN(MaxDecimals+1), s.IntN(MaxDecimals+1)
		if s.IntN(4) == 0 {
			n = max(0, m+len(y)-len(x))
		}
		got := compareScaled(ParseAmount(x), m, ParseAmount(y), n)
		if want := compareTexts(x, m, y, n); got != want {
			t.Fatalf("%q of %d decimals and %q of %d compare as %d, want %d", x, m, y, n, got, want)
		}
	}
}

func TestCompareScaledAllocatesNothing(t *testing.T) {
	a, b := ParseAmount(strings.Repeat("9", 38)), ParseAmount(strings.Repeat("9", 37))
	if n := testing.AllocsPerRun(100, func() { compareScaled(a, 18, b, 17) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
