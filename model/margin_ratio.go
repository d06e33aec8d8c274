package model

import (
	"cmp"
	"math/big"
	"time"
)

// MarginRatio is the unrealised PnL of a position divided by its maintenance margin: how much of the maintenance margin
// has been won or lost. Lower is worse. Both are amounts of one asset, so the ratio needs no decimals and is exact.
//
// A position has no ratio if it is closed, if the maintenance margin is not positive, or if an amount is not a number.
type MarginRatio struct {
	Profit      Amount `json:"unrealisedPnl"`     // the unrealised PnL
	Maintenance Amount `json:"maintenanceMargin"` // the maintenance margin
	// EndedAt is 0 if the position and its margin record are of one moment. Otherwise this is the last ratio of which
	// that was so, and it is known up to this time, in nanoseconds since the Unix epoch; or it is an estimate, and
	// there has been no other one since.
	EndedAt int64 `json:"endedAt"`
	// IsEstimate is true if the maintenance margin is estimated from that of another size.
	IsEstimate bool `json:"-"`
}

// HasEnded reports whether the position and its margin record are not of one moment now.
func (r MarginRatio) HasEnded() bool { return r.EndedAt != 0 }

// EndedFor returns how long ago the ratio ended, at a time by the service's clock. HasEnded must be true.
func (r MarginRatio) EndedFor(now time.Time) time.Duration { return now.Sub(time.Unix(0, r.EndedAt)) }

// String returns the ratio in percent, with one decimal and its sign: "-37.4%". It is empty if the ratio has more than
// MaxDigits digits.
func (r MarginRatio) String() string {
	percent, _ := Percent(r.Profit, r.Maintenance, Unscaled)
	return percent
}

// IsKnown reports whether all digits of String are known if the profit may be wrong by a bound, in a unit with these
// decimals: it is a thousandth of the maintenance margin at most.
func (r MarginRatio) IsKnown(bound Amount, decimals int) bool {
	if bound.IsZero() {
		return true
	}
	wrong, of, _, ok := Aligned(bound, r.Maintenance, decimals)
	return ok && wrong.Mul(wrong, big.NewInt(1000)).CmpAbs(of) <= 0
}

// EstimateRatio returns the estimate of the ratio of a position that has this profit: its maintenance margin is the one
// that it had at another size of the same side, changed as the size has. It is rounded to an integer, or if it was a
// decimal to estimatedPlaces. EstimateRatio returns false if there is no estimate.
func EstimateRatio(profit, maintenance, was, size Amount) (MarginRatio, bool) {
	r := MarginRatio{Profit: profit, Maintenance: maintenance, IsEstimate: true}
	if was.Sign() == 0 || was.Sign() != size.Sign() || !size.IsNumber() || !profit.IsNumber() {
		return MarginRatio{}, false
	}
	if was != size {
		m, places, isM := maintenance.Value(0)
		x, y, _, areSizes := Aligned(was, size, Unscaled)
		if !isM || !areSizes {
			return MarginRatio{}, false
		}
		m.Mul(m, y)
		if maintenance.IsInteger() {
			r.Maintenance = AmountOfInt(QuoRounded(m, x))
		} else {
			to := max(places, estimatedPlaces)
			r.Maintenance = DecimalOf(QuoPlaces(m, places, x, 0, to), to, 0)
		}
	}
	return r, r.Maintenance.IsNumber() && r.Maintenance.Sign() > 0
}

// Permille returns the ratio in thousandths, rounded half away from zero: String without the sign for percent. It is an
// empty text if String is.
func (r MarginRatio) Permille() Amount {
	if n, ok := permille(r.Profit, r.Maintenance, Unscaled); ok {
		return n
	}
	return TextAmount("")
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
	if r.areIntegers() && s.areIntegers() {
		return r.Sign() * compareProducts(r.Profit, s.Maintenance, s.Profit, r.Maintenance)
	}
	a, b := r.Integers()
	c, d := s.Integers()
	return a.Mul(a, d).Cmp(c.Mul(c, b))
}

// Integers returns two integers that have the same ratio.
func (r MarginRatio) Integers() (profit, maintenance *big.Int) {
	profit, maintenance, _, ok := Aligned(r.Profit, r.Maintenance, Unscaled)
	if !ok {
		return new(big.Int), big.NewInt(1)
	}
	return profit, maintenance
}

func (r MarginRatio) areIntegers() bool {
	return r.Profit.isPackedInteger() && r.Maintenance.isPackedInteger()
}

// IsInUnit reports whether both amounts are integers, or both are decimals.
func (r MarginRatio) IsInUnit() bool {
	return r.areIntegers() || r.Profit.IsDecimal() == r.Maintenance.IsDecimal()
}

// In returns the ratio of amounts as a service sent them: if one is a decimal and the other an integer, which has these
// decimals, both as decimals. It returns false if the decimals are needed and not known, and if a sum could not include
// one of the amounts: together they may have too many digits.
func (r MarginRatio) In(decimals int) (MarginRatio, bool) {
	if r.IsInUnit() {
		return r, true
	}
	profit, maintenance, places, ok := Aligned(r.Profit, r.Maintenance, decimals)
	if !ok || !r.Profit.IsAddable() || !r.Maintenance.IsAddable() {
		return MarginRatio{}, false
	}
	if areIntegers(r.Profit, r.Maintenance) {
		r.Profit, r.Maintenance = AmountOfInt(profit), AmountOfInt(maintenance)
	} else {
		r.Profit, r.Maintenance = DecimalOf(profit, places, 0), DecimalOf(maintenance, places, 0)
	}
	return r, true
}
