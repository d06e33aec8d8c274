package store

import "time"

// clock has the two times of a Store, which are the same unless a recording is shown.
type clock struct {
	now           func() time.Time // that of what is shown: a replay can stop, and go to another time
	isOfRecording bool
}

// screenNow returns the time of notices and frames, which continues while a replay is stopped.
func (c *clock) screenNow() time.Time {
	if c.isOfRecording {
		return time.Now()
	}
	return c.now()
}

// sleptFor is how long no tick comes if the machine or the program sleeps.
const sleptFor = 10 * time.Second

// clocksCompared is how long the source may take to compare the clocks again, with the Date of a response.
const clocksCompared = 5 * time.Second

// ticks are the times of the ticks, by which a sleep of the machine or of the program is noticed.
type ticks struct {
	last     time.Time
	sureFrom time.Time // from when on the clock is sure again
}

// next notes a tick. It reports whether the machine or the program has slept since the one before, and whether clocks
// must be compared again: because of that, or because the clock was set back. The monotonic clock stops while a machine
// sleeps and the wall clock does not, so both are read.
func (t *ticks) next(now time.Time) (hasSlept, isClockUnsure bool) {
	last := t.last
	t.last = now
	if last.IsZero() {
		return false, false
	}
	byWall := now.Round(0).Sub(last.Round(0))
	hasSlept = max(byWall, now.Sub(last)) >= sleptFor
	return hasSlept, hasSlept || byWall < 0
}
