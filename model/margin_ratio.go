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
	// EndedAt is 0 for the ratio of a position as it is now. Otherwise the size of the position has changed at that
	// time, in nanoseconds since the Unix epoch, and its margin record is older: this is the ratio that it had until
	// then.
	EndedAt int64 `json:"endedAt"`
}

// HasEnded reports whether the ratio is of the time before the position's size last changed.
func (r MarginRatio) HasEnded() bool { return r.EndedAt != 0 }

// EndedFor returns how long ago the ratio ended, at a time by the service's clock. HasEnded must be true.
func (r MarginRatio) EndedFor(now time.Time) time.Duration { return now.Sub(time.Unix(0, r.EndedAt)) }

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
