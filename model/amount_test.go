package model_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

func FuzzAmount(f *testing.F) {
	for _, text := range modeltest.Awkward {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkAmount(t, text) })
}

func TestAmountIsTheTextThatWasParsed(t *testing.T) {
	s := modeltest.NewSample(1, 0, 0)
	for range 20_000 {
		checkAmount(t, s.Text())
	}
}

// checkAmount compares an amount with its text, and with big.Int or big.Rat.
func checkAmount(t *testing.T, text string) {
	a := model.ParseAmount(text)
	if a.String() != text || string(a.Append([]byte("x"))) != "x"+text {
		t.Fatalf("%q comes back as %q, appended as %q", text, a.String(), a.Append([]byte("x")))
	}
	if model.ParseAmount([]byte(text)) != a {
		t.Errorf("%q is another amount as bytes", text)
	}
	want := modeltest.BigOf(text)
	got, ok := a.Int()
	if ok != (want != nil) || ok != a.IsInteger() {
		t.Fatalf("%q: Int returns %v, IsInteger %v", text, ok, a.IsInteger())
	}
	n, fits := a.Int64()
	if want == nil {
		checkNoInteger(t, text, a)
		return
	}
	if got.Cmp(want) != 0 || a.Sign() != want.Sign() || a.IsZero() != (want.Sign() == 0) {
		t.Errorf("%q: Int %v, Sign %d, IsZero %v", text, got, a.Sign(), a.IsZero())
	}
	if fits && n != want.Int64() || fits != (want.IsInt64() && want.String() == text) {
		t.Errorf("%q: Int64 is %d, %v", text, n, fits)
	}
}

// checkNoInteger compares a decimal with big.Rat, and what is no number with nothing.
func checkNoInteger(t *testing.T, text string, a model.Amount) {
	t.Helper()
	want := modeltest.ValueOf(text, 0)
	n, places, isNumber := a.Value(model.Unscaled)
	_, fits := a.Int64()
	if isNumber != (want != nil) || a.IsNumber() != isNumber || a.IsDecimal() != isNumber || fits {
		t.Fatalf("%q: number %v and %v, decimal %v, of 64 bits %v; want %v", text, isNumber, a.IsNumber(), a.IsDecimal(), fits, want)
	}
	if !isNumber {
		if a.IsZero() || a.Scaled(2, true) != text {
			t.Errorf("%q is no number: IsZero is %v, it reads %s", text, a.IsZero(), a.Scaled(2, true))
		}
		return
	}
	if modeltest.Value(n, places).Cmp(want) != 0 || a.Places(7) != places || a.Sign() != want.Sign() || a.IsZero() != (want.Sign() == 0) {
		t.Errorf("%q is %v / 10^%d, sign %d, zero %v; want %v", text, n, places, a.Sign(), a.IsZero(), want)
	}
	for _, decimals := range []int{model.Unscaled, -3, 0, 2} {
		scaled := a.Scaled(decimals, true)
		if got, ok := new(big.Rat).SetString(strings.ReplaceAll(scaled, ",", "")); !ok || got.Cmp(want) != 0 {
			t.Errorf("%q in %d decimals reads %s", text, decimals, scaled)
		}
	}
	if again := model.DecimalOf(n, places, 0); !isSameValue(again, want) {
		t.Errorf("%q is %s with the fewest digits", text, again)
	}
}

// isSameValue reports whether a decimal has a value, unless it has too many digits with a zero after the point.
func isSameValue(a model.Amount, want *big.Rat) bool {
	got := modeltest.ValueOf(a.String(), 0)
	return got != nil && got.Cmp(want) == 0 || got == nil && len(a.String()) > model.MaxDigits
}

// TestOneCharacterThatIsNoDigit, at each place of integers of each length.
func TestOneCharacterThatIsNoDigit(t *testing.T) {
	for digits := range 41 {
		for at := range digits {
			for _, character := range " +-./:_a٣" {
				checkAmount(t, strings.Repeat("7", at)+string(character)+strings.Repeat("7", digits-at-1))
			}
		}
	}
}

func TestAmountOf(t *testing.T) {
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		a := model.AmountOf(n)
		if back, ok := a.Int64(); !ok || back != n || a != model.ParseAmount(big.NewInt(n).String()) {
			t.Errorf("the amount of %d is %s", n, a)
		}
	}
	if (model.Amount{}) != model.AmountOf(0) {
		t.Error("the zero Amount is not 0")
	}
}

func TestAmountsOf38DigitsAllocateNothing(t *testing.T) {
	text := []byte("-" + strings.Repeat("9", 38))
	b := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { b = model.ParseAmount(text).Append(b[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCompareAgreesWithBigNumbers(t *testing.T) {
	s := modeltest.NewSample(2, 0, 0)
	for range 50_000 {
		x, y := s.Text(), s.Text()
		a, b := model.ParseAmount(x), model.ParseAmount(y)
		if got, want := a.Compare(b), modeltest.CompareTexts(x, 0, y, 0); got != want {
			t.Fatalf("%q and %q compare as %d, want %d", x, y, got, want)
		}
		if a.Compare(b) != -b.Compare(a) {
			t.Fatalf("%q and %q compare differently the other way round", x, y)
		}
	}
}

func TestDifferenceAgreesWithBigNumbers(t *testing.T) {
	nines := strings.Repeat("9", 38)
	half := "5" + strings.Repeat("0", 37)
	texts := []string{"0", "1", "-1", nines, "-" + nines, half, "-" + half, "1" + nines, "-1" + nines, "x", ""}
	s := modeltest.NewSample(2, 0, 0)
	for range 100 {
		texts = append(texts, s.Text())
	}
	for _, x := range texts {
		for _, y := range texts {
			for _, decimals := range []int{model.Unscaled, 2} {
				got, ok := model.Difference(model.ParseAmount(x), model.ParseAmount(y), decimals)
				a, b := modeltest.ValueOf(x, decimals), modeltest.ValueOf(y, decimals)
				isZero := func(n *big.Rat) bool { return n != nil && n.Sign() == 0 }
				isRaw := decimals == model.Unscaled && modeltest.IsDecimal(x) != modeltest.IsDecimal(y) &&
					!isZero(a) && !isZero(b)
				if a == nil || b == nil || isRaw {
					if ok {
						t.Fatalf("%q - %q is %s", x, y, got)
					}
					continue
				}
				difference := a.Sub(a, b)
				if isLong := digitsOf(difference, decimals) > model.MaxDigits; ok == isLong {
					t.Fatalf("%q - %q: known %t", x, y, ok)
				}
				if !ok {
					continue
				}
				if value := modeltest.ValueOf(got.String(), decimals); value == nil || value.Cmp(difference) != 0 {
					t.Fatalf("%q - %q is %s", x, y, got)
				}
				if modeltest.BigOf(x) != nil && modeltest.BigOf(y) != nil && got != model.AmountOfInt(new(big.Int).Sub(modeltest.BigOf(x), modeltest.BigOf(y))) {
					t.Fatalf("%q - %q is %s", x, y, got)
				}
			}
		}
	}
}

// digitsOf returns how many digits a value has with all decimal places that it needs, and with these at least.
func digitsOf(value *big.Rat, decimals int) int {
	n, ten := new(big.Rat).Mul(value, new(big.Rat).SetInt(model.PowerOfTen(max(decimals, 0)))), big.NewRat(10, 1)
	for !n.IsInt() {
		n.Mul(n, ten)
	}
	return len(n.Abs(n).Num().String())
}

func TestCompareScaledAgreesWithBigNumbers(t *testing.T) {
	s := modeltest.NewSample(3, 0, 0)
	for range 50_000 {
		x, y := s.Text(), s.Text()
		if s.IntN(4) == 0 { // the same value in other decimals
			y = x + strings.Repeat("0", s.IntN(5))
		}
		m, n := s.Decimals(), s.Decimals()
		if s.IntN(4) == 0 {
			n = max(0, m+len(y)-len(x))
		}
		got := model.CompareScaled(model.ParseAmount(x), m, model.ParseAmount(y), n)
		if want := modeltest.CompareTexts(x, m, y, n); got != want {
			t.Fatalf("%q of %d decimals and %q of %d compare as %d, want %d", x, m, y, n, got, want)
		}
	}
}

func TestCompareScaledAllocatesNothing(t *testing.T) {
	a, b := model.ParseAmount(strings.Repeat("9", 38)), model.ParseAmount(strings.Repeat("9", 37))
	if n := testing.AllocsPerRun(100, func() { model.CompareScaled(a, 18, b, 17) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		text     string
		decimals int
		plus     bool
		want     string
	}{
		{"0", 0, true, "0"},
		{"0", 3, true, "0.000"},
		{"-0", 2, true, "0.00"},
		{"007", 0, false, "7"},
		{"007", 2, true, "+0.07"},
		{"0000", 2, false, "0.00"},
		{"5", 1, false, "0.5"},
		{"5", 3, true, "+0.005"},
		{"-50", 2, true, "-0.50"},
		{"100", 0, true, "+100"},
		{"1000", 0, false, "1,000"},
		{"-999999", 0, true, "-999,999"},
		{"-1000000", 3, true, "-1,000.000"},
		{"6412050", 2, false, "64,120.50"},
		{strings.Repeat("9", 38), 38, false, "0." + strings.Repeat("9", 38)},
		{"-" + strings.Repeat("1", 40), 39, false, "-1." + strings.Repeat("1", 39)},
		{"-9223372036854775808", 0, false, "-9,223,372,036,854,775,808"},
		{"007", model.Unscaled, true, "007"},
		{"1000", model.Unscaled, true, "1000"},
		{"1.50", 2, true, "+1.50"},
		{"1.50", 8, false, "1.50"},
		{"-1234.5", model.Unscaled, true, "-1,234.5"},
		{"-0.000", 2, true, "0.000"},
		{"1e+21", 2, false, "1,000,000,000,000,000,000,000"},
		{"-1.25E-7", 2, false, "-0.000000125"},
		{"5.", 2, false, "5"},
		{".5", 2, false, "0.5"},
		{"1e5x", 2, true, "1e5x"},
		{"", 2, true, ""},
		{"-", 2, true, "-"},
	} {
		a := model.ParseAmount(c.text)
		if got := a.Scaled(c.decimals, c.plus); got != c.want {
			t.Errorf("%q of %d decimals reads %q, want %q", c.text, c.decimals, got, c.want)
		}
	}
}

// TestScaledHasTheValue parses the scaled text again.
func TestScaledHasTheValue(t *testing.T) {
	s := modeltest.NewSample(6, 0, 0)
	for range 20_000 {
		text, decimals := s.Text(), s.Decimals()
		n := modeltest.BigOf(text)
		if n == nil {
			continue
		}
		scaled := model.ParseAmount(text).Scaled(decimals, true)
		got, ok := new(big.Rat).SetString(strings.ReplaceAll(scaled, ",", ""))
		if !ok || got.Cmp(modeltest.Value(n, decimals)) != 0 {
			t.Fatalf("%q of %d decimals reads %q", text, decimals, scaled)
		}
		whole, fraction, _ := strings.Cut(strings.TrimLeft(scaled, "+-"), ".")
		if len(fraction) != max(decimals, 0) {
			t.Fatalf("%q of %d decimals reads %q", text, decimals, scaled)
		}
		for i, group := range strings.Split(whole, ",") {
			if len(group) > 3 || i > 0 && len(group) != 3 {
				t.Fatalf("the thousands of %q are in wrong groups", scaled)
			}
		}
	}
}

func TestScaledAllocatesOnlyItsText(t *testing.T) {
	a := model.ParseAmount("-" + strings.Repeat("9", 38))
	if n := testing.AllocsPerRun(100, func() { _ = a.Scaled(18, true) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// TestAnAmountOfAMillionDigitsIsOnlyText tries everything that an exported operation does with a number.
func TestAnAmountOfAMillionDigitsIsOnlyText(t *testing.T) {
	const million = 1_000_000
	in := estimateInstruments()
	hundred := model.ParseAmount("100")
	for _, text := range []string{
		strings.Repeat("9", million), "-" + strings.Repeat("9", million), strings.Repeat("0", million),
		strings.Repeat("9", model.MaxDigits+1), "-" + strings.Repeat("0", model.MaxDigits) + "1",
	} {
		a := model.ParseAmount(text)
		name := text[:3]
		if a.String() != text || string(a.Append(nil)) != text || a.Scaled(5, true) != text {
			t.Errorf("%s… is not shown as it was written", name)
		}
		n, isInt := a.Int()
		_, isInt64 := a.Int64()
		if a.IsInteger() || a.IsZero() || isInt || isInt64 {
			t.Errorf("%s… is the number %v", name, n)
		}
		if want := 1 - 2*strings.Count(text, "-"); a.Sign() != want {
			t.Errorf("%s… has sign %d", name, a.Sign())
		}
		if a.Compare(hundred) <= 0 || a.Compare(model.ParseAmount(strings.Repeat("9", model.MaxDigits))) <= 0 || a.Compare(a) != 0 {
			t.Errorf("%s… does not sort after the numbers", name)
		}
		var sum model.Sum
		sum.Add(hundred)
		sum.Add(a)
		if sum.Amount(model.Unscaled) != hundred || sum.LeftOut(model.Unscaled) != 1 {
			t.Errorf("the sum of 100 and %s… is %s without %d", name, sum.Amount(model.Unscaled), sum.LeftOut(model.Unscaled))
		}
		sum.Subtract(a)
		if sum.LeftOut(model.Unscaled) != 0 {
			t.Errorf("%d amounts are left out of the sum of 100", sum.LeftOut(model.Unscaled))
		}
		if percent, ok := model.Percent(a, hundred, model.Unscaled); ok {
			t.Errorf("%s… is %.9s of 100", name, percent)
		}
		if percent, ok := model.Percent(hundred, a, model.Unscaled); ok {
			t.Errorf("100 is %.9s of %s…", percent, name)
		}
		for _, f := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl} {
			p := estimatePosition("1000", "100", "5")
			p.SetNumber(f, a)
			if mark, notional, ok := model.MarkAndNotional(p, in); ok {
				t.Errorf("the mark is %s, the notional %s", mark, notional)
			}
		}
	}
}

// TestComputingWithAMillionDigitsAllocatesNothing: a computation with such a number would allocate memory.
func TestComputingWithAMillionDigitsAllocatesNothing(t *testing.T) {
	a, b := model.ParseAmount(strings.Repeat("9", 1_000_000)), model.ParseAmount("-"+strings.Repeat("9", 1_000_000))
	var sum model.Sum
	isZero := false
	for name, compute := range map[string]func(){
		"Compare":       func() { a.Compare(b) },
		"compareScaled": func() { model.CompareScaled(a, 3, b, 5) },
		"Int":           func() { a.Int() },
		"Sign":          func() { a.Sign() },
		"IsZero":        func() { isZero = a.IsZero() },
		"Sum":           func() { sum.Add(a); sum.Subtract(b) },
		"Percent":       func() { model.Percent(a, b, model.Unscaled) },
	} {
		if n := testing.AllocsPerRun(10, compute); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if isZero {
		t.Error("it is zero")
	}
}

func TestAnAmountOfMaxDigitsIsANumber(t *testing.T) {
	text := "-" + strings.Repeat("9", model.MaxDigits)
	a := model.ParseAmount(text)
	if n, ok := a.Int(); !ok || n.String() != text || !strings.HasSuffix(a.Scaled(2, true), ",999.99") {
		t.Errorf("%s is %v, %v, shown as %s", text, n, ok, a.Scaled(2, true))
	}
	if percent, ok := model.Percent(a, a, model.Unscaled); percent != "+100.0%" || !ok {
		t.Errorf("it is %s of itself", percent)
	}
}

// TestIntegersAndAmounts converts integers around each limit of their representation.
func TestIntegersAndAmounts(t *testing.T) {
	one := big.NewInt(1)
	for _, limit := range []*big.Int{
		big.NewInt(0), model.PowerOfTen(18), model.PowerOfTen(19), model.PowerOfTen(38), model.PowerOfTen(60),
		new(big.Int).Lsh(one, 63), new(big.Int).Lsh(one, 64), new(big.Int).Lsh(one, 126), new(big.Int).Lsh(one, 127),
	} {
		for _, n := range []*big.Int{limit, new(big.Int).Sub(limit, one), new(big.Int).Add(limit, one)} {
			for _, n := range []*big.Int{n, new(big.Int).Neg(n)} {
				a := model.AmountOfInt(n)
				back, ok := a.Int()
				if a != model.ParseAmount(n.String()) || a.String() != n.String() || !ok || back.Cmp(n) != 0 {
					t.Errorf("%s becomes %s, and back %v", n, a.String(), back)
				}
			}
		}
	}
}
