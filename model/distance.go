package model

import "math/big"

// RatioLimit is a margin ratio to which a position has a distance.
type RatioLimit uint8

// The limits.
const (
	HalfLost RatioLimit = iota // a loss of half of the maintenance margin
	AllLost                    // a loss of the maintenance margin
	RatioLimitCount
)

// ratioLimits describes every limit.
var ratioLimits = [RatioLimitCount]struct {
	text string
	key  string // of its distance, among columns and filters
	part int64  // the loss at the limit is the maintenance margin ÷ part
}{
	HalfLost: {"-50%", "to50", 2},
	AllLost:  {"-100%", "to100", 1},
}

// String returns the limit in percent: "-50%".
func (l RatioLimit) String() string { return ratioLimits[l].text }

// Key returns the name of the distance to the limit, among the columns of the screen and of what is printed, and in
// filters.
func (l RatioLimit) Key() string { return ratioLimits[l].key }

// Part returns by what the maintenance margin is divided for the loss at the limit.
func (l RatioLimit) Part() int64 { return ratioLimits[l].part }

// Distance is the change of the mark price at which the margin ratio of a position is at a limit:
//
//	(limit × maintenance margin - unrealised PnL) ÷ notional
//
// It is an estimate, because the notional is one, and because it keeps the maintenance margin as it is. It is not the
// distance to a liquidation: that depends on balances, which are not known.
type Distance struct {
	left   MarginRatio // the change without its sign: what can be lost until the limit, divided by the notional
	isRise bool
	// IsNever is true if a price of 0 does not reach the limit.
	IsNever bool
}

// DistanceTo returns the distance of an open position with this margin ratio to a limit. It returns false if the ratio
// is neither of one moment nor an estimate, and if the notional is not known or not on the side of the position. The
// distance of a position beyond the limit needs no notional.
func DistanceTo(limit RatioLimit, r MarginRatio, p *Position, in *Instruments) (Distance, bool) {
	decimals := in.Decimals(UnrealisedPnl, p.Market)
	profit, maintenance, places, ok := Aligned(r.Profit, r.Maintenance, decimals)
	if r.HasEnded() && !r.IsEstimate || !ok || maintenance.Sign() <= 0 {
		return Distance{}, false
	}
	part := big.NewInt(limit.Part())
	left := profit.Mul(profit, part)
	left.Add(left, maintenance)
	if left.Sign() <= 0 {
		return Distance{left: MarginRatio{Maintenance: AmountOf(1)}}, true
	}
	_, estimate, _ := Estimate(p, in)
	notional, notionalPlaces, ok := estimate.Value(decimals)
	if side := p.Number(OpenVolume).Sign(); !ok || places == Unscaled || side == 0 || notional.Sign() != side {
		return Distance{}, false
	}
	common := max(places, notionalPlaces)
	left.Mul(left, PowerOfTen(common-places))
	notional.Mul(notional, PowerOfTen(common-notionalPlaces))
	isShort := notional.Sign() < 0
	notional.Abs(notional).Mul(notional, part)
	d := Distance{left: MarginRatio{Profit: AmountOfInt(left), Maintenance: AmountOfInt(notional)}, isRise: isShort}
	d.IsNever = !isShort && left.Cmp(notional) > 0
	return d, d.left.Profit.IsInteger() && d.left.Maintenance.IsInteger()
}

// HasPassed reports whether the margin ratio is at the limit or below.
func (d Distance) HasPassed() bool { return d.left.Sign() == 0 }

// Size returns the change of the price without its sign, as a ratio: 0 if the limit is passed.
func (d Distance) Size() MarginRatio { return d.left }

// Compare orders distances by their sizes, the nearest first. Those that are never reached are equal, after the others.
func (d Distance) Compare(other Distance) int {
	switch {
	case d.IsNever && other.IsNever:
		return 0
	case other.IsNever:
		return -1
	}
	return d.CompareSize(other.left)
}

// CompareSize compares the size of the distance, which is above all others if the limit is never reached.
func (d Distance) CompareSize(size MarginRatio) int {
	if d.IsNever {
		return +1
	}
	return d.left.Compare(size)
}

// What String returns in place of a change.
const (
	Passed = "passed"
	Never  = "never"
)

// String returns the change of the price in percent, with one decimal and its sign: "-2.1%"; or Passed, or Never.
func (d Distance) String() string {
	sign, size := "-", d.left.Permille()
	switch {
	case d.HasPassed():
		return Passed
	case d.IsNever || !size.IsNumber():
		return Never
	}
	if d.isRise {
		sign = "+"
	}
	return sign + size.Scaled(1, false) + "%"
}
