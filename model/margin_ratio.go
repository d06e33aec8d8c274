package model

import (
	"cmp"
	"time"
)

// MarginRatio is the unrealised PnL of a position divided by its maintenance margin: how much of the maintenance margin
// has been won or lost. Lower is worse. Both are amounts of one asset, so the ratio needs no decimals and is exact.
//
// A position has no ratio if it is closed, if the maintenance margin is not positive, or if an amount is not
// an integer of at most MaxDigits digits.
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

// String returns the ratio in percent, with one decimal and its sign: "-37.4%".
func (r MarginRatio) String() string {
	percent, _ := Percent(r.Profit, r.Maintenance)
	return percent
}

// EstimateRatio returns the estimate of the ratio of a position that has this profit: its maintenance margin is the one
// that it had at another size of the same side, changed as the size has. It is rounded to an integer. EstimateRatio
// returns false if there is no estimate.
func EstimateRatio(profit, maintenance, was, size Amount) (MarginRatio, bool) {
	r := MarginRatio{Profit: profit, Maintenance: maintenance, IsEstimate: true}
	if was.Sign() == 0 || was.Sign() != size.Sign() || !size.IsInteger() || !profit.IsInteger() {
		return MarginRatio{}, false
	}
	if was != size {
		m, isM := maintenance.Int()
		x, isX := was.Int()
		y, isY := size.Int()
		if !isM || !isX || !isY {
			return MarginRatio{}, false
		}
		r.Maintenance = AmountOfInt(QuoRounded(m.Mul(m, y), x))
	}
	return r, r.Maintenance.IsInteger() && r.Maintenance.Sign() > 0
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
