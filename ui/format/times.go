package format

import "time"

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
