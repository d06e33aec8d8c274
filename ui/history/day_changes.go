package history

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
)

// DayChanges are the changes of each day of the parties of a scope together, in an asset. A day on which no party has a
// total is that of the line of all parties together, if an earlier version has kept one.
type DayChanges struct {
	lines    []*DayLine
	decimals int
	dates    []string
	byParty  []bool // whether a party has a total, for each date
	days     []DayChange
	of       *Days
	listed   int // of the Days
}

// DayChange is by how much the total of a day differs from that of the day before.
type DayChange struct {
	Date   string
	Change model.Amount // not a number if it is not known
	Since  time.Time    // when the earliest total was known that it is compared with
	Before string       // the day before of which a total is known; empty if there is none
	Gap    int          // days between the two without a total

	First    time.Time    // the first total of the day
	Own      model.Amount // the change since then
	IsFirst  bool         // no party has a total of the day before
	Parties  int          // whose changes these are; 0 if they are not by party
	NewSince int          // parties without a total of the day before: they count from their first total of the day
	Missing  int          // parties with a total of the day before, and without one of the day
}

// Changes returns the changes of the days of parties in an asset; of all parties if there are none. Both lines are
// those of the scope: byParty of its markets, whole of it together.
func (d *Days) Changes(parties []model.ID, byParty, whole DayKey) *DayChanges {
	c := &DayChanges{decimals: whole.Decimals, of: d, listed: d.listed}
	add := func(line *DayLine) {
		if line != nil {
			c.lines = append(c.lines, line)
		}
	}
	add(d.lines[whole])
	for _, party := range parties {
		add(d.lines[DayKey{party, byParty.Scope, byParty.Asset, byParty.Decimals}])
	}
	for key, line := range d.lines {
		if len(parties) == 0 && !key.Party.IsZero() && key == (DayKey{key.Party, byParty.Scope, byParty.Asset, byParty.Decimals}) {
			add(line)
		}
	}
	for _, line := range c.lines {
		for i := range line.Days {
			c.dates = append(c.dates, line.Days[i].Date)
		}
	}
	slices.Sort(c.dates)
	c.dates = slices.Compact(c.dates)
	c.byParty, c.days = make([]bool, len(c.dates)), make([]DayChange, len(c.dates))
	for _, line := range c.lines {
		for i := range line.Days {
			at, _ := slices.BinarySearch(c.dates, line.Days[i].Date)
			c.byParty[at] = c.byParty[at] || !line.Party.IsZero()
		}
	}
	c.count(0)
	return c
}

// IsCurrent reports whether no line and no day has come or gone since.
func (c *DayChanges) IsCurrent() bool { return c.listed == c.of.listed }

// All returns the changes, the oldest first. Only the last one can have changed since the last call.
func (c *DayChanges) All() []DayChange {
	if len(c.days) > 0 {
		c.count(len(c.days) - 1)
	}
	return c.days
}

// daySum is a DayChange that is counted.
type daySum struct {
	change, own model.Sum
	isUnknown   bool
	before      int // lines with a total of the day before
}

// count counts the changes of the days from a place on.
func (c *DayChanges) count(from int) {
	sums := make([]daySum, len(c.dates)-from)
	for i := range sums {
		c.days[from+i] = DayChange{Date: c.dates[from+i]}
		if from+i > 0 {
			c.days[from+i].Before = c.dates[from+i-1]
		}
	}
	for _, line := range c.lines {
		for i := len(line.Days) - 1; i >= 0 && len(sums) > 0 && line.Days[i].Date >= c.dates[from]; i-- {
			at, _ := slices.BinarySearch(c.dates, line.Days[i].Date)
			if line.Party.IsZero() != c.byParty[at] {
				sums[at-from].addDay(line, i, &c.days[at])
			}
		}
	}
	for i := range sums {
		sum, day := &sums[i], &c.days[from+i]
		day.Missing = c.missing(from + i)
		day.Change, day.Own, day.IsFirst = sum.change.Amount(c.decimals), sum.own.Amount(c.decimals), sum.before == 0
		if sum.isUnknown || sum.change.LeftOut(c.decimals)+sum.own.LeftOut(c.decimals) > 0 {
			day.Change, day.Own = model.TextAmount(""), model.TextAmount("")
		}
		if !day.IsFirst {
			day.Gap = daysBetween(day.Before, day.Date) - 1
		}
	}
}

// missing returns how many parties have a total of the day before the one at a place, and none of that day.
func (c *DayChanges) missing(place int) (n int) {
	has := func(line *DayLine, place int) bool {
		_, isThere := slices.BinarySearchFunc(line.Days, c.dates[place], func(d *Day, date string) int { return cmp.Compare(d.Date, date) })
		return isThere
	}
	for _, line := range c.lines {
		if place > 0 && !line.Party.IsZero() && c.byParty[place] && has(line, place-1) && !has(line, place) {
			n++
		}
	}
	return n
}

func (s *daySum) addDay(line *DayLine, place int, to *DayChange) {
	day := line.Days[place]
	add := func(sum *model.Sum, since model.Amount) {
		s.isUnknown = s.isUnknown || !day.Last.Total.IsNumber() || !since.IsNumber()
		sum.Add(day.Last.Total)
		sum.Subtract(since)
	}
	since := &day.First
	hasBefore := place > 0 && line.Days[place-1].Date == to.Before
	if hasBefore {
		since = &line.Days[place-1].Last
		s.before++
	}
	if countsPnL := day.HasPnL && (!hasBefore || daysBetween(to.Before, day.Date) == 1); countsPnL {
		s.change.Add(day.PnL)
	} else {
		add(&s.change, since.Total)
	}
	add(&s.own, day.First.Total)
	if !line.Party.IsZero() {
		if to.Parties++; !hasBefore && !day.HasPnL {
			to.NewSince++
		}
	}
	to.Since, to.First = earlier(to.Since, since.At), earlier(to.First, day.First.At)
}

// earlier returns the earlier of two times, of which the first one may be zero.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
