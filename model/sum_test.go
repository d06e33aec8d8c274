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

// TestSumsAroundTheWidestPackedAmount: each side of 10^38 is exact, and equal to the amount with the same text.
func TestSumsAroundTheWidestPackedAmount(t *testing.T) {
	for _, sign := range []string{"", "-"} {
		var sum Sum
		sum.Add(ParseAmount(sign + strings.Repeat("9", packedDigits)))
		for _, want := range []string{strings.Repeat("9", packedDigits), "1" + strings.Repeat("0", packedDigits), "1" + strings.Repeat("0", packedDigits-1) + "1"} {
			if got := sum.Amount(); got != ParseAmount(sign+want) {
				t.Errorf("the sum is %s, want %s%s", got, sign, want)
			}
			sum.Add(ParseAmount(sign + "1"))
		}
	}
}
