package model

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// The bounds of a Trend.
const (
	trendPeriod    = 24 * time.Hour
	maxTrendPoints = 240
)

// Trend has the changes of an amount in the last 24 hours: at most 240 points. A point is the lowest, the highest and
// the last amount in its time, exactly. All points are equally long: a second at first. If there would be more than
// 240, each two become one of twice the length. A time without an amount has no point. The zero Trend is empty.
type Trend struct {
	Decimals int // of the unit of integers, to compare them with numbers that have a decimal point

	points []trendPoint // the oldest first; none if nothing was added
	length int64        // of a point, in seconds
	last   Amount
	lastAt int64 // in seconds since the Unix epoch
}

// trendPoint is the lowest, the highest and the last amount in some seconds, from second at of the Unix epoch on.
type trendPoint struct {
	at              int64
	low, high, last Amount
}

// Add adds what the amount is at a time. An amount that is no number is left out. A time a little before that of
// the last amount counts as that time.
func (t *Trend) Add(at time.Time, a Amount) {
	if !a.IsNumber() {
		return
	}
	second := at.Unix()
	if len(t.points) > 0 {
		if back := t.lastAt - second; back >= setBackFrom {
			t.moveBack(back)
		}
		second = max(second, t.lastAt)
	}
	t.last, t.lastAt = a, second
	t.length = max(t.length, 1)
	t.put(trendPoint{second, a, a, a})
	for t.points[0].at+t.length <= second-int64(trendPeriod/time.Second) {
		t.points = t.points[1:]
	}
	for len(t.points) > maxTrendPoints {
		t.doubleLength()
	}
}

// setBackFrom is from how many seconds on the clock was set back if a time is before that of the last amount.
const setBackFrom = 60

// moveBack moves all points by some seconds, or a little more, so that the trend goes on after the clock was set back.
func (t *Trend) moveBack(back int64) {
	back += (t.length - back%t.length) % t.length // points stay at multiples of their length
	t.points = slices.Clone(t.points)             // other copies of the trend stay as they are
	for i := range t.points {
		t.points[i].at -= back
	}
	t.lastAt -= back
}

// put adds a point that is not before the last one, or joins it with the last one.
func (t *Trend) put(p trendPoint) {
	p.at -= p.at % t.length
	if n := len(t.points); n > 0 && t.points[n-1].at == p.at {
		t.join(&t.points[n-1], p)
		return
	}
	t.points = append(t.points, p)
}

// DropAfter drops the points that reach beyond a time.
func (t *Trend) DropAfter(at time.Time) {
	second := at.Unix()
	if len(t.points) == 0 || t.lastAt <= second {
		return
	}
	for n := len(t.points); n > 0 && t.points[n-1].at+t.length > second+1; n-- {
		t.points = t.points[:n-1]
	}
	if len(t.points) == 0 {
		*t = Trend{Decimals: t.Decimals}
		return
	}
	last := &t.points[len(t.points)-1]
	t.last, t.lastAt = last.last, last.at+t.length-1
}

// Shift adds a sum to all amounts.
func (t *Trend) Shift(by Sum) {
	t.points = slices.Clone(t.points) // copies of the trend stay as they are
	for i := range t.points {
		p := &t.points[i]
		p.low, p.high, p.last = by.Plus(p.low, t.Decimals), by.Plus(p.high, t.Decimals), by.Plus(p.last, t.Decimals)
	}
	t.last = by.Plus(t.last, t.Decimals)
}

// Compare orders two amounts of the trend.
func (t *Trend) Compare(a, b Amount) int { return CompareScaled(a, t.Decimals, b, t.Decimals) }

// join merges a point that is not before p into p.
func (t *Trend) join(p *trendPoint, other trendPoint) {
	p.last = other.last
	if t.Compare(other.low, p.low) < 0 {
		p.low = other.low
	}
	if t.Compare(other.high, p.high) > 0 {
		p.high = other.high
	}
}

// doubleLength makes all points twice as long.
func (t *Trend) doubleLength() {
	t.length *= 2
	points := t.points
	t.points = make([]trendPoint, 0, maxTrendPoints+1)
	for _, p := range points {
		t.put(p)
	}
}

// Near returns the last amount of the point that ended next to a time, and when it ended. The present point has not
// ended. It returns false if no point has.
func (t *Trend) Near(at time.Time) (last Amount, ended time.Time, ok bool) {
	if len(t.points) < 2 {
		return Amount{}, time.Time{}, false
	}
	before, second := t.points[:len(t.points)-1], at.Unix()
	end := func(i int) int64 { return before[i].at + t.length - 1 }
	i, _ := slices.BinarySearchFunc(before, second, func(p trendPoint, second int64) int { return cmp.Compare(p.at+t.length-1, second) })
	if i == len(before) || i > 0 && second-end(i-1) < end(i)-second {
		i--
	}
	return before[i].last, time.Unix(end(i), 0), true
}

// Period returns the time from the first point to the last amount; 0 if there is none.
func (t *Trend) Period() time.Duration {
	if len(t.points) == 0 {
		return 0
	}
	return time.Duration(t.lastAt-t.points[0].at) * time.Second
}

// NoLevel in Levels is a time without an amount.
const NoLevel = -1

// Levels returns the trend as columns of equal length in time, the oldest first: for each its level from 0 to levels-1,
// which is that of the lowest amount in it, or NoLevel. Level 0 is the lowest of all columns and levels-1 the highest;
// if they do not differ, all have the level in the middle. A short trend has fewer columns.
func (t *Trend) Levels(columns, levels int) []int {
	if len(t.points) == 0 || columns <= 0 || levels <= 0 {
		return nil
	}
	first := t.points[0].at
	period := t.points[len(t.points)-1].at + t.length - first
	columns = int(min(int64(columns), period/t.length))
	lows := make([]*Amount, columns)
	for i := range t.points {
		p := &t.points[i]
		t.lower(&lows[(p.at-first)*int64(columns)/period], p)
	}
	return t.levelsOf(lows, levels)
}

// LevelsBetween returns the same for the columns between two times, whether the trend has these or not. A point is in
// all columns of its time.
func (t *Trend) LevelsBetween(from, to time.Time, columns, levels int) []int {
	if columns <= 0 || levels <= 0 {
		return nil
	}
	lows := make([]*Amount, columns)
	begin, period := from.UnixNano(), max(to.Sub(from), 1)
	column := func(second int64) int {
		at := float64(second*int64(time.Second)-begin) / float64(period) * float64(columns)
		return int(math.Floor(min(max(at, -1), float64(columns))))
	}
	for i := range t.points {
		p := &t.points[i]
		for at := max(column(p.at), 0); at < min(max(column(p.at+t.length), column(p.at)+1), columns); at++ {
			t.lower(&lows[at], p)
		}
	}
	return t.levelsOf(lows, levels)
}

// lower sets the lowest amount of a column to that of a point, if that is lower.
func (t *Trend) lower(column **Amount, p *trendPoint) {
	if *column == nil || t.Compare(p.low, **column) < 0 {
		*column = &p.low
	}
}

// levelsOf returns the levels of columns from their lowest amounts; nil is none.
func (t *Trend) levelsOf(lows []*Amount, levels int) []int {
	known := slices.DeleteFunc(slices.Clone(lows), func(low *Amount) bool { return low == nil })
	if len(known) == 0 {
		return slices.Repeat([]int{NoLevel}, len(lows))
	}
	compare := func(a, b *Amount) int { return t.Compare(*a, *b) }
	between := Axis{decimals: orZero(t.Decimals)}
	for _, low := range known {
		between.places = max(between.places, low.Places(between.decimals))
	}
	lowest, _ := between.valueOf(*slices.MinFunc(known, compare))
	highest, _ := between.valueOf(*slices.MaxFunc(known, compare))
	between.low, between.high = lowest, highest
	result := make([]int, len(lows))
	for i, low := range lows {
		switch {
		case low == nil:
			result[i] = NoLevel
		case lowest.Cmp(highest) == 0:
			result[i] = (levels - 1) / 2
		default:
			result[i], _ = between.Level(*low, levels)
		}
	}
	return result
}
