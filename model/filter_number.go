package model

import (
	"math/big"
	"strconv"
	"strings"
	"time"
)

// decimal is a number in a filter: integer / 10^decimals.
type decimal struct {
	integer  Amount
	decimals int
	raw      bool // it is compared only with numbers whose decimals are not known
}

// maxDecimalDigits is how many digits a number in a filter has at most. In the decimals of any instrument it then still
// has fewer than MaxDigits.
const maxDecimalDigits = 40

// parseDecimal parses a number as the screen shows numbers: with a sign, commas between thousands, a decimal point, and
// k, M or r after it; a percentage may have % there instead.
func parseDecimal(text string, isPercentage bool) (decimal, bool) {
	var d decimal
	zeros := 0
	if isPercentage {
		text = strings.TrimSuffix(text, "%")
	} else {
		text, d.raw = strings.CutSuffix(text, "r")
		switch {
		case strings.HasSuffix(text, "k"), strings.HasSuffix(text, "K"):
			zeros = 3
		case strings.HasSuffix(text, "M"), strings.HasSuffix(text, "m"):
			zeros = 6
		}
		if zeros > 0 {
			text = text[:len(text)-1]
		}
	}
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	} else {
		text = strings.TrimPrefix(text, "+")
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := strings.ReplaceAll(whole, ",", "") + fraction
	if digits == "" || len(digits) > maxDecimalDigits || strings.Trim(digits, "0123456789") != "" {
		return decimal{}, false
	}
	d.decimals = len(fraction) - zeros
	if d.decimals < 0 {
		digits += strings.Repeat("0", -d.decimals)
		d.decimals = 0
	}
	n, _ := new(big.Int).SetString(sign+digits, 10)
	d.integer = amountOfInt(n)
	return d, true
}

// percent returns a number in percent as a ratio.
func (d decimal) percent() MarginRatio {
	return MarginRatio{d.integer, amountOfInt(powerOfTen(d.decimals + 2))}
}

// limit is what amounts of a market are compared with.
type limit struct {
	known bool   // the amounts can be compared
	floor Amount // the limit as an integer with the decimals of the market, rounded down
	above bool   // it was rounded: the limit is above floor, and below the next integer
}

// in returns the limit for amounts with so many decimals, which may be Unscaled.
func (d decimal) in(decimals int) limit {
	switch {
	case decimals == Unscaled && (d.raw || d.integer.IsZero()):
		decimals = 0
	case decimals == Unscaled, d.raw:
		return limit{}
	}
	n, _ := d.integer.Int()
	if decimals >= d.decimals {
		return limit{known: true, floor: amountOfInt(n.Mul(n, powerOfTen(decimals-d.decimals)))}
	}
	rest := new(big.Int)
	n.DivMod(n, powerOfTen(d.decimals-decimals), rest)
	return limit{known: true, floor: amountOfInt(n), above: rest.Sign() != 0}
}

// matches reports whether the operator holds for an amount and the limit.
func (l *limit) matches(a Amount, o operator) bool {
	if !l.known || !a.IsInteger() {
		return false
	}
	order := a.Compare(l.floor)
	if order == 0 && l.above {
		order = -1
	}
	return o.holds(order)
}

// maxAge is the longest age in a filter.
const maxAge = 100 * 365 * 24 * time.Hour

// parseAge parses a duration: as time.ParseDuration does, and with days.
func parseAge(text string) (time.Duration, bool) {
	text = strings.ToLower(text)
	var age time.Duration
	if days, rest, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return 0, false
		}
		age, text = time.Duration(n)*24*time.Hour, rest
		if text == "" {
			return age, age <= maxAge
		}
	}
	more, err := time.ParseDuration(text)
	if err != nil || more < 0 || more > maxAge || strings.HasPrefix(text, "+") {
		return 0, false
	}
	return age + more, age+more <= maxAge
}
