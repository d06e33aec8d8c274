package model

import (
	"math/bits"
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

	points trendPoints // none if nothing was added
	length int64       // of a point, in seconds
	lastAt int64       // of the last amount, in seconds since the Unix epoch
}

// Add adds what the amount is at a time. An amount that is no number is left out. A time a little before that of
// the last amount counts as that time.
func (t *Trend) Add(at time.Time, a Amount) {
	if !a.IsNumber() {
		return
	}
	second := at.Unix()
	if t.points.count > 0 {
		if back := t.lastAt - second; back >= setBackFrom {
			t.moveBack(back)
		}
		second = max(second, t.lastAt)
	}
	t.lastAt = second
	t.length = max(t.length, 1)
	t.put(trendPoint{second, a, a, a})
	for t.points.first().at+t.length <= second-int64(trendPeriod/time.Second) {
		t.points.dropFirst()
	}
	for t.points.count > maxTrendPoints {
		t.doubleLength()
	}
}

// setBackFrom is from how many seconds on the clock was set back if a time is before that of the last amount.
const setBackFrom = 60

// moveBack moves all points by some seconds, or a little more, so that the trend goes on after the clock was set back.
func (t *Trend) moveBack(back int64) {
	back += (t.length - back%t.length) % t.length // points stay at multiples of their length
	t.points.moveBack(back)
	t.lastAt -= back
}

// put adds a point that is not before the last one, or joins it with the last one.
func (t *Trend) put(p trendPoint) {
	p.at -= p.at % t.length
	if t.points.count > 0 && t.points.last.at == p.at {
		t.join(&t.points.last, p)
		return
	}
	t.points.add(p)
}

// DropAfter drops the points that reach beyond a time.
func (t *Trend) DropAfter(at time.Time) {
	second := at.Unix()
	if t.points.count == 0 || t.lastAt <= second {
		return
	}
	var kept trendPoints
	for p := range t.points.all {
		if p.at+t.length > second+1 {
			break
		}
		kept.add(p)
	}
	if kept.count == 0 {
		*t = Trend{Decimals: t.Decimals}
		return
	}
	t.points, t.lastAt = kept, kept.last.at+t.length-1
}

// Shift adds a sum to all amounts.
func (t *Trend) Shift(by Sum) {
	var shifted trendPoints
	for p := range t.points.all {
		p.low, p.high, p.last = by.Plus(p.low, t.Decimals), by.Plus(p.high, t.Decimals), by.Plus(p.last, t.Decimals)
		shifted.add(p)
	}
	t.points = shifted
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
	t.points = trendPoints{}
	for p := range points.all {
		t.put(p)
	}
}

// Near returns the last amount of the point that ended next to a time, and when it ended. The present point has not
// ended. It returns false if no point has.
func (t *Trend) Near(at time.Time) (last Amount, ended time.Time, ok bool) {
	second, end := at.Unix(), int64(0)
	for p := range t.points.beforeLast {
		next := p.at + t.length - 1
		if ok && second-end < next-second {
			break
		}
		last, end, ok = p.last, next, true
		if end >= second {
			break
		}
	}
	if !ok {
		return Amount{}, time.Time{}, false
	}
	return last, time.Unix(end, 0), true
}

// Period returns the time from the first point to the last amount; 0 if there is none.
func (t *Trend) Period() time.Duration {
	if t.points.count == 0 {
		return 0
	}
	return time.Duration(t.lastAt-t.points.first().at) * time.Second
}

// NoLevel in Levels is a time without an amount.
const NoLevel = -1

// Levels returns the trend as columns of equal length in time, the oldest first: for each its level from 0 to levels-1,
// which is that of the lowest amount in it, or NoLevel. Level 0 is the lowest of all columns and levels-1 the highest;
// if they do not differ, all have the level in the middle. A short trend has fewer columns.
func (t *Trend) Levels(columns, levels int) []int {
	if t.points.count == 0 || columns <= 0 || levels <= 0 {
		return nil
	}
	first := t.points.first().at
	period := t.points.last.at + t.length - first
	columns = int(min(int64(columns), period/t.length))
	lows := make([]lowest, columns)
	for p := range t.points.all {
		t.lower(&lows[(p.at-first)*int64(columns)/period], p.low)
	}
	return t.levelsOf(lows, levels)
}

// LevelsBetween returns the same for the columns between two times, whether the trend has these or not. A point is in
// all columns of its time.
func (t *Trend) LevelsBetween(from, to time.Time, columns, levels int) []int {
	if columns <= 0 || levels <= 0 {
		return nil
	}
	lows := make([]lowest, columns)
	begin, period := from.UnixNano(), int64(max(to.Sub(from), 1))
	column := func(second int64) int {
		switch at := second*int64(time.Second) - begin; {
		case at < 0:
			return -1
		case at >= period:
			return columns
		default:
			high, low := bits.Mul64(uint64(at), uint64(columns))
			column, _ := bits.Div64(high, low, uint64(period)) // less than columns, because at is less than period
			return int(column)
		}
	}
	for p := range t.points.all {
		for at := max(column(p.at), 0); at < min(max(column(p.at+t.length), column(p.at)+1), columns); at++ {
			t.lower(&lows[at], p.low)
		}
	}
	return t.levelsOf(lows, levels)
}

// lowest is the lowest amount of a column.
type lowest struct {
	Amount
	isKnown bool
}

// lower sets the lowest amount of a column to another one, if that is lower.
func (t *Trend) lower(column *lowest, a Amount) {
	if !column.isKnown || t.Compare(a, column.Amount) < 0 {
		*column = lowest{a, true}
	}
}

// levelsOf returns the levels of columns from their lowest amounts.
func (t *Trend) levelsOf(lows []lowest, levels int) []int {
	known := slices.DeleteFunc(slices.Clone(lows), func(low lowest) bool { return !low.isKnown })
	if len(known) == 0 {
		return slices.Repeat([]int{NoLevel}, len(lows))
	}
	compare := func(a, b lowest) int { return t.Compare(a.Amount, b.Amount) }
	between := Axis{decimals: orZero(t.Decimals)}
	for _, low := range known {
		between.places = max(between.places, low.Places(between.decimals))
	}
	least, most := slices.MinFunc(known, compare).Amount, slices.MaxFunc(known, compare).Amount
	between.low, _ = between.valueOf(least)
	between.high, _ = between.valueOf(most)
	result := make([]int, len(lows))
	for i, low := range lows {
		switch {
		case !low.isKnown:
			result[i] = NoLevel
		case between.low.Cmp(between.high) == 0:
			result[i] = (levels - 1) / 2
		default:
			level, ok := levelBetween(least, low.Amount, most, levels)
			if !ok {
				level, _ = between.Level(low.Amount, levels)
			}
			result[i] = level
		}
	}
	return result
}

// levelBetween does what Axis.Level does, without a big.Int, for an integer between two others whose difference has at
// most 64 bits. It returns false for other amounts.
func levelBetween(least, a, most Amount, levels int) (int, bool) {
	if !least.isPackedInteger() || !a.isPackedInteger() || !most.isPackedInteger() {
		return 0, false
	}
	above, _ := Difference(a, least, 0)
	all, _ := Difference(most, least, 0)
	length, isShort := all.Int64()
	product, ok := above.Packed().Times(int64(levels - 1))
	if !isShort || !ok {
		return 0, false
	}
	return int(product.QuoRounded(length).Low), true
}
