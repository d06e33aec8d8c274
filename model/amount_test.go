package model

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

// awkward are texts at the edges of what an Amount keeps in place, and beyond.
var awkward = []string{
	"", "-", "--1", "+1", " 1", "1 ", "1e3", "1.50", "0x10", "१", "NaN", "\x00",
	"0", "-0", "00", "-00", "007", "-007", "1", "-1", "9", "10",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"9999999999999999999", "10000000000000000000", "18446744073709551615", "18446744073709551616",
	strings.Repeat("9", 37), strings.Repeat("9", 38), "-" + strings.Repeat("9", 38),
	"1" + strings.Repeat("0", 37), "1" + strings.Repeat("0", 38), "-1" + strings.Repeat("0", 38),
	"0" + strings.Repeat("9", 38), strings.Repeat("9", 39), "-" + strings.Repeat("9", 60),
	"170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
}

// text is an awkward text, or an integer of any length.
func (s *sample) text() string {
	if s.IntN(3) == 0 {
		return awkward[s.IntN(len(awkward))]
	}
	return s.digits(1 + s.IntN([]int{45, 45, 220}[s.IntN(3)])).String()
}

// isInteger is how IsInteger would be said in a regular expression.
var isInteger = regexp.MustCompile(`\A-?[0-9]+\z`)

// bigOf is the value of an integer, nil where text is none.
func bigOf(text string) *big.Int {
	if !isInteger.MatchString(text) {
		return nil
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

func FuzzAmount(f *testing.F) {
	for _, text := range awkward {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkAmount(t, text) })
}

func TestAmountIsTheTextThatWasParsed(t *testing.T) {
	s := newSample(1, 0, 0)
	for range 20_000 {
		checkAmount(t, s.text())
	}
}

// checkAmount holds an amount against its text and big.Int.
func checkAmount(t *testing.T, text string) {
	a := ParseAmount(text)
	if a.String() != text || string(a.Append([]byte("x"))) != "x"+text {
		t.Fatalf("%q comes back as %q, appended as %q", text, a.String(), a.Append([]byte("x")))
	}
	if ParseAmount([]byte(text)) != a {
		t.Errorf("%q is another amount as bytes", text)
	}
	want := bigOf(text)
	got, ok := a.Int()
	if ok != (want != nil) || ok != a.IsInteger() {
		t.Fatalf("%q: Int says %v, IsInteger says %v", text, ok, a.IsInteger())
	}
	n, fits := a.Int64()
	if want == nil {
		if a.IsZero() || fits {
			t.Errorf("%q is no integer, but IsZero says %v and Int64 says %v", text, a.IsZero(), fits)
		}
		return
	}
	if got.Cmp(want) != 0 || a.Sign() != want.Sign() || a.IsZero() != (want.Sign() == 0) {
		t.Errorf("%q: Int %v, Sign %d, IsZero %v", text, got, a.Sign(), a.IsZero())
	}
	if fits && n != want.Int64() || fits != (want.IsInt64() && want.String() == text) {
		t.Errorf("%q: Int64 is %d, %v", text, n, fits)
	}
}

func TestAmountOf(t *testing.T) {
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		a := AmountOf(n)
		if back, ok := a.Int64(); !ok || back != n || a != ParseAmount(big.NewInt(n).String()) {
			t.Errorf("the amount of %d is %s", n, a)
		}
	}
	if (Amount{}) != AmountOf(0) {
		t.Error("the zero Amount is not 0")
	}
}

func TestAmountsOf38DigitsAllocateNothing(t *testing.T) {
	text := []byte("-" + strings.Repeat("9", 38))
	b := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { b = ParseAmount(text).Append(b[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
