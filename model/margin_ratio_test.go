package model

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestMarginRatioInPercent(t *testing.T) {
	if got := (MarginRatio{Profit: AmountOf(-44920), Maintenance: AmountOf(120000)}).String(); got != "-37.4%" {
		t.Errorf("the ratio is %s", got)
	}
}

// TestARatioOfBothForms: an amount with a decimal point and an integer have a ratio if the decimals of the asset are
// known, which shift the integer only.
func TestARatioOfBothForms(t *testing.T) {
	for _, c := range []struct {
		profit, maintenance string
		decimals            int
		want                string // empty if there is none
	}{
		{"-0.5", "100", 2, "-50.0%"},
		{"-50", "1.0", 2, "-50.0%"},
		{"-50", "1.0", 0, "-5,000.0%"},
		{"-5e-1", "1.00", 2, "-50.0%"},
		{"-50", "100", Unscaled, "-50.0%"},
		{"-0.5", "1.0", Unscaled, "-50.0%"},
		{"-0.5", "100", Unscaled, ""},
		{"-50", "1.0", Unscaled, ""},
		{"0", "1.0", Unscaled, "0.0%"},                                  // 0 is 0 in every unit
		{"-1e-100", "12345678901234567890123456789012345678901", 2, ""}, // together too many digits
	} {
		r, ok := MarginRatio{Profit: ParseAmount(c.profit), Maintenance: ParseAmount(c.maintenance)}.In(c.decimals)
		got := ""
		if ok {
			got = r.String()
		}
		if got != c.want {
			t.Errorf("%s ÷ %s in %d decimals is %q, want %q", c.profit, c.maintenance, c.decimals, got, c.want)
		}
	}
}

// TestLongRatiosAreComparedExactly compares ratios of up to 38 digits that are equal, nearly equal, or about half
// of each other.
func TestLongRatiosAreComparedExactly(t *testing.T) {
	s := rand.New(rand.NewPCG(1, 1))
	number := func() *big.Int { return big.NewInt(1 + s.Int64N(1<<(1+s.IntN(60)))) }
	for range 20_000 {
		p, m, k, l := number(), number(), number(), number()
		r := MarginRatio{Profit: AmountOfInt(new(big.Int).Mul(p, k)), Maintenance: AmountOfInt(new(big.Int).Mul(m, k))}
		profit := new(big.Int).Add(new(big.Int).Mul(p, l), big.NewInt(s.Int64N(3)-1))
		profit.Mul(profit, big.NewInt(1+s.Int64N(2)))
		if s.IntN(2) == 0 {
			profit.Neg(profit)
		}
		other := MarginRatio{Profit: AmountOfInt(profit), Maintenance: AmountOfInt(new(big.Int).Mul(m, l))}
		want := new(big.Rat).SetFrac(p, m).Cmp(new(big.Rat).SetFrac(profit, new(big.Int).Mul(m, l)))
		if got := r.Compare(other); got != want || other.Compare(r) != -want {
			t.Fatalf("%v and %v: %d, want %d", r, other, got, want)
		}
	}
}
