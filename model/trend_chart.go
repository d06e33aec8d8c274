package model

import "time"

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
	i := 0
	for column := range result {
		end := from.Unix() + (period*int64(column+1)+int64(columns)-1)/int64(columns) // rounded up
		begin := from.Unix() + period*int64(column)/int64(columns)
		for i < len(t.points) && t.points[i].at < end {
			i++
		}
		if i == 0 || t.points[i-1].at+lasting <= begin {
			result[column].HasGap = true
			continue
		}
		result[column].Last = t.points[i-1].last
	}
	return result
}

// Last returns the last amount, and false if there is none.
func (t *Trend) Last() (Amount, bool) { return t.last, len(t.points) > 0 }

// Lowest returns the lowest amount, and when it was first; false if there is none.
func (t *Trend) Lowest() (Amount, time.Time, bool) {
	return t.extreme(func(p *trendPoint) Amount { return p.low }, -1)
}

// Highest returns the highest amount, and when it was first; false if there is none.
func (t *Trend) Highest() (Amount, time.Time, bool) {
	return t.extreme(func(p *trendPoint) Amount { return p.high }, +1)
}

// extreme returns the lowest amount of the points if direction is -1, the highest if it is +1, and the beginning of its
// point; false if there are no points.
func (t *Trend) extreme(of func(*trendPoint) Amount, direction int) (extreme Amount, at time.Time, ok bool) {
	for i := range t.points {
		if a := of(&t.points[i]); !ok || t.Compare(a, extreme)*direction > 0 {
			extreme, at, ok = a, time.Unix(t.points[i].at, 0), true
		}
	}
	return extreme, at, ok
}

// Start returns the time of the first point; zero if there is none.
func (t *Trend) Start() time.Time {
	if len(t.points) == 0 {
		return time.Time{}
	}
	return time.Unix(t.points[0].at, 0)
}
