package model

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var trendStart = time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)

// trendOf returns a trend of amounts, one a second.
func trendOf(amounts ...int64) *Trend {
	t := new(Trend)
	for i, n := range amounts {
		t.Add(trendStart.Add(time.Duration(i)*time.Second), AmountOf(n))
	}
	return t
}

// TestTrendIsBounded: a day and more has at most 240 points, of the last 24 hours, and no low or high is lost.
func TestTrendIsBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	trend := new(Trend)
	var amounts []int64 // one a second
	for i := range int64(30 * 60 * 60) {
		n := random.Int64N(2_000_000) - 1_000_000
		if i%20_011 == 0 {
			n *= 10 // a spike of one second
		}
		amounts = append(amounts, n)
		trend.Add(trendStart.Add(time.Duration(i)*time.Second), AmountOf(n))
		if trend.points.count > maxTrendPoints {
			t.Fatalf("%d points after %d seconds", trend.points.count, i+1)
		}
	}
	if period := trend.Period(); period < trendPeriod-time.Minute || period > trendPeriod+time.Duration(trend.length)*time.Second {
		t.Errorf("the trend is of %s", period)
	}
	for p := range trend.points.all {
		from := p.at - trendStart.Unix()
		of := amounts[from:min(from+trend.length, int64(len(amounts)))]
		if p.low != AmountOf(slices.Min(of)) || p.high != AmountOf(slices.Max(of)) {
			t.Errorf("the point at %d is from %s to %s, want from %d to %d", from, p.low, p.high, slices.Min(of), slices.Max(of))
		}
	}
}

// TestTrendLevelsBetweenTimes: columns without a point have no level, and a point is in all columns of its time.
func TestTrendLevelsBetweenTimes(t *testing.T) {
	up := trendOf(1, 2, 3, 4, 5, 6, 7, 8)
	for name, c := range map[string]struct {
		trend         *Trend
		from, seconds int
		columns       int
		want          []int
	}{
		"all":            {up, 0, 8, 8, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		"before":         {up, -4, 8, 4, []int{NoLevel, NoLevel, 0, 7}},
		"after":          {up, 6, 4, 4, []int{0, 7, NoLevel, NoLevel}},
		"more columns":   {up, 0, 2, 4, []int{0, 0, 7, 7}},
		"another time":   {up, 100, 8, 3, []int{NoLevel, NoLevel, NoLevel}},
		"no time at all": {up, 0, 0, 2, []int{3, 3}},
		"nothing":        {new(Trend), 0, 8, 2, []int{NoLevel, NoLevel}},
		"no columns":     {up, 0, 8, 0, nil},
	} {
		from := trendStart.Add(time.Duration(c.from) * time.Second)
		if got := c.trend.LevelsBetween(from, from.Add(time.Duration(c.seconds)*time.Second), c.columns, 8); !slices.Equal(got, c.want) {
			t.Errorf("%s: the levels are %v, want %v", name, got, c.want)
		}
	}
}

func TestTrendLevels(t *testing.T) {
	gap := trendOf(1, 8)
	gap.Add(trendStart.Add(3*time.Second), AmountOf(4))
	long := new(Trend)
	long.Add(trendStart, ParseAmount("-100000000000000000000000000000000000000000000000000"))
	long.Add(trendStart.Add(time.Second), ParseAmount("100000000000000000000000000000000000000000000000000"))
	for name, c := range map[string]struct {
		trend   *Trend
		columns int
		want    []int
	}{
		"nothing":             {new(Trend), 8, nil},
		"no columns":          {trendOf(1, 2), 0, nil},
		"one":                 {trendOf(5), 8, []int{3}},
		"flat":                {trendOf(5, 5, 5), 8, []int{3, 3, 3}},
		"up":                  {trendOf(1, 2, 3, 4, 5, 6, 7, 8), 8, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		"down, fewer columns": {trendOf(8, 7, 6, 5, 4, 3, 2, 1), 4, []int{7, 5, 2, 0}}, // 7 5 3 1
		"the lowest counts":   {trendOf(8, 8, 1, 8, 4, 8), 3, []int{7, 0, 3}},
		"a gap":               {gap, 8, []int{0, 7, NoLevel, 3}},
		"long numbers":        {long, 8, []int{0, 7}},
	} {
		if got := c.trend.Levels(c.columns, 8); !slices.Equal(got, c.want) {
			t.Errorf("%s: the levels are %v, want %v", name, got, c.want)
		}
	}
}

// TestTrendLeavesOut amounts that are no numbers. A time before the last one counts as the last one.
func TestTrendLeavesOut(t *testing.T) {
	trend := trendOf(1, 2)
	trend.Add(trendStart.Add(2*time.Second), ParseAmount("NaN"))
	trend.Add(trendStart.Add(-time.Hour), AmountOf(-7))
	if got := trend.Levels(8, 8); !slices.Equal(got, []int{7, 0}) || trend.Period() != time.Second {
		t.Errorf("the levels are %v in %s", got, trend.Period())
	}
}

// TestTrendGoesOnAfterTheClockIsSetBack: what was before it keeps its distance in time.
func TestTrendGoesOnAfterTheClockIsSetBack(t *testing.T) {
	for _, length := range []int{3, 1000} {
		trend := new(Trend)
		for i := range length {
			trend.Add(trendStart.Add(time.Duration(i)*time.Second), AmountOf(int64(i)))
		}
		before := *trend
		set := trendStart.Add(time.Duration(length)*time.Second - time.Hour)
		for i := range 10 {
			trend.Add(set.Add(time.Duration(i)*time.Second), AmountOf(int64(length+i)))
		}
		slack := time.Duration(trend.length) * time.Second
		if got, want := trend.Period(), time.Duration(length+9)*time.Second; (got - want).Abs() > slack {
			t.Errorf("after %d seconds and 10 the trend is of %s", length, got)
		}
		if start := trend.Start(); (start.Sub(trendStart)+time.Hour).Abs() > slack || before.Start() != trendStart.Local() {
			t.Errorf("it begins at %s, and its copy at %s", start, before.Start())
		}
		if _, at, _ := trend.Highest(); set.Add(9*time.Second).Sub(at) > slack {
			t.Errorf("it is highest at %s", at)
		}
	}
}

// TestDropAfter drops the points that end after a time: all of them if none ends before it.
func TestDropAfter(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	for _, seconds := range []int{100, 1000} { // points of a second, and of several
		var trend Trend
		for second := range seconds {
			trend.Add(start.Add(time.Duration(second)*time.Second), AmountOf(int64(second)))
		}
		trend.DropAfter(start.Add(50 * time.Second))
		if highest, _, _ := trend.Highest(); highest.Compare(AmountOf(50)) > 0 || highest.Compare(AmountOf(40)) < 0 {
			t.Errorf("after %d seconds the highest is %s", seconds, highest)
		}
		trend.Add(start.Add(52*time.Second), AmountOf(-1))
		if _, at, _ := trend.Lowest(); at.Before(start.Add(45*time.Second)) || at.After(start.Add(52*time.Second)) {
			t.Errorf("after %d seconds the new point is at %s", seconds, at)
		}
		trend.DropAfter(start.Add(-time.Second))
		if _, _, ok := trend.Lowest(); ok {
			t.Error("points are left")
		}
	}
}

// TestShiftedTrend: all amounts are shifted, and a copy stays as it was.
func TestShiftedTrend(t *testing.T) {
	var trend Trend
	for second, amount := range []int64{5, 3, 9, 7} {
		trend.Add(time.Unix(int64(second), 0), AmountOf(amount))
	}
	before := trend
	var by Sum
	by.Add(AmountOf(100))
	trend.Shift(by)
	for _, c := range []struct {
		trend                 Trend
		lowest, highest, last int64
	}{{before, 3, 9, 7}, {trend, 103, 109, 107}} {
		lowest, _, _ := c.trend.Lowest()
		highest, _, _ := c.trend.Highest()
		if last, _ := c.trend.Last(); lowest != AmountOf(c.lowest) || highest != AmountOf(c.highest) || last != AmountOf(c.last) {
			t.Errorf("lowest %s, highest %s, last %s, want %d, %d and %d", lowest, highest, last, c.lowest, c.highest, c.last)
		}
	}
}

// TestNear returns an amount with the time that it is of.
func TestNear(t *testing.T) {
	var trend Trend
	start := time.Unix(960_000_000, 0)
	if _, _, ok := trend.Near(start); ok {
		t.Error("an empty trend has an amount")
	}
	for i := range 3600 {
		trend.Add(start.Add(time.Duration(i)*time.Second), AmountOf(int64(i)))
		for _, ago := range []int{1, 300, 2 * i} {
			wanted := start.Add(time.Duration(i-ago) * time.Second)
			got, at, ok := trend.Near(wanted)
			if !ok && i < 2 {
				continue
			}
			if seconds, _ := got.Int64(); !ok || !at.Equal(start.Add(time.Duration(seconds)*time.Second)) || seconds >= int64(i) {
				t.Fatalf("after %d s, %d s ago was %v at %v, %v", i, ago, got, at, ok)
			}
			if away := at.Sub(wanted).Abs(); ago == 300 && i > 400 && away > 20*time.Second {
				t.Fatalf("after %d s, the amount of %v is %v away", i, wanted, away)
			}
		}
	}
}

// TestATrendOfBothForms: an integer is compared with a number that has a point by the decimals of the asset.
func TestATrendOfBothForms(t *testing.T) {
	trend := Trend{Decimals: 2}
	for second, text := range []string{"150", "1.6", "155", "1.52"} {
		trend.Add(time.Unix(int64(second), 0), ParseAmount(text))
	}
	lowest, _, _ := trend.Lowest()
	highest, _, _ := trend.Highest()
	if levels := trend.Levels(4, 11); lowest.String() != "150" || highest.String() != "1.6" || !slices.Equal(levels, []int{0, 10, 5, 2}) {
		t.Errorf("lowest %s, highest %s, levels %d", lowest, highest, levels)
	}
	for second := range 3 * maxTrendPoints { // points are joined
		trend.Add(time.Unix(int64(4+second), 0), ParseAmount([]string{"153", "1.49", "161"}[second%3]))
	}
	lowest, _, _ = trend.Lowest()
	if highest, _, _ = trend.Highest(); lowest.String() != "1.49" || highest.String() != "161" {
		t.Errorf("of joined points: lowest %s, highest %s", lowest, highest)
	}
}
