// Package clock has the clock of the feed: its interface, and the clock of the machine. Package record has another one,
// which a replay uses.
package clock

import "time"

// Clock returns the time and has timers. Its methods may be called by any goroutine.
type Clock interface {
	// Now returns the time.
	Now() time.Time
	// NewTimer returns a timer that sends once on its channel after d.
	NewTimer(d time.Duration) Timer
	// AfterFunc returns a timer that calls do in its own goroutine after d. Its channel is nil.
	AfterFunc(d time.Duration, do func()) Timer
}

// Timer is a timer of a Clock. Its methods are those of a time.Timer.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration) bool
	Stop() bool
}

// System is the clock of the machine.
type System struct{}

// Now returns the time, with the reading of the monotonic clock.
func (System) Now() time.Time { return time.Now() }

// NewTimer returns a timer that sends once on its channel after d.
func (System) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

// AfterFunc returns a timer that calls do in its own goroutine after d.
func (System) AfterFunc(d time.Duration, do func()) Timer { return systemTimer{time.AfterFunc(d, do)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.Timer.C }

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
