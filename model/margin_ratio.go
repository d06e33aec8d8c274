package model

import (
	"cmp"
)

// MarginRatio is the unrealised PnL of a position divided by its maintenance margin: how much of the maintenance margin
// has been won or lost. Lower is worse. Both are amounts of one asset, so the ratio needs no decimals and is exact.
//
// A position has no ratio where it is closed, where the maintenance margin is not positive, or where an amount is not
// an integer of at most MaxDigits digits.
type MarginRatio struct {
	Profit      Amount // the unrealised PnL
	Maintenance Amount // the maintenance margin
}

// String returns the ratio in percent, with one decimal and its sign: "-37.4%".
func (r MarginRatio) String() string {
	percent, _ := Percent(r.Profit, r.Maintenance)
	return percent
}

// Permille returns the ratio in thousandths, rounded half away from zero: String without the sign for percent.
func (r MarginRatio) Permille() Amount {
	n, _ := permille(r.Profit, r.Maintenance)
	return n
}

// Sign returns -1, 0 or +1.
func (r MarginRatio) Sign() int { return r.Profit.Sign() }

// Compare orders ratios by value.
func (r MarginRatio) Compare(s MarginRatio) int {
	if c := cmp.Compare(r.Sign(), s.Sign()); c != 0 || r.Sign() == 0 {
		return c
	}
	if r.Maintenance == s.Maintenance {
		return r.Profit.Compare(s.Profit)
	}
	a, _ := r.Profit.Int()
	b, _ := r.Maintenance.Int()
	c, _ := s.Profit.Int()
	d, _ := s.Maintenance.Int()
	return a.Mul(a, d).Cmp(c.Mul(c, b))
}
