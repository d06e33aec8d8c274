package history

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// Days are the totals with which days have ended: unrealised and realised PnL together, by scope and asset. Totals of
// two scopes, or of an asset with other decimals, are never in one line: their difference is no profit. The zero value
// has none.
type Days struct {
	// Begins is the time of day at which a day begins, after midnight.
	Begins time.Duration
	// Numbers are those by position that an earlier run has kept; nil if there are none.
	Numbers *book.DayNumbers

	lines     []*DayLine
	isChanged bool // since Clone
}

// DayLine has the days of a scope and an asset.
type DayLine struct {
	Scope    string // which scope that is
	Asset    model.ID
	Decimals int
	Days     []Day // the oldest first; a day on which no total was known is not there
}

// Day has the first and the last total of a day that are known.
type Day struct {
	Date        string // on which it began: 2006-01-02
	First, Last DayTotal
}

// DayTotal is a total, and when it was known.
type DayTotal struct {
	At    time.Time
	Total model.Amount
}

// The limits of days.
const (
	MaxDays     = 400 // of a line
	MaxDayLines = 32  // those that were used last
)

// Kept is what is kept of days from one run to the next.
type Kept struct {
	Lines   []DayLine
	Numbers *book.DayNumbers // nil if there are none
}

// NewDays returns the days of earlier runs.
func NewDays(kept Kept, begins time.Duration) *Days {
	d := &Days{Begins: begins, Numbers: kept.Numbers}
	for i := range kept.Lines[:min(len(kept.Lines), MaxDayLines)] {
		d.lines = append(d.lines, &kept.Lines[i])
	}
	return d
}

// Clone returns a copy of all lines, and notes that they are kept: IsChanged is false until the next total.
func (d *Days) Clone() []DayLine {
	d.isChanged = false
	var lines []DayLine
	for _, line := range d.lines {
		clone := *line
		clone.Days = slices.Clone(line.Days)
		lines = append(lines, clone)
	}
	return lines
}

// IsChanged reports whether there are totals since Clone.
func (d *Days) IsChanged() bool { return d.isChanged }

// Date returns the date of the day that a local time belongs to.
func (d *Days) Date(at time.Time) string {
	clock := time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second
	if clock < d.Begins {
		at = time.Date(at.Year(), at.Month(), at.Day()-1, 12, 0, 0, 0, at.Location())
	}
	return at.Format(time.DateOnly)
}

// IsDayAfter reports whether the day of a local time is the one after the day that began at another time.
func (d *Days) IsDayAfter(at, began time.Time) bool {
	return daysBetween(d.Date(began), d.Date(at)) == 1
}

// BeganAt returns when the day began that a local time belongs to.
func (d *Days) BeganAt(at time.Time) time.Time {
	midnight, _ := time.ParseInLocation(time.DateOnly, d.Date(at), at.Location())
	return time.Date(midnight.Year(), midnight.Month(), midnight.Day(), 0, 0, int(d.Begins/time.Second), 0, at.Location())
}

// Add adds the totals of a scope at a local time. A total that leaves numbers out is not added.
func (d *Days) Add(scope string, totals []*view.Total, in *model.Instruments, at time.Time) {
	for _, total := range totals {
		decimals := in.Asset(total.Asset).Decimals
		both, leftOut := bothOf(total, decimals)
		if !total.Asset.IsZero() && leftOut == 0 && both.IsNumber() {
			d.lineOf(scope, total.Asset, decimals).addTotal(d.Date(at), DayTotal{at, both})
			d.isChanged = true
		}
	}
}

// bothOf returns the sum of unrealised and realised PnL, and how many numbers are not in it.
func bothOf(total *view.Total, decimals int) (both model.Amount, leftOut int) {
	sum := *total.Sum(model.UnrealisedPnl)
	sum.Add(total.Sum(model.RealisedPnl).Amount(decimals))
	return sum.Amount(decimals), total.Sum(model.UnrealisedPnl).LeftOut(decimals) + total.Sum(model.RealisedPnl).LeftOut(decimals)
}

// Line returns the days of a scope and an asset, nil if there are none.
func (d *Days) Line(scope string, asset model.ID, decimals int) *DayLine {
	for _, line := range d.lines {
		if line.Scope == scope && line.Asset == asset && line.Decimals == decimals {
			return line
		}
	}
	return nil
}

// lineOf returns the days of a scope and an asset. If there are too many lines, the one that was not used for the
// longest time is dropped.
func (d *Days) lineOf(scope string, asset model.ID, decimals int) *DayLine {
	if line := d.Line(scope, asset, decimals); line != nil {
		return line
	}
	if len(d.lines) >= MaxDayLines {
		oldest := slices.MinFunc(d.lines, func(a, b *DayLine) int { return a.lastAt().Compare(b.lastAt()) })
		d.lines = slices.DeleteFunc(d.lines, func(line *DayLine) bool { return line == oldest })
	}
	line := &DayLine{Scope: scope, Asset: asset, Decimals: decimals}
	d.lines = append(d.lines, line)
	return line
}

// lastAt returns when the line got a total last.
func (l *DayLine) lastAt() time.Time {
	if len(l.Days) == 0 {
		return time.Time{}
	}
	return l.Days[len(l.Days)-1].Last.At
}

// addTotal adds a total of a date. Later dates are dropped: the clock was wrong then.
func (l *DayLine) addTotal(date string, total DayTotal) {
	for len(l.Days) > 0 && l.Days[len(l.Days)-1].Date > date {
		l.Days = l.Days[:len(l.Days)-1]
	}
	if n := len(l.Days); n > 0 && l.Days[n-1].Date == date {
		l.Days[n-1].Last = total
		return
	}
	l.Days = append(l.Days, Day{date, total, total})
	l.Days = l.Days[max(len(l.Days)-MaxDays, 0):]
}

// DayChange is by how much the total of a day differs from that of the day before.
type DayChange struct {
	Date    string
	Change  model.Amount // not a number if it is not known
	Since   DayTotal     // what it is compared with
	IsFirst bool         // that is the first total of the same day: no earlier day is known
	Gap     int          // days between the two without a total
}

// Change returns the change of the day at a place.
func (l *DayLine) Change(place int) DayChange {
	day := &l.Days[place]
	c := DayChange{Date: day.Date, Since: day.First, IsFirst: place == 0}
	if place > 0 {
		before := &l.Days[place-1]
		c.Since, c.Gap = before.Last, daysBetween(before.Date, day.Date)-1
	}
	c.Change = l.Difference(day.Last.Total, c.Since.Total)
	return c
}

// Difference returns the difference of two totals of the line; not a number if it is not known.
func (l *DayLine) Difference(a, b model.Amount) model.Amount {
	difference, ok := model.Difference(a, b, l.Decimals)
	if !ok {
		return model.TextAmount("")
	}
	return difference
}

// daysBetween returns how many days later a date is.
func daysBetween(from, to string) int {
	a, errA := time.Parse(time.DateOnly, from)
	b, errB := time.Parse(time.DateOnly, to)
	if errA != nil || errB != nil {
		return 1
	}
	return int(b.Sub(a) / (24 * time.Hour))
}

// Merged returns the days of two runs: of the same day, the first and the last total of both.
func Merged(a, b []DayLine) []DayLine {
	merged := &Days{}
	for _, line := range slices.Concat(a, b) {
		into := merged.lineOf(line.Scope, line.Asset, line.Decimals)
		for _, day := range line.Days {
			at, isThere := slices.BinarySearchFunc(into.Days, day.Date, func(d Day, date string) int { return cmp.Compare(d.Date, date) })
			if !isThere {
				into.Days = slices.Insert(into.Days, at, day)
				continue
			}
			if day.First.At.Before(into.Days[at].First.At) {
				into.Days[at].First = day.First
			}
			if day.Last.At.After(into.Days[at].Last.At) {
				into.Days[at].Last = day.Last
			}
		}
		into.Days = into.Days[max(len(into.Days)-MaxDays, 0):]
	}
	return merged.Clone()
}
