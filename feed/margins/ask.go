package margins

import (
	"context"
	"errors"
	"time"

	"blotter/feed/endpoint"
)

// How long a walk waits before it asks again, where package endpoint lets it ask sooner. The wait doubles from the
// first to the longest, which is short because somebody waits for the walk.
const (
	firstRetry   = 250 * time.Millisecond
	longestRetry = 2 * time.Second
)

// cursorTries is how often a page with a cursor is asked for when the service fails on it: it fails every time on a
// cursor that means nothing to it.
const cursorTries = 3

// ask asks for a page until the service sends it, or until there is no point in asking again.
func (w *walk) ask(ctx context.Context, cursor string, size int) (*endpoint.Page, error) {
	query := w.query
	query.Cursor, query.Size = cursor, size
	var last error // what went wrong the last time
	faults := 0
	for wait := firstRetry; ; wait = min(2*wait, longestRetry) {
		page, err := w.lister.asker.Page(ctx, endpoint.Asked, query)
		if err == nil {
			w.read += len(page.Rows)
			return page, nil
		}
		if ctx.Err() != nil {
			return nil, outOfTime(ctx, last)
		}
		if endpoint.OutcomeOf(err) == endpoint.Fault && cursor != "" {
			faults++
		}
		if !mayPass(err) || faults == cursorTries {
			return nil, err
		}
		pause, byService, known := retryOf(err)
		if deadline, ok := ctx.Deadline(); ok && byService && pause > time.Until(deadline) {
			return nil, err
		}
		w.lister.log(err, "; trying again")
		if known != nil {
			last = known
		}
		select {
		case <-time.After(max(wait, pause)):
		case <-ctx.Done():
			return nil, outOfTime(ctx, last)
		}
	}
}

// mayPass reports whether asking again later may help.
func mayPass(err error) bool {
	outcome := endpoint.OutcomeOf(err)
	return !outcome.IsRefusal() && outcome != endpoint.Cancelled && !errors.Is(err, endpoint.ErrClosed)
}

// retryOf returns what went wrong, how long the service must be left alone for that, and whether the service said so.
func retryOf(err error) (pause time.Duration, byService bool, known error) {
	if notAsked, ok := errors.AsType[*endpoint.NotAskedError](err); ok {
		return time.Until(notAsked.Until), notAsked.ByService, notAsked.Cause
	}
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		return status.RetryAfter, true, err
	}
	return 0, false, err
}

// outOfTime is the error of a walk whose context has ended, with what went wrong before where something did.
func outOfTime(ctx context.Context, last error) error {
	if last == nil {
		return ctx.Err()
	}
	return errors.Join(ctx.Err(), last)
}
