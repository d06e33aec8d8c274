package endpoint

import (
	"context"
	"slices"
	"time"
)

// Later returns the later of two times.
func Later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

// Signal puts a token in a channel that has room for one, and does not wait: a token that is there counts for both.
func Signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Pause waits until a time, or until changed has a value or is closed, whichever comes first. A zero time never comes.
// The error is the cause of the end of ctx.
func Pause(ctx context.Context, until time.Time, changed <-chan struct{}) error {
	var over <-chan time.Time
	if !until.IsZero() {
		wait := time.Until(until)
		if wait <= 0 {
			return context.Cause(ctx)
		}
		over = time.After(wait)
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-over:
	case <-changed:
	}
	return nil
}
