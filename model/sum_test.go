package model_test

import (
	"math/big"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestSumAgreesWithBigNumbers adds amounts and subtracts some of them again.
func TestSumAgreesWithBigNumbers(t *testing.T) {
	s := modeltest.NewSample(5, 0, 0)
	for range 300 {
		var sum model.Sum
		integers, decimals := new(big.Rat), new(big.Rat)
		count, leftOut := 0, 0 // of integers that are not 0
		for range 1 + s.IntN(100) {
			text := s.Text()
			a, n := model.ParseAmount(text), modeltest.ValueOf(text, 0)
			sum.Add(a)
			subtract := s.IntN(3) == 0
			if subtract {
				sum.Subtract(a)
			}
			switch {
			case subtract:
			case !modeltest.IsAddable(text):
				leftOut++
			case modeltest.IsDecimal(text):
				decimals.Add(decimals, n)
			default:
				if integers.Add(integers, n); n.Sign() != 0 {
					count++
				}
			}
			for _, unit := range []int{model.Unscaled, s.Decimals()} {
				want, wantLeftOut := new(big.Rat).Mul(integers, modeltest.Value(big.NewInt(1), unit)), leftOut
				if want.Add(want, decimals); unit == model.Unscaled && integers.Sign() != 0 && decimals.Sign() != 0 {
					want, wantLeftOut = decimals, leftOut+count
				}
				got := sum.Amount(unit)
				if modeltest.ValueOf(got.String(), unit).Cmp(want) != 0 || sum.LeftOut(unit) != wantLeftOut {
					t.Fatalf("after %q the sum in %d decimals is %s without %d, want %s without %d",
						text, unit, got, sum.LeftOut(unit), want.FloatString(40), wantLeftOut)
				}
			}
		}
	}
}

func TestSumOfSubtractedAmountsIsNegative(t *testing.T) {
	var sum model.Sum
	for range 3 {
		sum.Subtract(model.ParseAmount(strings.Repeat("9", model.PackedDigits)))
	}
	if got, want := sum.Amount(model.Unscaled).String(), "-2"+strings.Repeat("9", model.PackedDigits-1)+"7"; got != want {
		t.Errorf("the sum is %s, want %s", got, want)
	}
}

// TestSumsAroundTheWidestPackedAmount: each side of 10^38 is exact, and equal to the amount with the same text.
func TestSumsAroundTheWidestPackedAmount(t *testing.T) {
	for _, sign := range []string{"", "-"} {
		var sum model.Sum
		sum.Add(model.ParseAmount(sign + strings.Repeat("9", model.PackedDigits)))
		for _, want := range []string{strings.Repeat("9", model.PackedDigits), "1" + strings.Repeat("0", model.PackedDigits), "1" + strings.Repeat("0", model.PackedDigits-1) + "1"} {
			if got := sum.Amount(model.Unscaled); got != model.ParseAmount(sign+want) {
				t.Errorf("the sum is %s, want %s%s", got, sign, want)
			}
			sum.Add(model.ParseAmount(sign + "1"))
		}
	}
}

// TestSumsOfSums: a sum of sums is the sum of all their amounts, also beyond 128 bits.
func TestSumsOfSums(t *testing.T) {
	large := model.ParseAmount(strings.Repeat("9", 38))
	var one, other, all model.Sum
	for i, a := range []model.Amount{large, large, large, model.AmountOf(-7), large, model.ParseAmount("-" + strings.Repeat("8", 38))} {
		all.Add(a)
		if i%2 == 0 {
			one.Add(a)
		} else {
			other.Add(a)
		}
	}
	both := one
	both.AddSum(other)
	if both != all {
		t.Errorf("%s and %s are %s, want %s", one.Amount(model.Unscaled), other.Amount(model.Unscaled), both.Amount(model.Unscaled), all.Amount(model.Unscaled))
	}
	both.SubtractSum(all)
	if both != (model.Sum{}) {
		t.Errorf("%s is left", both.Amount(model.Unscaled))
	}
}
