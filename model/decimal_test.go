package model_test

import (
	"math/big"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestWhatIsANumber has the texts that services send, and what each means: a value, or nothing.
func TestWhatIsANumber(t *testing.T) {
	for _, c := range []struct {
		text, value string
		isDecimal   bool
	}{
		{"-12.5", "-25/2", true},
		{"-0.000", "0", true},
		{"5760209.9800000004", "57602099800000004/10000000000", true},
		{"1e+21", "1000000000000000000000", true},
		{"+1.5", "3/2", true},
		{"+15", "15", false},
		{".5", "1/2", true},
		{"-.5", "-1/2", true},
		{"5.", "5", true},
		{"-0", "0", false},
		{"00.10", "1/10", true},
		{"007", "7", false},
		{"1E-7", "1/10000000", true},
		{"1e5", "100000", true},
		{strings.Repeat("9", 60), strings.Repeat("9", 60), false},
		{"0." + strings.Repeat("0", 59) + "1", "1/1" + strings.Repeat("0", 60), true},
		{"1e99", "1" + strings.Repeat("0", 99), true},
		{"1e-100", "1/1" + strings.Repeat("0", 100), true},
		{"1e100", "", false},
		{"1e-101", "", false},
		{"1e999999999", "", false},
		{"-1e-999999999", "", false},
		{strings.Repeat("9", 101), "", false},
		{"0x10", "", false}, {"NaN", "", false}, {"Infinity", "", false}, {"-Infinity", "", false}, {"1_000", "", false},
		{"1,5", "", false}, {"1,000.5", "", false}, {"", "", false}, {" 1.5", "", false}, {"1.5 ", "", false}, {".", "", false},
		{"-", "", false}, {"e5", "", false}, {"1e", "", false}, {"1.2.3", "", false}, {"--1.5", "", false}, {"1.5USD", "", false},
		{"١.٥", "", false}, {"1e+-5", "", false},
	} {
		a := model.ParseAmount(c.text)
		n, places, ok := a.Value(0)
		switch {
		case a.String() != c.text:
			t.Errorf("%q comes back as %q", c.text, a)
		case ok != (c.value != "") || a.IsNumber() != ok || a.IsDecimal() != c.isDecimal:
			t.Errorf("%q: number %v and %v, decimal %v", c.text, ok, a.IsNumber(), a.IsDecimal())
		case ok:
			want, _ := new(big.Rat).SetString(c.value)
			if got := modeltest.Value(n, places); got.Cmp(want) != 0 || a.Sign() != want.Sign() || a.IsZero() != (want.Sign() == 0) {
				t.Errorf("%q is %s, sign %d, zero %v; want %s", c.text, got, a.Sign(), a.IsZero(), want)
			}
		}
	}
}

// TestSumsInDifferentScales: the decimals of the asset shift integers, and no number with a point.
func TestSumsInDifferentScales(t *testing.T) {
	for _, c := range []struct {
		amounts  string
		decimals int
		want     string
		leftOut  int
	}{
		{"1.5 2.25", model.Unscaled, "3.75", 0},
		{"1.5 2.25", 2, "3.75", 0},
		{"150 1.5", 2, "3.00", 0},
		{"150 1.5", 0, "151.5", 0},
		{"15 1.5", -3, "15001.5", 0},
		{"150 1.5", model.Unscaled, "1.5", 1}, // 150 what?
		{"150 7 1.5", model.Unscaled, "1.5", 2},
		{"0 1.5", model.Unscaled, "1.5", 0}, // 0 is 0 in every unit
		{"150 0.000", model.Unscaled, "150", 0},
		{"1.5 -1.50", 2, "0.00", 0},
		{"1e+21 -1e+21 .5 5.", model.Unscaled, "5.5", 0},
		{"1.5 NaN 1,5", 2, "1.50", 2},
		{"150 7", model.Unscaled, "157", 0},
	} {
		var sum model.Sum
		for _, text := range strings.Fields(c.amounts) {
			sum.Add(model.ParseAmount(text))
		}
		if got := sum.Amount(c.decimals); got.String() != c.want || sum.LeftOut(c.decimals) != c.leftOut {
			t.Errorf("%s in %d decimals is %s without %d, want %s without %d", c.amounts, c.decimals, got, sum.LeftOut(c.decimals), c.want, c.leftOut)
		}
	}
}

// FuzzDecimals compares what is computed with two amounts with big.Rat.
func FuzzDecimals(f *testing.F) {
	for i, text := range modeltest.Awkward {
		f.Add(text, modeltest.Awkward[len(modeltest.Awkward)-1-i], i%20)
	}
	f.Fuzz(func(t *testing.T, x, y string, decimals int) {
		decimals = max(min(decimals, model.MaxDecimals), model.MinDecimals)
		a, b := model.ParseAmount(x), model.ParseAmount(y)
		if got, want := model.CompareScaled(a, decimals, b, decimals), modeltest.CompareTexts(x, decimals, y, decimals); got != want {
			t.Errorf("%q and %q compare as %d, want %d", x, y, got, want)
		}
		p, q := modeltest.ValueOf(x, decimals), modeltest.ValueOf(y, decimals)
		if modeltest.IsAddable(x) && modeltest.IsAddable(y) {
			var sum model.Sum
			sum.Add(a)
			sum.Subtract(b)
			if got := modeltest.ValueOf(sum.Amount(decimals).String(), decimals); got.Cmp(new(big.Rat).Sub(p, q)) != 0 {
				t.Errorf("%q - %q is %s", x, y, sum.Amount(decimals))
			}
		}
		checkPercent(t, x, y, decimals)
	})
}

// checkPercent compares a percentage of two amounts in a unit with these decimals with big.Rat.
func checkPercent(t *testing.T, x, y string, decimals int) {
	percent, ok := model.Percent(model.ParseAmount(x), model.ParseAmount(y), decimals)
	p, q := modeltest.ValueOf(x, decimals), modeltest.ValueOf(y, decimals)
	if p == nil || q == nil || q.Sign() == 0 {
		if ok {
			t.Fatalf("%q of %q is %s", x, y, percent)
		}
		return
	}
	want := new(big.Rat).Quo(p, q)
	want.Mul(want, big.NewRat(100, 1))
	permille := new(big.Rat).Mul(want, big.NewRat(10, 1)).FloatString(0)
	if isLong := len(strings.TrimPrefix(permille, "-")) > model.MaxDigits; ok == isLong {
		t.Fatalf("%q of %q: %v, want %v", x, y, ok, !isLong)
	}
	if !ok {
		return
	}
	got, _ := new(big.Rat).SetString(strings.ReplaceAll(strings.TrimSuffix(percent, "%"), ",", ""))
	if off := got.Sub(got, want); off.Abs(off).Cmp(big.NewRat(1, 20)) > 0 {
		t.Errorf("%q of %q is %s", x, y, percent)
	}
}

// TestResultsWithTooManyDigits: what has more than MaxDigits digits is not shown, instead of without its decimal point.
func TestResultsWithTooManyDigits(t *testing.T) {
	nines := strings.Repeat("9", model.MaxDigits)
	for _, decimals := range []int{model.MinDecimals, 0, 2, model.MaxDecimals} {
		for _, of := range []string{"1e99", "-9e99", nines, nines[:97], nines[:96], "1e98", "5"} {
			for _, by := range []string{"01", "1", "0.1", "-1e-10", "3"} {
				checkPercent(t, of, by, decimals)
			}
		}
	}
	if difference, ok := model.Difference(model.ParseAmount(nines), model.ParseAmount("-1"), 2); ok {
		t.Errorf("a difference of 101 digits is %s", difference)
	}
	if mark, notional, ok := model.MarkAndNotional(estimatePosition(nines, nines, "0"), estimateInstruments()); ok {
		t.Errorf("the mark is %s, the notional %s", mark, notional)
	}
	if mark, notional, ok := model.MarkAndNotional(estimatePosition("9e99", "9e99", "0"), estimateInstruments()); ok {
		t.Errorf("the mark is %s, the notional %s", mark, notional)
	}
	ratio := model.MarginRatio{Profit: model.ParseAmount(nines), Maintenance: model.AmountOf(1)}
	if ratio.String() != "" || ratio.Permille().IsNumber() {
		t.Errorf("a ratio is %s and %s", ratio, ratio.Permille())
	}
}

// TestUsualDecimalsAllocateNothing: they are kept in 128 bits, as integers are.
func TestUsualDecimalsAllocateNothing(t *testing.T) {
	text, b := []byte("-5760209.9800000004"), make([]byte, 0, 64)
	other, sum := model.ParseAmount("12.5"), model.Sum{}
	order := 0
	if n := testing.AllocsPerRun(100, func() {
		a := model.ParseAmount(text)
		b = a.Append(b[:0])
		order = a.Compare(other)
		sum.Add(a)
	}); n != 0 || order != -1 {
		t.Errorf("%v allocations; it compares as %d", n, order)
	}
}

// BenchmarkAmounts does what is done with each amount of an update, with integers and with decimals.
func BenchmarkAmounts(b *testing.B) {
	for name, texts := range map[string][2]string{
		"integers": {"-57602099800000004", "1250000000000000"}, "decimals": {"-5760209.9800000004", "125000.0000000000"},
	} {
		b.Run(name, func(b *testing.B) {
			first, second := []byte(texts[0]), []byte(texts[1])
			var sum model.Sum
			var space [64]byte
			b.ReportAllocs()
			for b.Loop() {
				x, y := model.ParseAmount(first), model.ParseAmount(second)
				sum.Add(x)
				sum.Subtract(y)
				if x.Compare(y) >= 0 || len(x.Append(space[:0])) != len(first) {
					b.Fatal("wrong")
				}
			}
		})
	}
}
