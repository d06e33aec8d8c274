package model

import "testing"

// TestPackedSumIsTheSum: nothing of a sum is lost, also what it has left out.
func TestPackedSumIsTheSum(t *testing.T) {
	for _, texts := range [][]string{
		nil, {"1"}, {"-1"}, {"9223372036854775807"}, {"-9223372036854775808"}, {"9223372036854775807", "1"},
		{"-9223372036854775808", "-1"}, {"99999999999999999999999999999999999999"}, {"1.5"}, {"0.0"}, {"1", "-1"}, {"5", "NaN"},
	} {
		var sum Sum
		for _, text := range texts {
			sum.Add(ParseAmount(text))
		}
		if got := sum.Packed().Sum(); got != sum {
			t.Errorf("the sum of %q is %v, want %v", texts, got, sum)
		}
	}
}
