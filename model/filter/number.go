package filter

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"blotter/model"
)

// Decimal is a number in a filter: integer / 10^decimals.
type Decimal struct {
	Integer  model.Amount
	Decimals int
	Raw      bool // it is compared only with numbers whose decimals are not known
}

// maxDecimalDigits is how many digits a number in a filter has at most. In the decimals of any instrument it then still
// has fewer than MaxDigits.
const maxDecimalDigits = 40

// parseDecimal parses a number as the screen shows numbers: with a sign, commas between thousands, a decimal point, and
// k, M or r after it; a percentage may have % there instead.
func parseDecimal(text string, isPercentage bool) (Decimal, bool) {
	var d Decimal
	zeros := 0
	if isPercentage {
		text = strings.TrimSuffix(text, "%")
	} else {
		text, d.Raw = strings.CutSuffix(text, "r")
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
	whole, isGrouped := withoutCommas(whole)
	digits := whole + fraction
	if !isGrouped || digits == "" || len(digits) > maxDecimalDigits || strings.Trim(digits, "0123456789") != "" {
		return Decimal{}, false
	}
	d.Decimals = len(fraction) - zeros
	if d.Decimals < 0 {
		digits += strings.Repeat("0", -d.Decimals)
		d.Decimals = 0
	}
	n, _ := new(big.Int).SetString(sign+digits, 10)
	d.Integer = model.AmountOfInt(n)
	return d, true
}

// withoutCommas returns digits without the commas between them. It reports false if these are not before groups of
// three digits: -1,5 may be meant as -1.5.
func withoutCommas(digits string) (string, bool) {
	groups := strings.Split(digits, ",")
	for i, group := range groups {
		if len(groups) > 1 && (group == "" || len(group) > 3 || i > 0 && len(group) < 3) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// percent returns a number in percent as a ratio.
func (d Decimal) percent() model.MarginRatio {
	return Decimal{Integer: d.Integer, Decimals: d.Decimals + 2}.ratio()
}

// ratio returns a number as a ratio.
func (d Decimal) ratio() model.MarginRatio {
	return model.MarginRatio{Profit: d.Integer, Maintenance: model.AmountOfInt(model.PowerOfTen(d.Decimals))}
}

// comparesWith reports whether a number in these decimals, which may be model.Unscaled, can be compared with d. A
// decimal and 0 need no decimals.
func (d *Decimal) comparesWith(a model.Amount, decimals int) bool {
	if d.Raw {
		return decimals == model.Unscaled
	}
	return decimals != model.Unscaled || d.Integer.IsZero() || a.IsZero() || a.IsDecimal()
}

// holds reports whether the operator holds for a number with which d compares, and d. A decimal is never raw.
func (d *Decimal) holds(o Operator, a model.Amount, decimals int) bool {
	return !(d.Raw && a.IsDecimal()) && o.Holds(model.CompareScaled(a, decimals, d.Integer, d.Decimals))
}

// scaledUp returns the number with these decimals if it has fewer, which makes a comparison with integers of these
// decimals faster.
func (d Decimal) scaledUp(decimals int) Decimal {
	n, isInteger := d.Integer.Int()
	if d.Raw || decimals <= d.Decimals || !isInteger {
		return d
	}
	return Decimal{Integer: model.AmountOfInt(n.Mul(n, model.PowerOfTen(decimals-d.Decimals))), Decimals: decimals}
}

// maxAge is the longest age in a filter.
const maxAge = 100 * 365 * 24 * time.Hour

// parseAge parses a duration in lower case: as time.ParseDuration does, and with days.
func parseAge(text string) (time.Duration, bool) {
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
