package endpoint

import "time"

// breaker is the circuit breaker of one address for one kind of use. It is closed, open until a time, or half-open.
type breaker struct {
	closed    bool   // the address has worked since the last failure
	trial     *Lease // half-open: the stream that tries the address, or nil if there is none
	failures  int    // in a row; the backoff depends on it
	retries   int    // failures since a stream was healthy, its own end included
	drops     int    // of those, streams that had been healthy
	refusals  int    // of those, the last ones in a row that are tried again slowly
	failedAt  time.Time
	openUntil time.Time
	byService bool      // the service named openUntil
	cause     error     // the failure that opened it, or nil if there was none
	ignoredAt time.Time // when Retry last ignored openUntil
}

// isOpen reports whether nothing may be tried before openUntil.
func (b *breaker) isOpen(now time.Time) bool { return b.openUntil.After(now) }

// close closes the breaker. The number of failures is remembered.
func (b *breaker) close() {
	b.closed, b.trial, b.openUntil, b.byService = true, nil, time.Time{}, false
}

// forget closes the breaker and forgets the failures.
func (b *breaker) forget() {
	b.close()
	b.failures, b.retries, b.drops, b.refusals, b.cause = 0, 0, 0, 0, nil
}

// fail counts the failure of a request that began at since. Requests that began before the last failure and fail too
// are counted as one with it. It reports whether the breaker opened.
func (b *breaker) fail(now time.Time, rule rule, times *RequestTimes, since time.Time, cause error) bool {
	if rule.class <= unchanged || rule.keepsClosed && b.closed {
		return false
	}
	opens := false
	if b.failures == 0 || b.failedAt.Before(since) {
		b.failures++
		b.retries++
		b.failedAt = now
		n := b.failures
		if b.refusals++; rule.class != slow {
			b.refusals = 0
		} else {
			n = b.refusals // one refusal after many lost connections is the first one
		}
		if wait := rule.delay(times, n); wait > 0 {
			opens = true
			b.openFor(now.Add(wait), cause)
		}
	}
	return b.hold(now, cause) || opens
}

// openFor opens the breaker until a time, or until a later one that the service has named.
func (b *breaker) openFor(until time.Time, cause error) {
	if !b.byService || !b.openUntil.After(until) {
		b.open(until, false, cause)
	}
}

// hold keeps the breaker open until the time that the service named, if it named one.
func (b *breaker) hold(now time.Time, cause error) bool {
	until := now.Add(retryAfterOf(cause))
	if !until.After(now) || !until.After(b.openUntil) {
		return false
	}
	b.open(until, true, cause)
	return true
}

func (b *breaker) open(until time.Time, byService bool, cause error) {
	b.closed, b.openUntil, b.byService, b.cause = false, until, byService, cause
}

// endBackoff ends a backoff. A time that the service named is ignored once a minute: one request is sent, and its
// response counts again.
func (b *breaker) endBackoff(now time.Time) {
	if b.byService && b.isOpen(now) {
		if now.Sub(b.ignoredAt) < time.Minute {
			return
		}
		b.ignoredAt = now
	}
	b.openUntil, b.byService = time.Time{}, false
}

// How long a stream must stay open before others are opened: freshProbation if nothing has failed so far,
// firstProbation after a failure. Each stream that breaks after it was healthy doubles firstProbation.
const (
	freshProbation = 100 * time.Millisecond
	firstProbation = time.Second
)

// probation returns how long a stream must stay open before the breaker closes.
func (b *breaker) probation(times *RequestTimes) time.Duration {
	if b.failures == 0 {
		return freshProbation
	}
	return min(firstProbation<<min(b.drops, 10), times.HealthyAfter)
}
