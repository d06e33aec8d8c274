package model

import (
	"math"
	"time"
)

// TrendColumn is what an amount was at the end of a part of a trend.
type TrendColumn struct {
	Last   Amount
	HasGap bool // there is no amount in the time
}

// shortGap is the longest time without an amount that is not shown as a gap: a second may be skipped if the machine
// is busy.
const shortGap = 5 * time.Second

// Columns returns the trend from one time to another as columns of equal length.
func (t *Trend) Columns(from, to time.Time, columns int) []TrendColumn {
	result := make([]TrendColumn, columns)
	period := max(to.Unix()-from.Unix(), 1)
	lasting := t.length
	if shortest := int64(shortGap / time.Second); period < shortest*int64(columns) {
		lasting = max(lasting, shortest)
	}
	column := 0
	var latest trendPoint
	isFirst := true
	endUntil := func(at int64) {
		for ; column < columns; column++ {
			end := from.Unix() + (period*int64(column+1)+int64(columns)-1)/int64(columns) // rounded up
			if end > at {
				return
			}
			begin := from.Unix() + period*int64(column)/int64(columns)
			if isFirst || latest.at+lasting <= begin {
				result[column].HasGap = true
			} else {
				result[column].Last = latest.last
			}
		}
	}
	for p := range t.points.all {
		endUntil(p.at)
		latest, isFirst = p, false
	}
	endUntil(math.MaxInt64)
	return result
}

// Last returns the last amount, and false if there is none.
func (t *Trend) Last() (Amount, bool) { return t.points.last.last, t.points.count > 0 }

// Lowest returns the lowest amount, and when it was first; false if there is none.
func (t *Trend) Lowest() (Amount, time.Time, bool) {
	return t.extreme(func(p trendPoint) Amount { return p.low }, -1)
}

// Highest returns the highest amount, and when it was first; false if there is none.
func (t *Trend) Highest() (Amount, time.Time, bool) {
	return t.extreme(func(p trendPoint) Amount { return p.high }, +1)
}

// extreme returns the lowest amount of the points if direction is -1, the highest if it is +1, and the beginning of its
// point; false if there are no points.
func (t *Trend) extreme(of func(trendPoint) Amount, direction int) (extreme Amount, at time.Time, ok bool) {
	for p := range t.points.all {
		if a := of(p); !ok || t.Compare(a, extreme)*direction > 0 {
			extreme, at, ok = a, time.Unix(p.at, 0), true
		}
	}
	return extreme, at, ok
}

// Start returns the time of the first point; zero if there is none.
func (t *Trend) Start() time.Time {
	if t.points.count == 0 {
		return time.Time{}
	}
	return time.Unix(t.points.first().at, 0)
}
