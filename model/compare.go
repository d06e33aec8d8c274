package model

import (
	"bytes"
	"cmp"
	"strings"
)

// Compare orders integers by value, before everything that is no integer, which goes by its text.
func (a Amount) Compare(b Amount) int {
	if !a.kept && !b.kept {
		return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low))
	}
	return compareScaled(a, 0, b, 0)
}

// compareScaled orders a / 10^aDecimals and b / 10^bDecimals as Compare does.
func compareScaled(a Amount, aDecimals int, b Amount, bDecimals int) int {
	if aDecimals == bDecimals && !a.kept && !b.kept {
		return a.Compare(b)
	}
	switch isA, isB := a.IsInteger(), b.IsInteger(); {
	case !isA && !isB:
		return strings.Compare(a.text, b.text)
	case !isA:
		return +1
	case !isB:
		return -1
	}
	if c := cmp.Compare(a.Sign(), b.Sign()); c != 0 {
		return c
	}
	var aSpace, bSpace [maxDigits + 1]byte
	x, y := a.appendMagnitude(aSpace[:0]), b.appendMagnitude(bSpace[:0])
	// Of as many digits before the decimal point, the first that differs decides. Zeros at the end do not
	// count: 5 tenths are 50 hundredths.
	c := cmp.Or(
		cmp.Compare(len(x)-aDecimals, len(y)-bDecimals),
		bytes.Compare(bytes.TrimRight(x, "0"), bytes.TrimRight(y, "0")),
	)
	return c * a.Sign()
}

// appendMagnitude writes the digits of an integer without its sign and without leading zeros: none where
// it is 0.
func (a Amount) appendMagnitude(b []byte) []byte {
	digits := bytes.TrimPrefix(a.Append(b), []byte("-"))
	return bytes.TrimLeft(digits, "0")
}
