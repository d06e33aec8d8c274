package endpoint

import (
	"context"
	"time"
)

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Pause waits until a time, or until changed has a value or is closed, whichever comes first. A zero time never comes.
// The error is the cause of the end of ctx.
func Pause(ctx context.Context, until time.Time, changed <-chan struct{}) error {
	var over <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(time.Until(until))
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-over:
	case <-changed:
	}
	return nil
}
