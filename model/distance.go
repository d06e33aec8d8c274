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
	places int // of the change in percent, as it is shown
	// IsNever is true if a price of 0 does not reach the limit.
	IsNever bool
}

// DistanceTo returns the distance of an open position with this margin ratio to a limit. It returns false if the ratio
// is neither of one moment nor an estimate, if the market is not linear, if the notional is not known or not on the
// side of the position, and if the bound of the distance is too large for a change in percent with one decimal. The
// distance of a position beyond the limit needs no notional.
//
// The bound follows from those of the notional and of what can be lost, one unit of the unrealised PnL and one of the
// maintenance margin: (bound of what can be lost + distance × bound of the notional) ÷ (notional - its bound).
func DistanceTo(limit RatioLimit, r MarginRatio, p *Position, in *Instruments) (Distance, bool) {
	decimals := in.Decimals(UnrealisedPnl, p.Market)
	profit, maintenance, places, ok := Aligned(r.Profit, r.Maintenance, decimals)
	if r.HasEnded() && !r.IsEstimate || !ok || maintenance.Sign() <= 0 || !in.IsLinear(p.Market) {
		return Distance{}, false
	}
	part := big.NewInt(limit.Part())
	left := profit.Mul(profit, part)
	left.Add(left, maintenance)
	if left.Sign() <= 0 {
		return Distance{left: MarginRatio{Maintenance: AmountOf(1)}}, true
	}
	_, estimate, _ := MarkAndNotional(p, in)
	notional, bound, notionalPlaces, ok := Aligned(estimate.Amount, estimate.Bound, decimals)
	if side := p.Number(OpenVolume).Sign(); !ok || places == Unscaled || side == 0 || notional.Sign() != side {
		return Distance{}, false
	}
	common := max(places, notionalPlaces, r.Profit.unitPlaces(decimals), r.Maintenance.unitPlaces(decimals))
	left.Mul(left, PowerOfTen(common-places))
	wrong := PowerOfTen(common - r.Profit.unitPlaces(decimals))
	wrong.Mul(wrong, part).Add(wrong, PowerOfTen(common-r.Maintenance.unitPlaces(decimals)))
	notional.Mul(notional, PowerOfTen(common-notionalPlaces))
	bound.Mul(bound, PowerOfTen(common-notionalPlaces)).Mul(bound, part)
	isShort := notional.Sign() < 0
	notional.Abs(notional).Mul(notional, part)
	d := Distance{left: MarginRatio{Profit: AmountOfInt(left), Maintenance: AmountOfInt(notional)}, isRise: isShort}
	d.IsNever = !isShort && left.Cmp(notional) > 0
	d.places, ok = placesOfDistance(left, wrong, notional, bound)
	return d, ok && d.left.Profit.IsInteger() && d.left.Maintenance.IsInteger()
}

// placesOfDistance returns with how many decimal places left ÷ notional is shown in percent, and false if it is not
// known. By wrong and bound the two may be wrong.
func placesOfDistance(left, wrong, notional, bound *big.Int) (places int, ok bool) {
	sum := new(big.Int).Add(wrong, bound)
	if left.Cmp(notional) <= 0 && sum.Mul(sum, big.NewInt(1000)).Add(sum, bound).Cmp(notional) <= 0 {
		return 1, true // the bound is at most 0.1 percent: so it is nearly always
	}
	least := new(big.Int).Sub(notional, bound)
	if least.Sign() <= 0 {
		return 0, false
	}
	by := new(big.Int).Mul(wrong, notional)
	by.Add(by, new(big.Int).Mul(left, bound)).Mul(by, big.NewInt(1000)) // ÷ (least × notional), in thousandths
	hundredth, unit := new(big.Int).Mul(left, big.NewInt(10)), new(big.Int).Mul(notional, least)
	if by.Cmp(hundredth.Mul(hundredth, least)) > 0 && by.Cmp(unit) > 0 {
		return 0, false
	}
	by.Quo(by, unit).Add(by, big.NewInt(1))
	return min(Estimate{Bound: AmountOfInt(by)}.KnownPlaces(1), 1), true
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

// String returns the change of the price in percent, with its sign and one decimal, or fewer if its bound leaves fewer:
// "-2.1%"; or Passed, or Never.
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
	text, _ := size.Rounded(1, d.places, false)
	return sign + text + "%"
}
