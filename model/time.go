package model

import (
	"strings"
	"time"
)

// TimeUnit is how a service writes a time.
type TimeUnit uint8

// How a service can write a time: counted since the Unix epoch, or as a text.
const (
	NoTime TimeUnit = iota // it is no time that is understood
	InSeconds
	InMilliseconds
	InMicroseconds
	InNanoseconds
	InRFC3339
)

// String returns the unit in words.
func (u TimeUnit) String() string {
	return [...]string{"no time that is understood", "seconds", "milliseconds", "microseconds", "nanoseconds", "RFC 3339"}[u]
}

// The times that are understood: years from 1990 on and before 2100. They tell the units apart: as another unit, none
// of them is in these years.
const (
	firstSecond = 631_152_000
	endSecond   = 4_102_444_800
)

// maxTimeText is how long a time in RFC 3339 is at most.
const maxTimeText = len("2006-01-02T15:04:05.999999999+00:00")

// Nanoseconds returns the amount as a time, in nanoseconds since the Unix epoch, and how it is written.
func (a Amount) Nanoseconds() (at int64, unit TimeUnit) {
	if a.isText() {
		return nanosecondsOfText(a.text)
	}
	n, ok := a.Int64()
	switch {
	case !ok, n < firstSecond:
		return 0, NoTime
	case firstSecond*1e9 <= n && n < endSecond*1e9:
		return n, InNanoseconds
	case firstSecond*1e6 <= n && n < endSecond*1e6:
		return n * 1e3, InMicroseconds
	case firstSecond*1e3 <= n && n < endSecond*1e3:
		return n * 1e6, InMilliseconds
	case n < endSecond:
		return n * 1e9, InSeconds
	}
	return 0, NoTime
}

func nanosecondsOfText(text string) (at int64, unit TimeUnit) {
	if len(text) > maxTimeText || !strings.Contains(text, "T") {
		return 0, NoTime
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.Unix() < firstSecond || t.Unix() >= endSecond {
		return 0, NoTime
	}
	return t.UnixNano(), InRFC3339
}

// TimeUnit returns how the service wrote the amount, if it is a time.
func (a Amount) TimeUnit() TimeUnit {
	_, unit := a.Nanoseconds()
	return unit
}

// Time returns the amount as a time, whatever it is counted in. It returns false if the service sent no time, or none
// that is understood: IsZero tells these apart.
func (a Amount) Time() (time.Time, bool) {
	at, unit := a.Nanoseconds()
	if unit == NoTime {
		return time.Time{}, false
	}
	return time.Unix(0, at), true
}

// UsableTime returns a time of the service in nanoseconds since the Unix epoch, and whether it can be used to decide
// which of two states is newer: see ChangedAt. An integer that is not understood is returned as it is: the larger one
// is newer, whatever it counts.
func (a Amount) UsableTime(notAfter int64) (at int64, usable bool) {
	at, unit := a.Nanoseconds()
	if unit == NoTime {
		at, _ = a.Int64()
	}
	return at, 0 < at && at <= notAfter
}

// AsNanoseconds returns a time as an amount of nanoseconds since the Unix epoch, by which times can be compared. It
// returns another amount as it is.
func (a Amount) AsNanoseconds() Amount {
	if at, unit := a.Nanoseconds(); unit != NoTime {
		return AmountOf(at)
	}
	return a
}

// CompareTime orders times, however they are written. It orders other amounts as Compare does.
func (a Amount) CompareTime(b Amount) int { return a.AsNanoseconds().Compare(b.AsNanoseconds()) }

// IsOddTime reports whether the amount is sent in place of a time and is not understood. Without a time, a service
// sends 0 or an empty text.
func (a Amount) IsOddTime() bool {
	return a.TimeUnit() == NoTime && !a.IsZero() && !(a.isText() && a.text == "")
}

// TimeUnits are the ways in which times were written.
type TimeUnits struct {
	seen [InRFC3339 + 1]bool
	odd  Amount // the first that was not understood
}

// Add adds how a time is written. It ignores an amount that is not sent in place of a time.
func (u *TimeUnits) Add(a Amount) {
	unit := a.TimeUnit()
	switch {
	case unit != NoTime:
		u.seen[unit] = true
	case !u.seen[NoTime] && a.IsOddTime():
		u.seen[NoTime], u.odd = true, a
	}
}

// Merge adds those of other times.
func (u *TimeUnits) Merge(other *TimeUnits) {
	if !u.seen[NoTime] {
		u.odd = other.odd
	}
	for unit, seen := range other.seen {
		u.seen[unit] = u.seen[unit] || seen
	}
}

// Odd returns the first time that is not understood, and false if there is none.
func (u *TimeUnits) Odd() (Amount, bool) { return u.odd, u.seen[NoTime] }

// String returns the units in words, as in "milliseconds and RFC 3339"; empty if there was no time.
func (u *TimeUnits) String() string {
	var words []string
	for unit, seen := range u.seen {
		if seen && TimeUnit(unit) != NoTime {
			words = append(words, TimeUnit(unit).String())
		}
	}
	return strings.Join(words, " and ")
}
