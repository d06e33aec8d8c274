package feed

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// limiter keeps requests for pages away from a service that asked to be left alone. Streams are not its
// business: a service limits them by themselves.
type limiter struct {
	mu     sync.Mutex
	until  time.Time
	cause  StatusError
	strain int // answers of "too many" in a row
}

// blocked is the answer that the service would give, without asking it.
func (l *limiter) blocked() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	left := time.Until(l.until)
	if left <= 0 {
		return nil
	}
	cause := l.cause
	cause.RetryAfter = left
	return unasked{&cause}
}

// unasked is why a service was not asked: it has limited requests for pages. That says neither that it is there nor
// that it is not.
type unasked struct{ error }

func (u unasked) Unwrap() error { return u.error }

func isUnasked(err error) bool {
	_, is := errors.AsType[unasked](err)
	return is
}

// learn takes note of an answer.
func (l *limiter) learn(status *StatusError, first, longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if status == nil {
		l.strain = 0
		return
	}
	wait := status.RetryAfter
	if wait == 0 && status.Status == http.StatusTooManyRequests {
		l.strain++
		wait = backoff(2*first, longest, l.strain)
	}
	if until := time.Now().Add(wait); wait > 0 && until.After(l.until) {
		l.until, l.cause = until, *status
	}
}

// learn has the limiter take note of an answer; nil where there was a page.
func (f *Feed) learn(status *StatusError) {
	f.limiter.learn(status, f.config.Times.FirstBackoff, f.config.Times.MaxBackoff)
}
