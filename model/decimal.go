package model

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// A decimal is an amount that is written with a decimal point or an exponent: "-12.5", "1e+21". Its value is what is
// written: the decimals of an instrument do not shift it, as they shift an integer.
//
// The usual form, without exponent, plus and needless zeros before the point, is kept in the 128 bits of an Amount. The
// upper half begins with four bits that no integer of 38 digits has: 0111, or 1000 if there is a minus. Six bits with
// the number of decimal places follow, from 1 to 38, and then 118 bits with all digits as one integer. So an amount
// takes no more memory than before, most decimals need no memory of their own, and equal texts still have equal bits.
// All other forms are kept as texts. They are parsed again whenever they are compared or added.
const (
	decimalTag      = 7  // of a positive decimal: the highest four bits
	minusTag        = -8 // of one with a minus
	tagShift        = 60
	placesShift     = 54
	packedPlaces    = 38          // the most decimal places of a packed decimal
	decimalHighBits = placesShift // how many bits of the digits are in the upper half
)

// isPackedInteger reports whether the amount is an integer of 128 bits.
func (a Amount) isPackedInteger() bool {
	tag := a.high >> tagShift
	return tag != decimalTag && tag != minusTag
}

// packedDigits returns the digits of a packed decimal as an integer, and how many decimal places it has.
func (a Amount) packedDigits() (high, low uint64, places int) {
	return uint64(a.high) & (1<<decimalHighBits - 1), a.low, int(uint64(a.high)>>placesShift) & 63
}

// packDecimal returns a decimal, and false if it has too many digits or places.
func packDecimal(high, low uint64, places int, negative bool) (Packed, bool) {
	if high >= 1<<decimalHighBits || places < 1 || places > packedPlaces {
		return Packed{}, false
	}
	tag := int64(decimalTag)
	if negative {
		tag = minusTag
	}
	return Packed{tag<<tagShift | int64(places)<<placesShift | int64(high), low}, true
}

// parsePackedDecimal parses a decimal in the usual form. It returns false for every other text.
func parsePackedDecimal[T ~string | ~[]byte](text T) (Packed, bool) {
	start := 0
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		start = 1
	}
	if len(text)-start > PackedDigits+2 {
		return Packed{}, false
	}
	var space [PackedDigits + 2]byte
	digits, point := space[:0], -1
	for i := start; i < len(text); i++ {
		switch {
		case text[i] != '.':
			digits = append(digits, text[i])
		case point >= 0:
			return Packed{}, false
		default:
			point = i - start
		}
	}
	if point < 1 || point == len(digits) || digits[0] == '0' && point > 1 {
		return Packed{}, false
	}
	places := len(digits) - point
	if point == 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if len(digits) > PackedDigits {
		return Packed{}, false
	}
	upper, ok := parseDigits(digits, 0, max(0, len(digits)-19))
	lower, ok2 := parseDigits(digits, max(0, len(digits)-19), len(digits))
	if !ok || !ok2 {
		return Packed{}, false
	}
	high, low := timesTen19(upper, lower)
	return packDecimal(high, low, places, negative)
}

func (a Amount) appendPackedDecimal(b []byte) []byte {
	if a.high < 0 {
		b = append(b, '-')
	}
	high, low, places := a.packedDigits()
	var space [2*PackedDigits + 1]byte
	digits := appendDigits(space[:0], high, low)
	return appendPoint(b, digits, places)
}

// appendPoint appends digits with a point before the decimal places, which are one at least.
func appendPoint(b, digits []byte, places int) []byte {
	whole := max(len(digits)-places, 0)
	if whole == 0 {
		b = append(b, '0')
	}
	b = append(append(b, digits[:whole]...), '.')
	for range places - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits[whole:]...)
}

// number is the value of a text: digits / 10^places. The digits are in two parts, and may begin with zeros.
type number struct {
	whole, fraction string
	places          int  // negative if zeros follow the digits
	isDecimal       bool // it has a point or an exponent
}

// maxNumberText is how long the text of a number can be: a sign, MaxDigits digits, a point, and an exponent.
const maxNumberText = MaxDigits + len("-.e-999")

// parseNumber parses the text of a number: a sign or none, digits, a point before, between or after them or none, and
// an exponent or none.
//
// All amounts are computed with exactly, so a short text must not stand for a huge number: 1e999999999 would take all
// memory. So no number has more than MaxDigits digits, or, written without exponent, more than MaxDigits before or
// after the point: from 1e-100 to 9.99e+99. A text beyond that is not a number.
func parseNumber(text string) (n number, ok bool) {
	if len(text) > maxNumberText {
		return number{}, false
	}
	rest := strings.TrimPrefix(text, "+")
	if len(rest) == len(text) {
		rest = strings.TrimPrefix(text, "-")
	}
	exponent := 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		if exponent, ok = parseExponent(rest[at+1:]); !ok {
			return number{}, false
		}
		rest, n.isDecimal = rest[:at], true
	}
	whole, fraction, hasPoint := strings.Cut(rest, ".")
	n.whole, n.fraction, n.isDecimal = whole, fraction, n.isDecimal || hasPoint
	n.places = len(fraction) - exponent
	count := len(whole) + len(fraction)
	if count == 0 || count > MaxDigits || !isDigits(whole) || !isDigits(fraction) {
		return number{}, false
	}
	return n, -MaxDigits <= n.places && n.places <= MaxDigits && n.length()-n.places <= MaxDigits
}

// parseExponent parses an exponent of at most three digits.
func parseExponent(text string) (int, bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(digits) < len(text)-1 || len(digits) > 3 || !isDigits(digits) {
		return 0, false
	}
	exponent, err := strconv.Atoi(text)
	return exponent, err == nil
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i]-'0' > 9 {
			return false
		}
	}
	return true
}

// length returns how many digits the number has without leading zeros.
func (n *number) length() int {
	if whole := strings.TrimLeft(n.whole, "0"); whole != "" {
		return len(whole) + len(n.fraction)
	}
	return len(strings.TrimLeft(n.fraction, "0"))
}

// appendMagnitude appends the digits without leading zeros.
func (n *number) appendMagnitude(b []byte) []byte {
	whole, fraction := strings.TrimLeft(n.whole, "0"), n.fraction
	if whole == "" {
		fraction = strings.TrimLeft(fraction, "0")
	}
	return append(append(b, whole...), fraction...)
}

// IsNumber reports whether the amount is a number: an integer or a decimal, with at most MaxDigits digits before and
// after the point. Every other amount is left out of sums and sorts after the numbers.
func (a Amount) IsNumber() bool {
	if !a.isText() {
		return true
	}
	_, ok := parseNumber(a.text)
	return ok
}

// IsDecimal reports whether the amount is a number with a decimal point or an exponent.
func (a Amount) IsDecimal() bool {
	if !a.isText() {
		return !a.isPackedInteger()
	}
	n, ok := parseNumber(a.text)
	return ok && n.isDecimal
}

// Places returns how many decimal places the number has if the unit of integers has the given decimals: these, or those
// of a decimal itself. They are negative if zeros follow its digits, as in 1e5.
func (a Amount) Places(decimals int) int {
	switch {
	case a.isPackedInteger():
		return decimals
	case !a.isText():
		_, _, places := a.packedDigits()
		return places
	}
	if n, ok := parseNumber(a.text); ok && n.isDecimal {
		return n.places
	}
	return decimals
}

// Value returns the number as n / 10^places, if the unit of integers has the given decimals. It returns false for what
// is no number, and for an integer other than 0 if decimals is Unscaled.
func (a Amount) Value(decimals int) (n *big.Int, places int, ok bool) {
	if !a.IsNumber() {
		return nil, 0, false
	}
	n = new(big.Int)
	places, ok = a.SetValue(n, decimals)
	return n, places, ok
}

// SetValue sets n as Value returns it. It needs no memory if n has enough.
func (a Amount) SetValue(n *big.Int, decimals int) (places int, ok bool) {
	if !a.IsNumber() {
		return 0, false
	}
	a.setCoefficient(n)
	if places = a.Places(decimals); places == Unscaled {
		return 0, n.Sign() == 0
	}
	return places, true
}

// coefficient returns the digits of a number as an integer, with its sign.
func (a Amount) coefficient() *big.Int {
	n := new(big.Int)
	a.setCoefficient(n)
	return n
}

// setCoefficient sets n as coefficient returns it.
func (a Amount) setCoefficient(n *big.Int) {
	n.SetInt64(0)
	if small, ok := a.Int64(); ok {
		n.SetInt64(small)
		return
	}
	if a.isText() {
		if digits := a.AppendMagnitude(nil); len(digits) > 0 {
			n.SetString(string(digits), 10)
		}
	} else {
		var magnitude [16]byte
		high, low := a.magnitude()
		binary.BigEndian.PutUint64(magnitude[:8], high)
		binary.BigEndian.PutUint64(magnitude[8:], low)
		n.SetBytes(magnitude[:])
	}
	if a.Sign() < 0 {
		n.Neg(n)
	}
}

// Aligned returns two numbers as integers in units of 10^-places, if the unit of integers has the given decimals. It
// returns false if one is not a number, or if a decimal meets an integer other than 0 and decimals is Unscaled.
func Aligned(a, b Amount, decimals int) (x, y *big.Int, places int, ok bool) {
	if areIntegers(a, b) {
		return a.coefficient(), b.coefficient(), decimals, true
	}
	x, xPlaces, isX := a.Value(decimals)
	y, yPlaces, isY := b.Value(decimals)
	if !isX || !isY {
		return nil, nil, 0, false
	}
	places = max(xPlaces, yPlaces)
	return x.Mul(x, PowerOfTen(places-xPlaces)), y.Mul(y, PowerOfTen(places-yPlaces)), places, true
}

// areIntegers reports whether two numbers are integers, or 0, which is the same in all units.
func areIntegers(a, b Amount) bool {
	return (a.IsInteger() || a.IsZero()) && (b.IsInteger() || b.IsZero())
}

// DecimalOf returns n / 10^places as a decimal, with at least places decimal places and one at least, and without
// needless zeros after these.
func DecimalOf(n *big.Int, places, least int) Amount {
	least = max(least, 1)
	if places < least {
		n, places = new(big.Int).Mul(n, PowerOfTen(least-places)), least
	}
	digits := new(big.Int).Abs(n).Append(nil, 10)
	for places > least && digits[len(digits)-1] == '0' {
		places--
		if digits = digits[:len(digits)-1]; len(digits) == 0 {
			digits, places = append(digits, '0'), least
		}
	}
	b := make([]byte, 0, textRoom)
	if n.Sign() < 0 {
		b = append(b, '-')
	}
	return ParseAmount(appendPoint(b, bytes.TrimLeft(digits, "0"), places))
}

// timesTen19 returns upper × 10^19 + lower.
func timesTen19(upper, lower uint64) (high, low uint64) {
	high, low = bits.Mul64(upper, ten19)
	low, carry := bits.Add64(low, lower, 0)
	return high + carry, low
}

// magnitude returns the digits of an amount that is no text as an integer, without its sign.
func (a Amount) magnitude() (high, low uint64) {
	if a.isPackedInteger() {
		return a.Packed().Magnitude()
	}
	high, low, _ = a.packedDigits()
	return high, low
}
