package model

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Amount is a number exactly as the service wrote it: an integer, or a decimal. It is never converted to a float.
//
// An integer of up to 38 digits and a decimal in its usual form are kept in 128 bits. A text that these bits cannot
// represent exactly (a longer integer, "007", "-0", "1e3", "5.", "") is kept as it is. The zero Amount is 0.
type Amount struct {
	high int64 // the upper half of a number of 128 bits in two's complement, or of a packed decimal, or PackedText
	low  uint64
	text string // the text, if isText returns true; it may be empty
}

func (a Amount) isText() bool { return a.high == PackedText }

// PackedDigits is how many decimal digits always fit in 127 bits.
const PackedDigits = 38

// MaxDigits is how many digits an integer may have to be computed with. The largest integer of 256 bits has 78. A limit
// is needed because arithmetic on a million digits would stop the screen for seconds. A longer integer is treated like
// a text: it is shown as the service wrote it, sorts after all numbers, and nothing is derived from it. parseNumber has
// the limits of decimals.
const MaxDigits = 100

// ten19 is the largest power of ten in 64 bits.
const ten19 = 10_000_000_000_000_000_000

// ParseAmount returns the amount with the given text. It accepts every text; IsNumber reports whether it is a number.
func ParseAmount[T ~string | ~[]byte](text T) Amount {
	if number, ok := parsePacked(text); ok {
		return number.Amount()
	}
	return TextAmount(string(text))
}

// parsePacked parses an integer or a decimal that 128 bits represent exactly. It reports false for every other text.
func parsePacked[T ~string | ~[]byte](text T) (Packed, bool) {
	if number, ok := parseCanonical(text); ok {
		return number, true
	}
	return parsePackedDecimal(text)
}

// MarshalText returns what String does. It implements encoding.TextMarshaler.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText sets the amount to the one with the given text. It implements encoding.TextUnmarshaler.
func (a *Amount) UnmarshalText(text []byte) error {
	*a = ParseAmount(text)
	return nil
}

// AmountOf returns n as an amount.
func AmountOf(n int64) Amount { return Amount{high: n >> 63, low: uint64(n)} }

// AmountOfInt returns n as an amount.
func AmountOfInt(n *big.Int) Amount {
	const packedBits = 126 // integers of at most 126 bits have at most PackedDigits digits
	if n.BitLen() > packedBits {
		return ParseAmount(n.String())
	}
	var magnitude [16]byte
	n.FillBytes(magnitude[:])
	high, low := binary.BigEndian.Uint64(magnitude[:8]), binary.BigEndian.Uint64(magnitude[8:])
	return signed(high, low, n.Sign() < 0).Amount()
}

// parseCanonical parses an integer of up to 38 digits. It reports false for every other text, also for an integer with
// leading zeros and for "-0".
func parseCanonical[T ~string | ~[]byte](text T) (Packed, bool) {
	start := 0
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		start = 1
	}
	digits := len(text) - start
	if digits == 0 || digits > PackedDigits || text[start] == '0' && (digits > 1 || negative) {
		return Packed{}, false
	}
	upper, ok := parseDigits(text, start, max(start, len(text)-19))
	lower, ok2 := parseDigits(text, max(start, len(text)-19), len(text))
	if !ok || !ok2 {
		return Packed{}, false
	}
	high, low := timesTen19(upper, lower)
	return signed(high, low, negative), true
}

// parseDigits parses text[from:to], at most 19 digits.
func parseDigits[T ~string | ~[]byte](text T, from, to int) (n uint64, ok bool) {
	for i := from; i < to; i++ {
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = n*10 + uint64(digit)
	}
	return n, true
}

// negate returns the number of 128 bits in two's complement with the other sign.
func negate(high, low uint64) (uint64, uint64) {
	low, borrow := bits.Sub64(0, low, 0)
	high, _ = bits.Sub64(0, high, borrow)
	return high, low
}

// String returns the text that the service wrote.
func (a Amount) String() string {
	if a.isText() {
		return a.text
	}
	return string(a.Append(nil))
}

// Append appends the text that the service wrote.
func (a Amount) Append(b []byte) []byte {
	switch {
	case a.isText():
		return append(b, a.text...)
	case !a.isPackedInteger():
		return a.appendPackedDecimal(b)
	}
	if a.high < 0 {
		b = append(b, '-')
	}
	high, low := a.Packed().Magnitude()
	return appendDigits(b, high, low)
}

// appendDigits appends a number of at most 38 digits.
func appendDigits(b []byte, high, low uint64) []byte {
	if high == 0 {
		return strconv.AppendUint(b, low, 10)
	}
	upper, lower := bits.Div64(high, low, ten19)
	var space [19]byte
	digits := strconv.AppendUint(space[:0], lower, 10)
	b = strconv.AppendUint(b, upper, 10)
	return append(append(b, "0000000000000000000"[len(digits):]...), digits...)
}

// IsInteger reports whether the amount is an integer of at most MaxDigits digits. It may have leading zeros, and a
// plus.
func (a Amount) IsInteger() bool {
	if !a.isText() {
		return a.isPackedInteger()
	}
	n, ok := parseNumber(a.text)
	return ok && !n.isDecimal
}

// Int returns the value, and false if IsInteger is false.
func (a Amount) Int() (*big.Int, bool) {
	if !a.IsInteger() {
		return nil, false
	}
	return a.coefficient(), true
}

// IsZero reports whether the value is 0, in whatever form: -0.000 is.
func (a Amount) IsZero() bool {
	switch {
	case a.isPackedInteger():
		return a.high == 0 && a.low == 0
	case !a.isText():
		high, low, _ := a.packedDigits()
		return high == 0 && low == 0
	}
	n, ok := parseNumber(a.text)
	return ok && n.length() == 0
}

// Sign returns -1, 0 or +1. If IsNumber is false it is -1 after a minus sign, and else +1.
func (a Amount) Sign() int {
	switch {
	case a.IsZero():
		return 0
	case !a.isText() && a.high < 0, strings.HasPrefix(a.text, "-"):
		return -1
	default:
		return +1
	}
}

// Int64 returns the value of an integer of 64 bits, and false if the amount is not one.
func (a Amount) Int64() (int64, bool) {
	if a.high != int64(a.low)>>63 { // also true for a text and for a decimal
		return 0, false
	}
	return int64(a.low), true
}

// AppendMagnitude appends the digits of a number without sign, point and leading zeros: none if it is 0.
func (a Amount) AppendMagnitude(b []byte) []byte {
	switch {
	case a.isText():
		n, _ := parseNumber(a.text)
		return n.appendMagnitude(b)
	case a.IsZero():
		return b
	}
	high, low := a.magnitude()
	return appendDigits(b, high, low)
}

// Unscaled means that decimals are not known: the raw integer is shown, and marked as raw.
const Unscaled = -1 << 15

// orZero returns decimals, or 0 if they are Unscaled: then integers are compared as they are.
func orZero(decimals int) int {
	if decimals == Unscaled {
		return 0
	}
	return decimals
}

// How many decimal places an instrument may have. They are negative if the smallest unit is more than 1: with -3
// decimals, the integer 1234 is 1,234,000.
const (
	MinDecimals = -18
	MaxDecimals = 38
)

// Scaled returns a, an integer in units of 10^-decimals or a decimal, with commas between thousands and all decimals.
// With plus, a positive number gets a sign too. It returns the text that the service wrote if it is no number, and if
// it is an integer and decimals is Unscaled.
func (a Amount) Scaled(decimals int, plus bool) string {
	decimals = a.Places(decimals)
	if decimals == Unscaled || !a.IsNumber() {
		return a.String()
	}
	return a.written(decimals, plus)
}

// written returns a number, whose last digit is at this decimal place, with commas between thousands.
func (a Amount) written(decimals int, plus bool) string {
	var space [PackedDigits + 1]byte
	b := make([]byte, 0, textRoom)
	switch sign := a.Sign(); {
	case sign < 0:
		b = append(b, '-')
	case plus && sign > 0:
		b = append(b, '+')
	}
	return string(appendPlaces(b, a.AppendMagnitude(space[:0]), decimals))
}

// textRoom is how many bytes the buffer for the text of a number has. Usual texts fit in it, so no other is allocated.
const textRoom = 64

// appendPlaces appends digits with commas between thousands, and a point before the decimal places, if there are
// decimal places. If these are negative, zeros follow the digits.
func appendPlaces(b, digits []byte, decimals int) []byte {
	if len(digits) == 0 {
		decimals = max(decimals, 0)
	}
	whole := len(digits) - decimals
	if whole <= 0 {
		b = append(b, '0')
	}
	for i := range max(whole, 0) {
		if i > 0 && (whole-i)%3 == 0 {
			b = append(b, ',')
		}
		if i < len(digits) {
			b = append(b, digits[i])
		} else {
			b = append(b, '0')
		}
	}
	if decimals <= 0 {
		return b
	}
	b = append(b, '.')
	for range -whole {
		b = append(b, '0')
	}
	return append(b, digits[max(whole, 0):]...)
}
