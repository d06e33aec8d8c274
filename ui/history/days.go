package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
)

// Days are the totals with which days have ended: unrealised and realised PnL together, by party, asset and markets.
// The zero value has none.
type Days struct {
	// Begins is the time of day at which a day begins, after midnight.
	Begins time.Duration
	// Numbers are those by position that an earlier run has kept; nil if there are none.
	Numbers *book.DayNumbers

	lines     map[DayKey]*DayLine
	listed    int  // counts how often a line or a day has come or gone
	isChanged bool // since Clone
}

// DayKey is what a line of days is of. Totals of other markets, or of an asset with other decimals, are never in one
// line: their difference is no profit.
type DayKey struct {
	Party model.ID // zero: all parties of a scope together
	// Scope stands for the markets that the positions are in; in a line of all parties together, for the whole scope.
	Scope    string
	Asset    model.ID
	Decimals int
}

// DayLine has the days of a party and an asset.
type DayLine struct {
	DayKey
	// Days are in order, the oldest first; a day on which no total was known is not there. A Day is replaced and never
	// changed, because copies of the line share it.
	Days []*Day
}

// Day has the first and the last total of a day that are known.
type Day struct {
	Date        string // on which it began: 2006-01-02
	First, Last DayTotal
	// PnL is what the positions had changed from the begin of the day until Last, if HasPnL is true.
	PnL    model.Amount
	HasPnL bool
}

// DayTotal is a total, and when it was known.
type DayTotal struct {
	At    time.Time
	Total model.Amount
}

// The limits of days.
const (
	MaxDays     = 400                 // of a line
	MaxDayLines = analysis.MaxParties // those that were used last
)

// Kept is what is kept of days from one run to the next.
type Kept struct {
	Lines   []DayLine
	Numbers *book.DayNumbers // nil if there are none
}

// NewDays returns the days of earlier runs.
func NewDays(kept Kept, begins time.Duration) *Days {
	d := &Days{Begins: begins, Numbers: kept.Numbers}
	for _, line := range kept.Lines {
		d.lineOf(line.DayKey).Days = line.Days
	}
	return d
}

// Only returns what is kept of those parties, and numbers of those positions, that are shown. Lines of all parties of a
// scope together need no check: what could be seen then is a part of their key.
func (k Kept) Only(isParty func(model.ID) bool, isPosition func(model.Key) bool) Kept {
	isHidden := func(line DayLine) bool { return !line.Party.IsZero() && !isParty(line.Party) }
	return Kept{slices.DeleteFunc(slices.Clone(k.Lines), isHidden), k.Numbers.Only(isPosition)}
}

// Clone returns a copy of all lines, and notes that they are kept: IsChanged is false until the next total.
func (d *Days) Clone() []DayLine {
	d.isChanged = false
	var lines []DayLine
	for _, line := range d.lines {
		lines = append(lines, DayLine{line.DayKey, slices.Clone(line.Days)})
	}
	slices.SortFunc(lines, func(a, b DayLine) int {
		return cmp.Or(cmp.Compare(a.Scope, b.Scope), a.Party.Compare(b.Party), a.Asset.Compare(b.Asset),
			cmp.Compare(a.Decimals, b.Decimals))
	})
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
	date, _ := time.Parse(time.DateOnly, d.Date(at)) // in UTC: in some zones a day has no midnight
	began := time.Date(date.Year(), date.Month(), date.Day(), 0, 0, int(d.Begins/time.Second), 0, at.Location())
	if began.Day() != date.Day() {
		return began.Add(time.Hour)
	}
	return began
}

// Add adds a total of a line at a local time, and what its positions have changed since the day began; nil if that is
// not known. A total that leaves numbers out is not added.
func (d *Days) Add(of DayKey, at time.Time, total, pnl *model.Sum) {
	amount := total.Amount(of.Decimals)
	if of.Asset.IsZero() || total.LeftOut(of.Decimals) > 0 || !amount.IsNumber() {
		return
	}
	day := Day{Date: d.Date(at), First: DayTotal{at, amount}, Last: DayTotal{at, amount}}
	if pnl != nil {
		day.PnL, day.HasPnL = pnl.Amount(of.Decimals), pnl.LeftOut(of.Decimals) == 0
	}
	line := d.lineOf(of)
	if n := len(line.Days); n == 0 || line.Days[n-1].Date != day.Date {
		d.listed++
	}
	line.addTotal(&day)
	d.isChanged = true
}

// lineOf returns the line with a key. If there are too many lines, the one that was not used for the longest time is
// dropped.
func (d *Days) lineOf(of DayKey) *DayLine {
	if line := d.lines[of]; line != nil {
		return line
	}
	if d.lines == nil {
		d.lines = make(map[DayKey]*DayLine)
	}
	if len(d.lines) >= MaxDayLines {
		oldest := slices.MinFunc(slices.Collect(maps.Values(d.lines)), func(a, b *DayLine) int { return a.lastAt().Compare(b.lastAt()) })
		delete(d.lines, oldest.DayKey)
	}
	line := &DayLine{DayKey: of}
	d.lines[of] = line
	d.listed++
	return line
}

// lastAt returns when the line got a total last.
func (l *DayLine) lastAt() time.Time {
	if len(l.Days) == 0 {
		return time.Time{}
	}
	return l.Days[len(l.Days)-1].Last.At
}

// addTotal adds the total of a day. Later days are dropped: the clock was wrong then.
func (l *DayLine) addTotal(day *Day) {
	for len(l.Days) > 0 && l.Days[len(l.Days)-1].Date > day.Date {
		l.Days = l.Days[:len(l.Days)-1]
	}
	if n := len(l.Days); n > 0 && l.Days[n-1].Date == day.Date {
		day.First = l.Days[n-1].First
		l.Days[n-1] = day
		return
	}
	l.Days = append(l.Days, day)
	l.Days = l.Days[max(len(l.Days)-MaxDays, 0):]
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
		into := merged.lineOf(line.DayKey)
		for _, day := range line.Days {
			at, isThere := slices.BinarySearchFunc(into.Days, day.Date, func(d *Day, date string) int { return cmp.Compare(d.Date, date) })
			if !isThere {
				into.Days = slices.Insert(into.Days, at, day)
				continue
			}
			both := *into.Days[at]
			if day.Last.At.After(both.Last.At) {
				both = *day
			}
			if both.First = into.Days[at].First; day.First.At.Before(both.First.At) {
				both.First = day.First
			}
			into.Days[at] = &both
		}
		into.Days = into.Days[max(len(into.Days)-MaxDays, 0):]
	}
	return merged.Clone()
}
