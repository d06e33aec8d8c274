package endpoint

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Kind is what a request is for.
type Kind uint8

// The kinds of requests.
const (
	Active  Kind = iota // a stream that is shown
	Standby             // the second stream of an audit
	Asked               // a page that the trader asked for
	Unasked             // a page that nobody asked for
	Probe               // is the service there?
)

// Outcome is how a request ended.
type Outcome uint8

// The outcomes of requests.
const (
	Answered  Outcome = iota // no error
	NoAnswer                 // no connection, no answer, or an answer that broke off
	Fault                    // 408 or 5xx
	Limited                  // 429, or a 403 that names a time
	Refused                  // any other status, or ErrTokenInClear: asking again unchanged is of little use
	NotSent                  // there is no token
	NotAsked                 // a *NotAskedError: nothing was found out
	Cancelled                // the caller no longer wanted it
)

// OutcomeOf returns the outcome of a request that ended with err.
func OutcomeOf(err error) Outcome {
	if err == nil {
		return Answered
	}
	if _, ok := errors.AsType[*NotAskedError](err); ok {
		return NotAsked
	}
	if known, ok := errors.AsType[*requestError](err); ok {
		return known.outcome
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.outcome()
	}
	switch {
	case errors.Is(err, ErrTokenInClear):
		return Refused
	case errors.Is(err, ErrNoToken):
		return NotSent
	case errors.Is(err, context.Canceled):
		return Cancelled
	}
	return NoAnswer
}

// outcome of an answer that is no success.
func (e *StatusError) outcome() Outcome {
	switch {
	case e.Status == http.StatusTooManyRequests, e.Status == http.StatusForbidden && e.RetryAfter > 0:
		return Limited
	case e.Status == http.StatusRequestTimeout, e.Status >= 500:
		return Fault
	}
	return Refused
}

// failure is the column of the policy: the outcomes of failed requests, with refusals by what they are about.
type failure uint8

const (
	noFailure  failure = iota
	noAnswer           // NoAnswer
	fault              // Fault
	limited            // Limited
	denied             // Refused with 401 or 403: who asks
	refused            // Refused with any other status: the operation, as a rule
	badRequest         // Refused with 400: what is asked for
	notSent            // NotSent
	failures
)

// failureOf returns the column of err.
func failureOf(err error) failure {
	switch OutcomeOf(err) {
	case NoAnswer:
		return noAnswer
	case Fault:
		return fault
	case Limited:
		return limited
	case NotSent:
		return notSent
	case Refused:
		status, _ := errors.AsType[*StatusError](err)
		switch {
		case status != nil && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden):
			return denied
		case status != nil && status.Status == http.StatusBadRequest:
			return badRequest
		}
		return refused
	}
	return noFailure
}

// pace is how long a breaker is open. Each failure in a row makes it three times as long. Half of each time is random, so
// that the first one is from half of the first limit up to it.
type pace uint8

const (
	unset  pace = iota // a rule that was forgotten; a test finds it
	stays              // the breaker stays as it is
	fast               // limits: FirstBackoff, MaxBackoff
	medium             // limits: ten times FirstBackoff, RefusedRetry
	slow               // limits: two times RefusedRetry, ten times RefusedRetry
)

// rule is what a failure does to the breaker of its address and kind.
type rule struct {
	pace     pace
	ignored  int  // so many failures in a row are counted, but open the breaker only where the service named a time
	unproven bool // it changes nothing where the breaker is closed
	turns    bool // without streams, pages ask the next address
}

// policy is when an address is asked again, in one table: kind of request x failure -> what happens.
// A time that the service names counts besides, up to maxRetryAfter.
//
//   - An audit costs a whole snapshot, so standby streams are slower than active ones.
//   - A page may fail once for its cursor alone; the second failure in a row says something about the service.
//   - A bad request of one subscription says nothing about the others.
var policy = [...][failures]rule{
	Active: {
		noAnswer: {pace: fast}, fault: {pace: fast}, limited: {pace: fast}, notSent: {pace: fast},
		denied: {pace: slow}, refused: {pace: slow, unproven: true}, badRequest: {pace: stays},
	},
	Standby: {
		noAnswer: {pace: medium}, fault: {pace: medium}, limited: {pace: medium}, notSent: {pace: medium},
		denied: {pace: slow}, refused: {pace: slow}, badRequest: {pace: slow},
	},
	Asked:   pagePolicy,
	Unasked: pagePolicy,
	Probe:   pagePolicy,
}

var pagePolicy = [failures]rule{
	noAnswer: {pace: fast, turns: true}, fault: {pace: fast, ignored: 1, turns: true}, limited: {pace: fast, turns: true}, notSent: {pace: stays},
	denied: {pace: fast, ignored: 1}, refused: {pace: fast, ignored: 1}, badRequest: {pace: fast, ignored: 1},
}

// delay is how long the breaker is open after so many failures in a row; 0 where it stays as it is.
func (r rule) delay(times *Times, failures int) time.Duration {
	if failures -= r.ignored; failures <= 0 {
		return 0
	}
	switch r.pace {
	case fast:
		return backoff(times.FirstBackoff, times.MaxBackoff, failures)
	case medium:
		return backoff(10*times.FirstBackoff, times.RefusedRetry, failures)
	case slow:
		return backoff(2*times.RefusedRetry, 10*times.RefusedRetry, failures)
	}
	return 0
}

// RefusedDelay returns how long a subscription waits that was refused so many times in a row at all addresses.
func (p *Pool) RefusedDelay(refusals int) time.Duration {
	return rule{pace: slow}.delay(&p.config.Times, max(refusals, 1))
}

// backoff returns how long to wait after so many failures in a row: three times as long each time, from first up to
// longest, of which half is random, so that clients do not return in step.
func backoff(first, longest time.Duration, failures int) time.Duration {
	wait := min(first, longest)
	for range failures - 1 {
		if wait *= 3; wait >= longest {
			wait = longest
			break
		}
	}
	return wait/2 + rand.N(wait/2+1)
}

// How long a stream must stay up before others follow: where nothing has failed so far, and after a failure. Each
// stream that breaks after it was healthy doubles the latter.
const (
	freshProbation = 100 * time.Millisecond
	firstProbation = time.Second
)

// probation is how long a stream must stay up before the breaker closes.
func (b *breaker) probation(times *Times) time.Duration {
	if b.failures == 0 {
		return freshProbation
	}
	return min(firstProbation<<min(b.drops, 10), times.HealthyAfter)
}
