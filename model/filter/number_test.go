package filter

import (
	"math/big"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestLimitsAreExact compares amounts near a limit, in the decimals of markets that have fewer and more than it.
func TestLimitsAreExact(t *testing.T) {
	for _, text := range []string{"0", "1.5", "-1.5", "0.05", "-0.0049", "2", "12.345k", "-.1M", "99999999999999999999.99"} {
		d, ok := parseDecimal(text, false)
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		for decimals := range 7 {
			limit := modeltest.BigOf(d.Integer.String())
			limit.Mul(limit, model.PowerOfTen(decimals)).Div(limit, model.PowerOfTen(d.Decimals))
			for off := int64(-2); off <= 2; off++ {
				n := new(big.Int).Add(limit, big.NewInt(off))
				for _, o := range []Operator{"<", "<=", ">", ">=", "=", "!="} {
					want := modeltest.Holds(string(o), modeltest.Value(n, decimals), modeltest.Value(modeltest.BigOf(d.Integer.String()), d.Decimals))
					if got := d.holds(o, model.AmountOfInt(n), decimals); got != want {
						t.Errorf("%d / 10^%d %s %s: %v", n, decimals, o, text, got)
					}
					inMarket := AmountCondition{Operator: o, Limit: d}.In(decimals)
					if got, isCompared := inMarket.Matches(model.AmountOfInt(n)); got != want || !isCompared {
						t.Errorf("%d / 10^%d %s %s in the decimals of a market: %v, compared %v", n, decimals, o, text, got, isCompared)
					}
				}
			}
		}
	}
}
