package model

import (
	"math/big"
	"slices"
)

// Axis is the scale of a chart of amounts of one asset. It begins and ends at round numbers.
type Axis struct{ low, high, step *big.Int }

// NewAxis returns an axis for amounts, with at most the given number of steps between its ticks, or two if fewer are
// given. If all amounts are the same, it is at least 10^decimals long. It returns false if no amount is an integer of
// at most MaxDigits digits.
func NewAxis(amounts []Amount, steps, decimals int) (Axis, bool) {
	var numbers []*big.Int
	for _, a := range amounts {
		if n, ok := a.Int(); ok {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return Axis{}, false
	}
	low, high := slices.MinFunc(numbers, (*big.Int).Cmp), slices.MaxFunc(numbers, (*big.Int).Cmp)
	if low.Cmp(high) == 0 {
		high = new(big.Int).Add(low, PowerOfTen(max(decimals, 0)))
	}
	for power := big.NewInt(1); ; power.Mul(power, big.NewInt(10)) {
		for _, digit := range []int64{1, 2, 5} {
			step := new(big.Int).Mul(power, big.NewInt(digit))
			first := new(big.Int).Div(low, step) // rounded down
			last := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(high), step))
			if count := new(big.Int).Sub(last, first); count.Cmp(big.NewInt(int64(max(steps, 2)))) <= 0 {
				return Axis{first.Mul(first, step), last.Mul(last, step), step}, true
			}
		}
	}
}

// Ticks returns the round numbers of the axis, the lowest first.
func (a Axis) Ticks() []Amount {
	var ticks []Amount
	for n := new(big.Int).Set(a.low); n.Cmp(a.high) <= 0; n.Add(n, a.step) {
		ticks = append(ticks, AmountOfInt(n))
	}
	return ticks
}

// Level returns the level of an amount on the axis, from 0 to levels-1, and false if it is not on the axis.
func (a Axis) Level(amount Amount, levels int) (int, bool) {
	n, ok := amount.Int()
	if !ok || n.Cmp(a.low) < 0 || n.Cmp(a.high) > 0 {
		return 0, false
	}
	n.Sub(n, a.low).Mul(n, big.NewInt(int64(levels-1)))
	return int(QuoRounded(n, new(big.Int).Sub(a.high, a.low)).Int64()), true
}

// Share returns the magnitude of a as a number of cells, if the magnitude of whole is all of the cells: at least one
// if a is not 0, and never more than all. It returns 0 if one of them is not an integer of at most MaxDigits digits.
func Share(a, whole Amount, cells int) int {
	x, isX := a.Int()
	y, isY := whole.Int()
	if !isX || !isY || x.Sign() == 0 || y.Sign() == 0 {
		return 0
	}
	if x.CmpAbs(y) >= 0 {
		return cells
	}
	x.Abs(x).Mul(x, big.NewInt(int64(cells)))
	return max(int(QuoRounded(x, y.Abs(y)).Int64()), 1)
}
