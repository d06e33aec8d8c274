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
