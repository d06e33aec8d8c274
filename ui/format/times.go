package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"blotter/model"
)

// Age formats a duration in one unit. It is negative if the clock of the service is ahead of this one.
func Age(d time.Duration) string {
	if d <= -2*time.Second {
		return "-" + Age(-max(d, -math.MaxInt64)) // the least duration has no opposite
	}
	n, unit := inOneUnit(d)
	return strconv.Itoa(n) + unit[:1]
}

// inOneUnit returns a duration as a number of seconds, minutes, hours or days; of a negative one, 0 seconds.
func inOneUnit(d time.Duration) (n int, unit string) {
	switch {
	case d < time.Minute:
		return int(max(0, d/time.Second)), "second"
	case d < time.Hour:
		return int(d / time.Minute), "minute"
	case d < 48*time.Hour:
		return int(d / time.Hour), "hour"
	}
	return int(d / (24 * time.Hour)), "day"
}

// Span formats the length of a time in two units: 1m30s, 2h5m, 3d4h.
func Span(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Hour:
		return Duration(d.Truncate(time.Second))
	case d < 48*time.Hour:
		return Duration(d.Truncate(time.Minute))
	}
	day := 24 * time.Hour
	return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
}

// Duration formats a duration exactly, without the units that are 0 at its end: 1m30s, 24h.
func Duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Ago formats how long ago something was: 5m ago.
func Ago(d time.Duration) string {
	if d < -model.AheadFor {
		return Age(-max(d, -math.MaxInt64)) + " ahead of the service's clock"
	}
	return Age(max(d, 0)) + " ago"
}

// Until formats the time until something happens, rounded up, so that it is not 0s too early.
func Until(d time.Duration) string { return Age(roundedUp(d)) }

// UntilSpoken is Until for a screen reader: 4 seconds.
func UntilSpoken(d time.Duration) string { return Counted(inOneUnit(roundedUp(d))) }

// roundedUp rounds a duration up to the unit that it is shown in.
func roundedUp(d time.Duration) time.Duration {
	unit := time.Second
	switch {
	case d >= time.Hour:
		unit = time.Hour
	case d >= time.Minute:
		unit = time.Minute
	}
	return (min(max(d, 0), math.MaxInt64-unit) + unit - 1).Truncate(unit)
}

// Local returns a time in the zone of the formatter.
func (f *Formatter) Local(t time.Time) time.Time { return t.In(f.location) }

// Clock formats a time of day with the name of its zone.
func (f *Formatter) Clock(t time.Time) string { return f.Local(t).Format("15:04:05 MST") }

// ClockOn formats a time of day with the name of its zone, and with the day if that is not the day of now.
func (f *Formatter) ClockOn(t, now time.Time) string { return f.dayUnlessOf(now, t) + f.Clock(t) }

// ShortClockOn is ClockOn without the zone, which the first line of the screen has.
func (f *Formatter) ShortClockOn(t, now time.Time) string {
	return f.dayUnlessOf(now, t) + f.Local(t).Format("15:04:05")
}

// dayUnlessOf returns the day of a time, with a space after it; empty if that is also the day of now.
func (f *Formatter) dayUnlessOf(now, t time.Time) string {
	const day = "2006-01-02 "
	if on := f.Local(t).Format(day); on != f.Local(now).Format(day) {
		return on
	}
	return ""
}

// Timestamp formats a time with all digits that the service sent, with day and zone.
func (f *Formatter) Timestamp(t time.Time) string {
	return f.Local(t).Format("2006-01-02 15:04:05.999999999 MST")
}
