package model

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

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
		{"007", Unscaled, true, "007"},
		{"1000", Unscaled, true, "1000"},
		{"1.50", 2, true, "1.50"},
		{"", 2, true, ""},
		{"-", 2, true, "-"},
	} {
		a := ParseAmount(c.text)
		if got := a.Scaled(c.decimals, c.plus); got != c.want {
			t.Errorf("%q of %d decimals reads %q, want %q", c.text, c.decimals, got, c.want)
		}
		if got := string(a.AppendScaled([]byte("is "), c.decimals, c.plus)); got != "is "+c.want {
			t.Errorf("%q of %d decimals is appended as %q", c.text, c.decimals, got)
		}
	}
}

// TestScaledSaysTheValue reads back what is written.
func TestScaledSaysTheValue(t *testing.T) {
	s := newSample(6, 0, 0)
	for range 20_000 {
		text, decimals := s.text(), s.IntN(MaxDecimals+1)
		n := bigOf(text)
		if n == nil {
			continue
		}
		scaled := ParseAmount(text).Scaled(decimals, true)
		got, ok := new(big.Rat).SetString(strings.ReplaceAll(scaled, ",", ""))
		if !ok || got.Cmp(new(big.Rat).SetFrac(n, powerOfTen(decimals))) != 0 {
			t.Fatalf("%q of %d decimals reads %q", text, decimals, scaled)
		}
		whole, fraction, _ := strings.Cut(strings.TrimLeft(scaled, "+-"), ".")
		if len(fraction) != decimals {
			t.Fatalf("%q of %d decimals reads %q", text, decimals, scaled)
		}
		for i, group := range strings.Split(whole, ",") {
			if len(group) > 3 || i > 0 && len(group) != 3 {
				t.Fatalf("the thousands of %q stand in wrong groups", scaled)
			}
		}
	}
}

func TestAppendScaledAllocatesNothing(t *testing.T) {
	a, b := ParseAmount("-"+strings.Repeat("9", 38)), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { b = a.AppendScaled(b[:0], 18, true) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"-374", "1000", "-37.4%"},
		{"1", "1", "+100.0%"},
		{"0", "7", "0.0%"},
		{"-0", "7", "0.0%"},
		{"12345", "1", "+1,234,500.0%"},
		{"1", "2000", "+0.1%"}, // 0.05 is half: away from zero
		{"-1", "2000", "-0.1%"},
		{"1", "-2000", "-0.1%"},
		{"-1", "-2000", "+0.1%"},
		{"1", "2001", "0.0%"},
		{"-1", "2001", "0.0%"}, // no minus on what is shown as zero
		{"3", "2000", "+0.2%"},
		{"1", "3", "+33.3%"},
		{"2", "3", "+66.7%"},
		{"-2", "003", "-66.7%"},
		{strings.Repeat("9", 50), strings.Repeat("9", 50), "+100.0%"},
		{"1", "0", ""},
		{"1", "-0", ""},
		{"1", "", ""},
		{"1.5", "2", ""},
	} {
		got, ok := Percent(ParseAmount(c.a), ParseAmount(c.b))
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s of %s is %q, %v; want %q", c.a, c.b, got, ok, c.want)
		}
	}
}

func TestQuoRounded(t *testing.T) {
	for x := int64(-30); x <= 30; x++ {
		for y := int64(-7); y <= 7; y++ {
			if y == 0 {
				continue
			}
			got := quoRounded(big.NewInt(x), big.NewInt(y)).String()
			// FloatString rounds the last digit half away from zero.
			want := big.NewRat(x, y).FloatString(0)
			if got != want && !(got == "0" && want == "-0") {
				t.Errorf("%d / %d is %s, want %s", x, y, got, want)
			}
		}
	}
}

func ExamplePercent() {
	profit, margin := ParseAmount("-44920"), ParseAmount("120000")
	fmt.Println(Percent(profit, margin))
	// Output: -37.4% true
}
