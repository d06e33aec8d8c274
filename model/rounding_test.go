package model

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRounded(t *testing.T) {
	for _, c := range []struct {
		text             string
		decimals, places int
		want             string
		isExact          bool
	}{
		{"1234567", 4, 2, "+123.46", false},
		{"1234549", 4, 2, "+123.45", false},
		{"1234550", 4, 2, "+123.46", false}, // half away from zero
		{"-1234550", 4, 2, "-123.46", false},
		{"1234500", 4, 2, "+123.45", true}, // only zeros are left out
		{"9999950", 4, 2, "+1,000.00", false},
		{"99999500000", 4, 2, "+9,999,950.00", true},
		{"49", 4, 2, "+0.00", false}, // it is not zero
		{"-49", 4, 2, "-0.00", false},
		{"-1", 18, 2, "-0.00", false},
		{"-50", 4, 2, "-0.01", false},
		{"0", 18, 2, "0.00", true},
		{"-0", 18, 2, "0.00", true},
		{"000", 18, 2, "0.00", true},
		{"12345", 2, 2, "+123.45", true},
		{"12345", 2, 4, "+123.45", true},
		{"12345", 0, 2, "+12,345", true},
		{"12345", 2, 0, "+123", false},
		{"5", 1, 0, "+1", false},
		{"4", 1, 0, "+0", false},
		{"00012345", 4, 2, "+1.23", false},
		{"12345", Unscaled, 2, "12345", true},
		{"1.5", 4, 2, "+1.5", true},
		{"5760209.9800000004", 6, 2, "+5,760,209.98", false},
		{"-0.000", 6, 2, "0.00", true},
		{"-0.004", 6, 2, "-0.00", false},
		{"1e+21", 6, 2, "+1,000,000,000,000,000,000,000", true},
		{"125E-3", Unscaled, 2, "+0.13", false},
		{"1,5", 4, 2, "1,5", true},
		{"", 4, 2, "", true},
		{"170141183460469231731687303715884105728", 38, 2, "+1.70", false},
		{strings.Repeat("9", 100), 38, 2, "+100,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000.00", false},
	} {
		got, isExact := ParseAmount(c.text).Rounded(c.decimals, c.places, true)
		if got != c.want || isExact != c.isExact {
			t.Errorf("%q with %d of %d decimals is %q, %v, want %q, %v", c.text, c.places, c.decimals, got, isExact, c.want, c.isExact)
		}
	}
	for text, want := range map[string]string{"49": "+0.00", "51": "0.01", "0": "0.00", "-49": "-0.00"} {
		if got, _ := ParseAmount(text).Rounded(4, 2, false); got != want {
			t.Errorf("%s without plus is %q, want %q", text, got, want)
		}
	}
}

// TestRoundedIsTheNearest: it differs from the exact value by at most half of its last place.
func TestRoundedIsTheNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a := ParseAmount(randomDigits(random, 1+random.IntN(60)))
		decimals, places := random.IntN(MaxDecimals+1), random.IntN(MaxDecimals+1)
		text, isExact := a.Rounded(decimals, places, random.IntN(2) == 0)
		rounded, ok := new(big.Rat).SetString(strings.ReplaceAll(text, ",", ""))
		n, _ := a.Int()
		exact := new(big.Rat).SetFrac(n, PowerOfTen(decimals))
		if !ok {
			t.Fatalf("%s with %d decimals, %d shown, is %q", a, decimals, places, text)
		}
		difference := new(big.Rat).Sub(rounded, exact)
		half := new(big.Rat).SetFrac(PowerOfTen(0), PowerOfTen(places))
		half.Mul(half, big.NewRat(1, 2))
		switch c := new(big.Rat).Abs(difference).Cmp(half); {
		case c > 0, isExact != (difference.Sign() == 0):
			t.Fatalf("%s with %d decimals, %d shown, is %q, %v", a, decimals, places, text, isExact)
		case c == 0 && difference.Sign() != exact.Sign():
			t.Fatalf("%s with %d decimals, %d shown, is %q: half must be rounded away from zero", a, decimals, places, text)
		}
	}
}

func randomDigits(random *rand.Rand, n int) string {
	digits := []byte{'-'}
	for range n {
		digits = append(digits, byte('0'+random.IntN(10)))
	}
	return string(digits[random.IntN(2):])
}

func TestDigits(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "-0": 0, "": 0, "x1": 0, "1.5": 2, "0.05": 1, "7": 1, "-120": 3, "0012": 2, strings.Repeat("9", 50): 50} {
		if got := ParseAmount(text).Digits(); got != want {
			t.Errorf("%q has %d digits, want %d", text, got, want)
		}
	}
}
