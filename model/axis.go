package model

import (
	"math/big"
	"slices"
)

// Axis is the scale of a chart of amounts of one asset. It begins and ends at round numbers.
type Axis struct {
	low, high, step  *big.Int // in units of 10^-places
	places, decimals int
	isDecimal        bool // one of the amounts is a decimal: the ticks are decimals too
}

// NewAxis returns an axis for amounts, with at most the given number of steps between its ticks, or two if fewer are
// given. If all amounts are the same, it is at least one unit of the asset long, which has these decimals. It returns
// false if no amount is a number.
func NewAxis(amounts []Amount, steps, decimals int) (Axis, bool) {
	axis := Axis{decimals: orZero(decimals), places: orZero(decimals)}
	for _, a := range amounts {
		axis.places = max(axis.places, a.Places(axis.decimals))
		axis.isDecimal = axis.isDecimal || a.IsDecimal()
	}
	var numbers []*big.Int
	for _, a := range amounts {
		if n, ok := axis.valueOf(a); ok {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return Axis{}, false
	}
	low, high := slices.MinFunc(numbers, (*big.Int).Cmp), slices.MaxFunc(numbers, (*big.Int).Cmp)
	if low.Cmp(high) == 0 {
		high = new(big.Int).Add(low, PowerOfTen(max(axis.places, 0)))
	}
	for power := big.NewInt(1); ; power.Mul(power, big.NewInt(10)) {
		for _, digit := range []int64{1, 2, 5} {
			step := new(big.Int).Mul(power, big.NewInt(digit))
			first := new(big.Int).Div(low, step) // rounded down
			last := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(high), step))
			if count := new(big.Int).Sub(last, first); count.Cmp(big.NewInt(int64(max(steps, 2)))) <= 0 {
				axis.low, axis.high, axis.step = first.Mul(first, step), last.Mul(last, step), step
				return axis, true
			}
		}
	}
}

// valueOf returns an amount in units of 10^-places, and false if it is no number. It is rounded if it has more places
// than all amounts of the axis.
func (a Axis) valueOf(amount Amount) (*big.Int, bool) {
	n, places, ok := amount.Value(a.decimals)
	if !ok {
		return nil, false
	}
	if more := a.places - places; more >= 0 {
		return n.Mul(n, PowerOfTen(more)), true
	}
	return QuoPlaces(n, places, big.NewInt(1), 0, a.places), true
}

// Ticks returns the round numbers of the axis, the lowest first.
func (a Axis) Ticks() []Amount {
	var ticks []Amount
	for n := new(big.Int).Set(a.low); n.Cmp(a.high) <= 0; n.Add(n, a.step) {
		if a.isDecimal {
			ticks = append(ticks, DecimalOf(n, a.places, a.decimals))
		} else {
			ticks = append(ticks, AmountOfInt(n))
		}
	}
	return ticks
}

// Level returns the level of an amount on the axis, from 0 to levels-1, and false if it is not on the axis.
func (a Axis) Level(amount Amount, levels int) (int, bool) {
	n, ok := a.valueOf(amount)
	if !ok || n.Cmp(a.low) < 0 || n.Cmp(a.high) > 0 {
		return 0, false
	}
	n.Sub(n, a.low).Mul(n, big.NewInt(int64(levels-1)))
	return int(QuoRounded(n, new(big.Int).Sub(a.high, a.low)).Int64()), true
}

// Bar returns how long the bar of an amount is on an axis with 0 on it, from the level of 0 to that of the amount, in
// halves of one of the given number of levels: at least one if the amount is not 0, negative if it is below 0. Bar
// returns false if the amount is not on the axis.
func (a Axis) Bar(amount Amount, levels int) (halves int, ok bool) {
	at, ok := a.Level(amount, 2*levels-1)
	if !ok {
		return 0, false
	}
	zero, _ := a.Level(Amount{}, 2*levels-1)
	if halves = at - zero; halves == 0 {
		halves = amount.Sign()
	}
	return halves, true
}

// Share returns the magnitude of a as a number of cells, if the magnitude of whole is all of the cells: at least one if
// a is not 0, and never more than all. It returns 0 if one of them is no number. Both are of one asset with these
// decimals.
func Share(a, whole Amount, cells, decimals int) int {
	x, y, _, ok := Aligned(a, whole, decimals)
	if !ok || x.Sign() == 0 || y.Sign() == 0 {
		return 0
	}
	if x.CmpAbs(y) >= 0 {
		return cells
	}
	x.Abs(x).Mul(x, big.NewInt(int64(cells)))
	return max(int(QuoRounded(x, y.Abs(y)).Int64()), 1)
}
