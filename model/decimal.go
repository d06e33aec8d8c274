package model

import (
	"bytes"
	"math/big"
)

// Unscaled says that the decimals of a number are not known: the raw integer is shown and marked as raw.
const Unscaled = -1

// MaxDecimals is how many decimal places an instrument may have.
const MaxDecimals = 38

// AppendScaled appends a, an integer in units of 10^-decimals, as a trader reads it: thousands grouped by
// commas, all decimals shown, and with plus a sign on positive numbers too. An amount that is no integer,
// or whose decimals are Unscaled, is appended as the service wrote it.
func (a Amount) AppendScaled(b []byte, decimals int, plus bool) []byte {
	if decimals < 0 || !a.IsInteger() {
		return a.Append(b)
	}
	var space [48]byte
	digits := a.Append(space[:0])
	negative := digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	zero := len(bytes.Trim(digits, "0")) == 0
	switch {
	case negative && !zero:
		b = append(b, '-')
	case plus && !zero:
		b = append(b, '+')
	}
	whole := len(digits) - decimals
	if whole <= 0 {
		b = append(b, '0')
	}
	for i := range max(whole, 0) {
		if i > 0 && (whole-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, digits[i])
	}
	if decimals == 0 {
		return b
	}
	b = append(b, '.')
	for range -whole {
		b = append(b, '0')
	}
	return append(b, digits[max(whole, 0):]...)
}

// Scaled is AppendScaled as a string.
func (a Amount) Scaled(decimals int, plus bool) string {
	return string(a.AppendScaled(nil, decimals, plus))
}

// Percent is a / b in percent with one decimal, rounded half away from zero, with its sign: "-37.4%". The
// two must be in the same units. It is false where there is no such number.
func Percent(a, b Amount) (string, bool) {
	x, isX := a.Int()
	y, isY := b.Int()
	if !isX || !isY || y.Sign() == 0 {
		return "", false
	}
	permille := quoRounded(x.Mul(x, big.NewInt(1000)), y)
	return amountOfInt(permille).Scaled(1, true) + "%", true
}

// quoRounded is x / y rounded half away from zero. Both may be changed.
func quoRounded(x, y *big.Int) *big.Int {
	negative := x.Sign()*y.Sign() < 0
	x.Abs(x)
	y.Abs(y)
	// x / y + 1/2 without its fraction
	x.Lsh(x, 1).Add(x, y)
	y.Lsh(y, 1)
	x.Quo(x, y)
	if negative {
		x.Neg(x)
	}
	return x
}
