package model

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		amounts         []string
		steps, decimals int
		want            string
	}{
		{[]string{"-40000", "80000"}, 4, 2, "[-50000 0 50000 100000]"},
		{[]string{"-39999", "79999"}, 3, 2, "[-50000 0 50000 100000]"},
		{[]string{"1", "2", "3"}, 4, 0, "[1 2 3]"},
		{[]string{"0"}, 4, 2, "[0 50 100]"},
		{[]string{"20108"}, 4, 2, "[20100 20150 20200 20250]"},
		{[]string{"-7"}, 4, -1, "[-7 -6]"},
		{[]string{"10", "NaN", "20"}, 4, 0, "[10 15 20]"},
		{[]string{"1.5", "2.25"}, 4, 2, "[1.50 2.00 2.50]"},
		{[]string{"100", "1.5"}, 4, 2, "[1.00 1.20 1.40 1.60]"}, // 100 is 1.00
		{[]string{"10", "12.5"}, 4, Unscaled, "[10.0 11.0 12.0 13.0]"},
		{[]string{"1e3"}, 4, 0, "[1000.0 1001.0]"},
		{[]string{"-99999999999999999999999999999999999999999", "0"}, 2, 0,
			"[-100000000000000000000000000000000000000000 -50000000000000000000000000000000000000000 0]"},
		{[]string{"NaN"}, 4, 0, "none"},
	} {
		var amounts []Amount
		for _, text := range c.amounts {
			amounts = append(amounts, ParseAmount(text))
		}
		got := "none"
		if axis, ok := NewAxis(amounts, c.steps, c.decimals); ok {
			got = fmt.Sprint(axis.Ticks())
		}
		if got != c.want {
			t.Errorf("%q in %d steps: %s, want %s", c.amounts, c.steps, got, c.want)
		}
	}
}

// TestAxisHasAllAmounts: each amount has a level, and a larger amount never has a lower level.
func TestAxisHasAllAmounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		size := int64(1) << random.IntN(62)
		a, b := AmountOf(random.Int64N(size)-size/2), AmountOf(random.Int64N(size)-size/2)
		steps, levels := 2+random.IntN(6), 2+random.IntN(30)
		axis, ok := NewAxis([]Amount{a, b}, steps, random.IntN(4))
		if ticks := axis.Ticks(); !ok || len(ticks) < 2 || len(ticks) > steps+1 {
			t.Fatalf("the ticks for %s and %s in %d steps are %s", a, b, steps, ticks)
		}
		x, isX := axis.Level(a, levels)
		y, isY := axis.Level(b, levels)
		if !isX || !isY || min(x, y) < 0 || max(x, y) >= levels || a.Compare(b) < 0 && x > y || a.Compare(b) > 0 && x < y {
			t.Fatalf("%s and %s have the levels %d and %d of %d", a, b, x, y, levels)
		}
		ticks := axis.Ticks()
		if first, _ := axis.Level(ticks[0], levels); first != 0 {
			t.Fatalf("the first tick has level %d", first)
		}
		if last, _ := axis.Level(ticks[len(ticks)-1], levels); last != levels-1 {
			t.Fatalf("the last tick has level %d of %d", last, levels)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		a, whole string
		want     int
	}{
		{"-21", "20", 20}, {"-9999999999999999999999999", "1", 20}, {"0", "10", 0}, {"1", "1000000", 1}, {"-5", "10", 10}, {"10", "-10", 20}, {"3", "0", 0}, {"1e3", "10", 0}, {"10", "", 0},
	} {
		if got := Share(ParseAmount(c.a), ParseAmount(c.whole), 20, Unscaled); got != c.want {
			t.Errorf("%s of %s is %d cells of 20, want %d", c.a, c.whole, got, c.want)
		}
	}
}
