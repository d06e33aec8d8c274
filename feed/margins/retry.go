package margins

import (
	"context"
	"errors"
	"time"

	"blotter/feed/endpoint"
)

// cursorTries is how often a page with a cursor is requested when the service fails on it: it fails every time on a
// cursor that it does not have.
const cursorTries = 3

// retrying returns a function that requests a page of a list, and tries again until the service sends it or another
// try cannot succeed. If the list is read again, its first page is requested cursorTries times at most, as those after
// it.
func (l *Lister) retrying(query endpoint.PageQuery, isAgain bool) requestFunc {
	return func(ctx context.Context, cursor string, size int, ownConnection bool) (*endpoint.Page, error) {
		query.Cursor, query.Size, query.OwnConnection = cursor, size, ownConnection
		var last error // what went wrong the last time
		faults := 0
		for failures := 1; ; failures++ {
			page, err := l.pages.Page(ctx, endpoint.UserPage, query)
			if err == nil {
				return page, nil
			}
			if ctx.Err() != nil {
				return nil, timeoutError(ctx, last)
			}
			if endpoint.OutcomeOf(err) == endpoint.Fault && (cursor != "" || isAgain) {
				faults++
			}
			if !isRetryable(err) || faults == cursorTries {
				return nil, err
			}
			pause, byService, known := retryOf(err)
			if deadline, ok := ctx.Deadline(); ok && byService && pause > time.Until(deadline) {
				return nil, err
			}
			l.log(err, "; trying again")
			if known != nil {
				last = known
			}
			if endpoint.Pause(ctx, time.Now().Add(max(endpoint.WalkDelay(failures), pause)), nil) != nil {
				return nil, timeoutError(ctx, last)
			}
		}
	}
}

func isRetryable(err error) bool {
	outcome := endpoint.OutcomeOf(err)
	return !outcome.IsRefusal() && outcome != endpoint.Cancelled && !errors.Is(err, endpoint.ErrClosed)
}

// retryOf returns how long to wait after an error, whether the service named that time, and what went wrong.
func retryOf(err error) (pause time.Duration, byService bool, known error) {
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		return time.Until(postponed.Until), postponed.ByService, postponed.Cause
	}
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		return status.RetryAfter, true, err
	}
	return 0, false, err
}

// timeoutError returns the error of a walk whose context has ended, with what went wrong before if something did.
func timeoutError(ctx context.Context, last error) error {
	if last == nil {
		return ctx.Err()
	}
	return errors.Join(ctx.Err(), last)
}
