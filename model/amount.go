package model

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Amount is a number exactly as the service wrote it: an integer without decimal point, of any length. It is never
// converted to a float.
//
// An integer of up to 38 digits is kept in 128 bits. A text that these bits cannot represent exactly (a longer
// integer, "007", "-0", "1e3", "1.50", "") is kept as it is. The zero Amount is 0.
type Amount struct {
	high int64 // the upper half of a number of 128 bits in two's complement, or PackedText
	low  uint64
	text string // the text, if isText returns true; it may be empty
}

func (a Amount) isText() bool { return a.high == PackedText }

// PackedDigits is how many decimal digits always fit in 127 bits.
const PackedDigits = 38

// MaxDigits is how many digits an integer may have to be computed with. The largest integer of 256 bits has 78. A limit
// is needed because arithmetic on a million digits would stop the screen for seconds. A longer integer is treated like
// a text: it is shown as the service wrote it, sorts after all numbers, and nothing is derived from it.
const MaxDigits = 100

// ten19 is the largest power of ten in 64 bits.
const ten19 = 10_000_000_000_000_000_000

// ParseAmount returns the amount with the given text. It accepts every text; IsInteger reports whether it is an
// integer.
func ParseAmount[T ~string | ~[]byte](text T) Amount {
	if number, ok := parseCanonical(text); ok {
		return number.Amount()
	}
	return TextAmount(string(text))
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
	const packedBits = 126 // all integers of this many bits have at most PackedDigits digits
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
	high, low := bits.Mul64(upper, ten19)
	low, carry := bits.Add64(low, lower, 0)
	high += carry
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
	if a.isText() {
		return append(b, a.text...)
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

// IsInteger reports whether the amount is an integer of at most MaxDigits digits. It may have leading zeros. Every
// other amount is left out of sums and sorts after the integers.
func (a Amount) IsInteger() bool {
	if !a.isText() {
		return true
	}
	digits := strings.TrimPrefix(a.text, "-")
	return digits != "" && len(digits) <= MaxDigits && strings.Trim(digits, "0123456789") == ""
}

// Int returns the value, and false if IsInteger is false.
func (a Amount) Int() (*big.Int, bool) {
	switch {
	case !a.IsInteger():
		return nil, false
	case a.isText():
		return new(big.Int).SetString(a.text, 10)
	case a.high == int64(a.low)>>63:
		return big.NewInt(int64(a.low)), true
	}
	high, low := a.Packed().Magnitude()
	var magnitude [16]byte
	binary.BigEndian.PutUint64(magnitude[:8], high)
	binary.BigEndian.PutUint64(magnitude[8:], low)
	n := new(big.Int).SetBytes(magnitude[:])
	if a.high < 0 {
		n.Neg(n)
	}
	return n, true
}

// IsZero reports whether the value is 0. A text can be 0 with a decimal point too, such as -0.000.
func (a Amount) IsZero() bool {
	if !a.isText() {
		return a.high == 0 && a.low == 0
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(a.text, "-"), ".")
	return whole+fraction != "" && len(a.text) <= MaxDigits && strings.Trim(whole+fraction, "0") == ""
}

// Sign returns -1, 0 or +1. If IsInteger is false it is -1 after a minus sign, and else +1.
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
	if a.high != int64(a.low)>>63 { // also true for a text
		return 0, false
	}
	return int64(a.low), true
}

// Compare orders integers by value. All other amounts come after them, ordered by their text.
func (a Amount) Compare(b Amount) int {
	if !a.isText() && !b.isText() {
		return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low))
	}
	return compareScaled(a, 0, b, 0)
}

// compareScaled orders a / 10^aDecimals and b / 10^bDecimals as Compare does.
func compareScaled(a Amount, aDecimals int, b Amount, bDecimals int) int {
	if aDecimals == bDecimals && !a.isText() && !b.isText() {
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
	var aSpace, bSpace [PackedDigits + 1]byte
	x, y := a.AppendMagnitude(aSpace[:0]), b.AppendMagnitude(bSpace[:0])
	// The number with more digits before the decimal point is larger. If both have as many, the first digit that
	// differs decides. Trailing zeros do not count: 5 tenths are 50 hundredths.
	c := cmp.Or(
		cmp.Compare(len(x)-aDecimals, len(y)-bDecimals),
		bytes.Compare(bytes.TrimRight(x, "0"), bytes.TrimRight(y, "0")),
	)
	return c * a.Sign()
}

// AppendMagnitude appends the digits of an integer without sign and leading zeros: none if it is 0.
func (a Amount) AppendMagnitude(b []byte) []byte {
	switch {
	case a.isText():
		return append(b, strings.TrimLeft(a.text, "-0")...)
	case a.IsZero():
		return b
	}
	high, low := a.Packed().Magnitude()
	return appendDigits(b, high, low)
}

// Unscaled means that decimals are not known: the raw integer is shown, and marked as raw.
const Unscaled = -1 << 15

// How many decimal places an instrument may have. They are negative if the smallest unit is more than 1: with -3
// decimals, the integer 1234 is 1,234,000.
const (
	MinDecimals = -18
	MaxDecimals = 38
)

// Scaled returns a, an integer in units of 10^-decimals, with commas between thousands and all decimals. With plus, a
// positive number gets a sign too. It returns the text that the service wrote if IsInteger is false or decimals is
// Unscaled.
func (a Amount) Scaled(decimals int, plus bool) string {
	if decimals == Unscaled || !a.IsInteger() {
		return a.String()
	}
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

// appendPlaces appends digits with commas between thousands, and a point before the last of them: as many as there are
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
