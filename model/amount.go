package model

import (
	"math/big"
	"math/bits"
	"strings"
)

// Amount is a number exactly as the service wrote it: an integer, unscaled, of whatever length. Integers of
// up to 38 digits are kept as 128 bits; a text that would not survive the round trip through them (a longer
// one, "007", "-0", "1e3", "1.50", "") is kept verbatim. No Amount ever passes through a float. The zero
// Amount is 0.
type Amount struct {
	high int64 // the upper half of a two's complement number of 128 bits
	low  uint64
	text string // what the service wrote, where the bits cannot say it
	kept bool   // text is what counts; it may be empty
}

// maxDigits is how many decimal digits always fit in 127 bits.
const maxDigits = 38

// ten19 is the largest power of ten in 64 bits.
const ten19 = 10_000_000_000_000_000_000

// ParseAmount keeps text. It never fails: whether the text is an integer is for IsInteger to say.
func ParseAmount[T ~string | ~[]byte](text T) Amount {
	if number, ok := parseCanonical(text); ok {
		return number.amount()
	}
	return Amount{text: string(text), kept: true}
}

// AmountOf is the amount of n.
func AmountOf(n int64) Amount { return Amount{high: n >> 63, low: uint64(n)} }

// amountOfInt is the amount of n.
func amountOfInt(n *big.Int) Amount { return ParseAmount(n.String()) }

// parseCanonical reads an integer that its bits write back to the letter.
func parseCanonical[T ~string | ~[]byte](text T) (packed, bool) {
	start := 0
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		start = 1
	}
	digits := len(text) - start
	if digits == 0 || digits > maxDigits || text[start] == '0' && (digits > 1 || negative) {
		return packed{}, false
	}
	upper, ok := parseDigits(text, start, max(start, len(text)-19))
	lower, ok2 := parseDigits(text, max(start, len(text)-19), len(text))
	if !ok || !ok2 {
		return packed{}, false
	}
	high, low := bits.Mul64(upper, ten19)
	low, carry := bits.Add64(low, lower, 0)
	high += carry
	if negative {
		high, low = negate(high, low)
	}
	return packed{int64(high), low}, true
}

// parseDigits reads text[from:to], at most 19 digits.
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

func negate(high, low uint64) (uint64, uint64) {
	low, borrow := bits.Sub64(0, low, 0)
	high, _ = bits.Sub64(0, high, borrow)
	return high, low
}

// String is the text as the service wrote it.
func (a Amount) String() string {
	if a.kept {
		return a.text
	}
	return string(a.Append(nil))
}

// Append appends the text as the service wrote it.
func (a Amount) Append(b []byte) []byte {
	if a.kept {
		return append(b, a.text...)
	}
	high, low := uint64(a.high), a.low
	if a.high < 0 {
		b = append(b, '-')
		high, low = negate(high, low)
	}
	return appendDigits(b, high, low)
}

// appendDigits writes a number of less than 39 digits.
func appendDigits(b []byte, high, low uint64) []byte {
	upper, lower := bits.Div64(high, low, ten19)
	var digits [2 * 19]byte
	at := len(digits)
	for part, n := range [...]uint64{lower, upper} {
		for at > len(digits)-19*(part+1) {
			at--
			digits[at] = byte('0' + n%10)
			n /= 10
		}
	}
	for at = 0; at < len(digits)-1 && digits[at] == '0'; at++ {
	}
	return append(b, digits[at:]...)
}

// IsInteger tells whether the service wrote an integer, of any length and with leading zeros or not. What is
// none has no place in sums or in the order of numbers.
func (a Amount) IsInteger() bool {
	if !a.kept {
		return true
	}
	digits := strings.TrimPrefix(a.text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Int is the value of an integer, and whether it is one.
func (a Amount) Int() (*big.Int, bool) {
	if !a.IsInteger() {
		return nil, false
	}
	return new(big.Int).SetString(a.String(), 10)
}

// IsZero tells whether the amount is an integer of value 0.
func (a Amount) IsZero() bool {
	if !a.kept {
		return a.high == 0 && a.low == 0
	}
	return a.IsInteger() && strings.Trim(a.text, "-0") == ""
}

// Sign is -1, 0 or +1. For what is no integer it goes by a leading minus sign.
func (a Amount) Sign() int {
	switch {
	case a.IsZero():
		return 0
	case a.high < 0, strings.HasPrefix(a.text, "-"):
		return -1
	default:
		return +1
	}
}

// Int64 is the value where it is an integer of 64 bits.
func (a Amount) Int64() (int64, bool) {
	if a.kept || a.high != int64(a.low)>>63 {
		return 0, false
	}
	return int64(a.low), true
}
