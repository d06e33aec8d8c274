package model

import (
	"bytes"
	"slices"
)

// Rounded returns a, an integer in units of 10^-decimals or a decimal, as Scaled does, but with at most the given
// number of decimal places. If that is negative, the last digits before the point are zeros. It is rounded half away
// from zero. A number that is rounded to zero keeps its sign, with and without plus, because it is not zero: "-0.00".
// isExact reports whether no digit but zeros was left out.
func (a Amount) Rounded(decimals, places int, plus bool) (text string, isExact bool) {
	decimals = a.Places(decimals)
	switch {
	case decimals == Unscaled, !a.IsNumber():
		return a.String(), true
	case decimals <= places || a.IsZero():
		return a.written(min(decimals, max(places, 0)), plus), true
	}
	var space [PackedDigits + 2]byte
	digits := a.AppendMagnitude(space[:0])
	cut := decimals - places // how many digits are left out; a short number has fewer
	kept, rest := digits[:max(len(digits)-cut, 0)], digits[max(len(digits)-cut, 0):]
	isExact = len(bytes.Trim(rest, "0")) == 0
	if len(rest) == cut && rest[0] >= '5' {
		kept = incremented(kept)
	}
	b := make([]byte, 0, textRoom)
	switch {
	case a.Sign() < 0:
		b = append(b, '-')
	case plus || len(kept) == 0:
		b = append(b, '+')
	}
	return string(appendPlaces(b, kept, decimals-cut)), isExact
}

// incremented returns the digits of the next integer.
func incremented(digits []byte) []byte {
	digits = slices.Clone(digits)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return digits
		}
		digits[i] = '0'
	}
	return append([]byte{'1'}, digits...)
}

// Digits returns how many digits a number has without leading zeros, and 0 if it is zero or no number.
func (a Amount) Digits() int {
	var space [PackedDigits + 1]byte
	return len(a.AppendMagnitude(space[:0]))
}
