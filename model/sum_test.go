package model

import (
	"math/big"
	"strings"
	"testing"
)

// TestSumAgreesWithBigNumbers adds amounts and takes some of them back.
func TestSumAgreesWithBigNumbers(t *testing.T) {
	s := newSample(5, 0, 0)
	for range 300 {
		var sum Sum
		want, leftOut := new(big.Int), 0
		for range 1 + s.IntN(100) {
			text := s.text()
			a, n := ParseAmount(text), bigOf(text)
			sum.Add(a)
			subtract := s.IntN(3) == 0
			if subtract {
				sum.Subtract(a)
			}
			switch {
			case subtract:
			case n == nil || len(new(big.Int).Abs(n).String()) > packedDigits:
				leftOut++
			default:
				want.Add(want, n)
			}
			if sum.Amount().String() != want.String() || sum.LeftOut() != leftOut {
				t.Fatalf("after %q the sum is %s without %d, want %s without %d",
					text, sum.Amount(), sum.LeftOut(), want, leftOut)
			}
		}
	}
}

func TestSumGoesBelowZeroByWhatWasNeverAdded(t *testing.T) {
	var sum Sum
	for range 3 {
		sum.Subtract(ParseAmount(strings.Repeat("9", packedDigits)))
	}
	if got, want := sum.Amount().String(), "-2"+strings.Repeat("9", packedDigits-1)+"7"; got != want {
		t.Errorf("the sum is %s, want %s", got, want)
	}
}
