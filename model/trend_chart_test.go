package model

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// columnsOf returns the columns of a trend as texts, with . for a gap.
func columnsOf(t *Trend, from, to time.Duration, columns int) string {
	var texts []string
	for _, c := range t.Columns(trendStart.Add(from), trendStart.Add(to), columns) {
		if c.HasGap {
			texts = append(texts, ".")
		} else {
			texts = append(texts, c.Last.String())
		}
	}
	return strings.Join(texts, " ")
}

func TestTrendColumns(t *testing.T) {
	add := func(trend *Trend, from, to int, n int64) {
		for second := from; second < to; second++ {
			trend.Add(trendStart.Add(time.Duration(second)*time.Second), AmountOf(n))
		}
	}
	short := trendOf(1, 2, 3)
	skipped := new(Trend)
	add(skipped, 0, 10, 1)
	add(skipped, 13, 20, 2)
	gap := new(Trend)
	add(gap, 0, 100, 5)
	add(gap, 200, 300, 7)
	long := new(Trend)
	add(long, 0, 3000, 1)
	add(long, 3000, 6000, 2)
	for _, c := range []struct {
		name     string
		of       *Trend
		from, to time.Duration
		columns  int
		want     string
	}{
		{"none", new(Trend), 0, time.Minute, 3, ". . ."},
		{"short: the future is a gap", short, 0, 60 * time.Second, 4, "3 . . ."},
		{"finer than its points", short, 0, 3 * time.Second, 6, "1 1 2 2 3 3"},
		{"a skipped second is no gap", skipped, 0, 20 * time.Second, 10, "1 1 1 1 1 1 2 2 2 2"},
		{"a gap", gap, 0, 300 * time.Second, 6, "5 5 . . 7 7"},
		{"before the first amount", gap, -100 * time.Second, 300 * time.Second, 4, ". 5 . 7"},
		{"folded", long, 0, 6000 * time.Second, 3, "1 2 2"},
		{"no time", long, 0, 0, 2, "1 1"},
	} {
		if got := columnsOf(c.of, c.from, c.to, c.columns); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestExtremesOfATrend: they are exact, even if points were joined, with the time of the first such point.
func TestExtremesOfATrend(t *testing.T) {
	trend := new(Trend)
	if _, _, ok := trend.Lowest(); ok {
		t.Error("an empty trend has a lowest amount")
	}
	for i := range 10_000 {
		n := int64(i % 100)
		if i == 3333 {
			n = -1_000_003
		}
		trend.Add(trendStart.Add(time.Duration(i)*time.Second), AmountOf(n))
	}
	if low, at, _ := trend.Lowest(); low != AmountOf(-1_000_003) || at.Sub(trendStart.Add(3333*time.Second)).Abs() > time.Duration(trend.length)*time.Second {
		t.Errorf("the lowest is %s at %s", low, at)
	}
	if column := trend.Columns(trendStart, trendStart.Add(10_000*time.Second), 1)[0]; column.Last != AmountOf(99) {
		t.Errorf("the column ends with %s", column.Last)
	}
	high, at, _ := trend.Highest()
	if last, _ := trend.Last(); high != AmountOf(99) || last != AmountOf(99) || at.Sub(trendStart.Add(99*time.Second)).Abs() > time.Duration(trend.length)*time.Second {
		t.Errorf("the highest is %s at %s, the last %s", high, at, last)
	}
}

// TestLevelBetween compares the levels of integers with those that Axis works out, which has numbers of any length.
func TestLevelBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	short := 0
	for range 5000 {
		digits := random.IntN(PackedDigits) + 1
		var amounts []Amount
		for range 3 {
			text := strconv.Itoa(1 + random.IntN(9))
			for len(text) < digits {
				text += strconv.Itoa(random.IntN(10))
			}
			if random.IntN(2) == 0 {
				text = "-" + text
			}
			amounts = append(amounts, ParseAmount(text))
		}
		slices.SortFunc(amounts, Amount.Compare)
		least, a, most := amounts[0], amounts[1], amounts[2]
		axis := Axis{}
		axis.low, _ = axis.valueOf(least)
		axis.high, _ = axis.valueOf(most)
		levels := 1 + random.IntN(50)
		got, ok := levelBetween(least, a, most, levels)
		if !ok || least == most {
			continue
		}
		short++
		if want, _ := axis.Level(a, levels); got != want {
			t.Fatalf("%s from %s to %s has level %d of %d, want %d", a, least, most, got, levels, want)
		}
	}
	if short < 1000 {
		t.Errorf("only %d were worked out in 128 bits", short)
	}
}
