package sorting

import (
	"cmp"
	"math/big"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestRanksAreInTheOrderOfRatios compares ranks and comparisons with those of exact fractions.
func TestRanksAreInTheOrderOfRatios(t *testing.T) {
	s := modeltest.NewSample(5, 0, 0)
	amount := func(isDecimal bool) model.Amount {
		for {
			if a := model.ParseAmount(s.Text()); a.IsNumber() && a.IsDecimal() == isDecimal {
				return a
			}
		}
	}
	ratio := func() (model.MarginRatio, *big.Rat) {
		for {
			isDecimal := s.IntN(2) == 0
			r := model.MarginRatio{Profit: amount(isDecimal), Maintenance: amount(isDecimal)}
			if s.IntN(2) == 0 { // of few values, so that some are equal
				r = model.MarginRatio{Profit: model.AmountOf(s.Int64N(9) - 4), Maintenance: model.AmountOf(1 + s.Int64N(4))}
			}
			if r.Maintenance.Sign() > 0 {
				return r, fractionOf(r)
			}
		}
	}
	last := ratioRank | noRatio
	for range modeltest.Times(50_000) {
		r, x := ratio()
		q, y := ratio()
		if s.IntN(3) == 0 { // nearly the same
			if more, _ := model.Difference(r.Maintenance, model.AmountOf(-s.Int64N(2)), 0); more.IsNumber() {
				q = model.MarginRatio{Profit: r.Profit, Maintenance: more}
			}
			y = fractionOf(q)
		}
		want := x.Cmp(y)
		if got := r.Compare(q); got != want {
			t.Fatalf("%v and %v compare as %d, want %d", r, q, got, want)
		}
		if got := cmp.Compare(RankRatio(r), RankRatio(q)); got != want && (got != 0 || RankRatio(r).IsExact()) {
			t.Fatalf("%v ranks %x and %v ranks %x, but they compare as %d", r, RankRatio(r), q, RankRatio(q), want)
		}
		if RankRatio(r) >= last {
			t.Fatalf("%v ranks %x, after the rows without a ratio", r, RankRatio(r))
		}
	}
	if !last.IsExact() || !RankRatio(model.MarginRatio{Profit: model.AmountOf(-3), Maintenance: model.AmountOf(8)}).IsExact() {
		t.Error("a rank that must be exact is not")
	}
}

// TestRatiosOfFewDigitsHaveDifferentRanks: so the exact comparison is seldom needed.
func TestRatiosOfFewDigitsHaveDifferentRanks(t *testing.T) {
	a := model.MarginRatio{Profit: model.AmountOf(-1_000_000_007), Maintenance: model.AmountOf(3_000_000_019)}
	b := model.MarginRatio{Profit: model.AmountOf(-1_000_000_008), Maintenance: model.AmountOf(3_000_000_019)}
	if RankRatio(a) <= RankRatio(b) {
		t.Error("two ratios have the same rank")
	}
}

func fractionOf(r model.MarginRatio) *big.Rat {
	return new(big.Rat).Quo(modeltest.ValueOf(r.Profit.String(), 0), modeltest.ValueOf(r.Maintenance.String(), 0))
}
