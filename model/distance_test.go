package model_test

import (
	"math/big"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

func ratioOf(profit, maintenance string) model.MarginRatio {
	return model.MarginRatio{Profit: model.ParseAmount(profit), Maintenance: model.ParseAmount(maintenance)}
}

// TestDistances are worked out by hand. The asset has 6 decimals.
func TestDistances(t *testing.T) {
	in := estimateInstruments()
	ended, estimate := ratioOf("-449200000", "1200000000"), ratioOf("-449200000", "1200000000")
	ended.EndedAt, estimate.EndedAt, estimate.IsEstimate = 1, 1, true
	for _, c := range []struct {
		volume, entry, unrealised string
		of                        model.MarginRatio
		toHalf, toAll             string
	}{
		// short, notional 34,550.20: 600 - 449.20 = 150.80, which is 0.436% of it; 750.80 is 2.173%
		{"-10000", "341010", "-449200000", ratioOf("-449200000", "1200000000"), "+0.4%", "+2.2%"},
		{"-10000", "341010", "-449200000", estimate, "+0.4%", "+2.2%"},
		{"-10000", "341010", "-449200000", ended, "", ""},
		// long, notional 80,497.505, uPnL 346.88, maintenance 4,024.87: 2,359.315 is 2.931% and 4,371.75 is 5.431%
		{"1250", "6412050", "346880000", ratioOf("346880000", "4024870000"), "-2.9%", "-5.4%"},
		// long, notional 1: a loss of 0.5 halves it
		{"1", "100000", "0", ratioOf("0", "1000000"), "-50.0%", "-100.0%"},
		{"1", "100000", "0", ratioOf("0", "1000001"), "-50.0%", "never"},
		{"1", "100000", "0", ratioOf("0", "3000000"), "never", "never"},
		{"-1", "100000", "0", ratioOf("0", "3000000"), "+150.0%", "+300.0%"}, // a price can rise without a limit
		{"1", "100000", "-500000", ratioOf("-500000", "1000000"), "passed", "-100.0%"},
		// the entry price is 1.00, give or take 0.01: so is the distance, by 1 %
		{"1000", "100", "0", ratioOf("0", "1000000"), "", ""},
		{"1000", "200", "0", ratioOf("0", "1000000"), "-25.0%", "-50.0%"}, // give or take 0.13 and 0.25
		{"-1000", "300", "0", ratioOf("0", "30000000"), "+500%", "+1,000%"},
		// a notional of 0.50, which is known to 2 %, and a loss of 0.01 to the limit, to 0.04
		{"1", "50000", "0", ratioOf("0", "20000"), "-2.0%", "-4.0%"},
		{"1000", "100", "-500000", ratioOf("-500000", "500000"), "passed", "passed"},
		{"1000", "100000", "-499999", ratioOf("-499999", "1000000"), "-0.0%", "-0.1%"},
		{"-1000", "100000", "-499999", ratioOf("-499999", "1000000"), "+0.0%", "+0.0%"},
		{"1000", "1", "-20000", ratioOf("-20000", "1000000"), "", ""}, // the mark price would be below 0
		{"0", "100", "0", ratioOf("0", "1000000"), "", ""},
		{"1000", "100", "0", ratioOf("0", "0"), "", ""},
		{"1000", "x", "-500000", ratioOf("-500000", "1000000"), "passed", ""}, // without a notional
		{"1000", "100", "x", ratioOf("x", "1000000"), "", ""},
		{"1000", "100", "0", ratioOf("1", strings.Repeat("9", model.MaxDigits)), "", ""}, // too long to be compared
		// the same as the first of all, with decimal points
		{"-10.000", "3410.10", "-449.2", ratioOf("-449.2", "1200.0"), "+0.4%", "+2.2%"},
		{"-10000", "3410.10", "-449200000", ratioOf("-449200000", "1200000000"), "+0.4%", "+2.2%"},
		{"-1e1", "341010", "-449.2", ratioOf("-449200000", "1.2e3"), "+0.4%", "+2.2%"},
	} {
		p := estimatePosition(c.volume, c.entry, c.unrealised)
		for limit, want := range []string{c.toHalf, c.toAll} {
			got := ""
			if d, ok := model.DistanceTo(model.RatioLimit(limit), c.of, p, in); ok {
				got = d.String()
			}
			if got != want {
				t.Errorf("%+v to %s: %q, want %q", c, model.RatioLimit(limit), got, want)
			}
		}
	}
}

// mostWrong is by how much a distance in percent may be rounded: half of its last digit, which is at most twice its
// bound, and that is at most a hundredth or 0.1.
func mostWrong(percent *big.Rat) *big.Rat {
	hundredth := new(big.Rat).Mul(percent, big.NewRat(1, 100))
	if hundredth.Abs(hundredth).Cmp(big.NewRat(1, 10)) < 0 {
		return big.NewRat(1, 10)
	}
	return hundredth
}

// TestAtItsDistanceAPositionHasTheLimit: at the changed price, (profit + notional × change) ÷ maintenance is the limit.
func TestAtItsDistanceAPositionHasTheLimit(t *testing.T) {
	s := modeltest.NewSample(12, 1, 20)
	reached := 0
	for range 5000 {
		p := s.State(model.Key{Party: s.Parties[0], Market: s.Markets[1+s.IntN(19)]}, 1+s.IntN(12))
		r := model.MarginRatio{Profit: p.Number(model.UnrealisedPnl), Maintenance: s.Digits(1 + s.IntN(12))}
		for limit, value := range []*big.Rat{big.NewRat(-1, 2), big.NewRat(-1, 1)} {
			d, ok := model.DistanceTo(model.RatioLimit(limit), r, &p, s.Instruments)
			if !ok {
				continue
			}
			profit, _ := r.Profit.Int()
			maintenance, _ := r.Maintenance.Int()
			at := new(big.Rat).SetFrac(profit, maintenance)
			if passed := at.Cmp(value) <= 0; d.HasPassed() != passed {
				t.Fatalf("a ratio of %s has passed %s: %v", at, value, d.HasPassed())
			}
			if d.HasPassed() {
				continue
			}
			_, estimate, _ := model.MarkAndNotional(&p, s.Instruments)
			notional, _ := estimate.Int()
			left, _ := d.Size().Profit.Int()
			of, _ := d.Size().Maintenance.Int()
			change := new(big.Rat).SetFrac(left, of)
			if notional.Sign() > 0 {
				change.Neg(change)
			}
			if never := change.Cmp(big.NewRat(-1, 1)) < 0; d.IsNever != never {
				t.Fatalf("a change by %s is never reached: %v", change, d.IsNever)
			}
			moved := new(big.Rat).SetInt(notional)
			moved.Mul(moved, change).Add(moved, new(big.Rat).SetInt(profit)).Quo(moved, new(big.Rat).SetInt(maintenance))
			if moved.Cmp(value) != 0 {
				t.Fatalf("%+v: at a change by %s the ratio is %s, not %s", p, change, moved, value)
			}
			percent := new(big.Rat).Mul(change, big.NewRat(100, 1))
			shown, _ := new(big.Rat).SetString(strings.Trim(strings.ReplaceAll(d.String(), ",", ""), "+%"))
			if !d.IsNever && shown.Sub(shown, percent).Abs(shown).Cmp(mostWrong(percent)) > 0 {
				t.Fatalf("a change by %s %% is %s", percent.FloatString(5), d)
			}
			reached++
		}
	}
	if reached < 1000 {
		t.Errorf("only %d distances", reached)
	}
}
