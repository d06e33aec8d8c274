package store

import (
	"testing"
	"time"
)

// TestTicksNoticeASleep of the machine or the program, and a clock that was set back.
func TestTicksNoticeASleep(t *testing.T) {
	var k ticks
	at := time.Unix(1000, 0)
	for _, c := range []struct {
		after                   time.Duration
		hasSlept, isClockUnsure bool
	}{
		{0, false, false}, // the first one
		{time.Second, false, false},
		{sleptFor - 1, false, false},
		{sleptFor, true, true},
		{time.Second, false, false},
		{-time.Second, false, true},
		{time.Second, false, false},
	} {
		at = at.Add(c.after)
		if hasSlept, isUnsure := k.next(at); hasSlept != c.hasSlept || isUnsure != c.isClockUnsure {
			t.Errorf("%s after the last tick: slept %t, clock unsure %t", c.after, hasSlept, isUnsure)
		}
	}
}
