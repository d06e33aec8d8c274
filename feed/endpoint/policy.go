package endpoint

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// Kind is what a request is for.
type Kind uint8

// The kinds of requests.
const (
	Active         Kind = iota // a stream that is shown
	Standby                    // the second stream of an audit
	UserPage                   // a page for the trader, who waits for it
	BackgroundPage             // a page that is read in the background
	Probe                      // a check whether the service responds
)

// Outcome is how a request ended. The policy has a column for each outcome that is a failure.
type Outcome uint8

// The outcomes of requests. The failures of an address are those from NoResponse on; see also IsFault and IsRefusal.
const (
	Succeeded    Outcome = iota // no error
	Postponed                   // a *PostponedError: the request was not sent
	Cancelled                   // the caller cancelled it
	NoResponse                  // no connection, no response, or a response that broke off
	NotListening                // nothing listens at an address of this machine: the service does not run
	Fault                       // 408 or 5xx
	Limited                     // 429, or a 403 that names a time
	Denied                      // 401 or 403: because of the credentials
	BadRequest                  // 400: because of the request
	Refused                     // any other status, or ErrTokenInClear: usually because of the operation
	NoToken                     // there is no token
	outcomes
)

// IsFailure reports whether the outcome is a failure of the address.
func (o Outcome) IsFailure() bool { return o >= NoResponse }

// hasNoResponse reports whether nothing has responded to the request.
func (o Outcome) hasNoResponse() bool { return o == NoResponse || o == NotListening }

// IsFault reports whether the service has a fault of its own: it received the request, and could not respond to it.
func (o Outcome) IsFault() bool { return o == Fault }

// IsRefusal reports whether the same request would probably be refused again.
func (o Outcome) IsRefusal() bool { return o == Denied || o == BadRequest || o == Refused }

// OutcomeOf returns the outcome of a request that ended with err.
func OutcomeOf(err error) Outcome {
	if err == nil {
		return Succeeded
	}
	if _, ok := errors.AsType[*PostponedError](err); ok {
		return Postponed
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
		return NoToken
	case errors.Is(err, context.Canceled):
		return Cancelled
	case isNotListening(err):
		return NotListening
	}
	return NoResponse
}

// isNotListening reports whether this machine has refused a connection to itself.
func isNotListening(err error) bool {
	dial, ok := errors.AsType[*net.OpError](err)
	if !ok || dial.Op != "dial" || dial.Timeout() {
		return false
	}
	to, ok := dial.Addr.(*net.TCPAddr)
	return ok && to.IP.IsLoopback()
}

// outcome returns the outcome of a response that is not a success.
func (e *StatusError) outcome() Outcome {
	switch {
	case e.Status == http.StatusTooManyRequests, e.Status == http.StatusForbidden && e.RetryAfter > 0:
		return Limited
	case e.Status == http.StatusRequestTimeout, e.Status >= 500:
		return Fault
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return Denied
	case e.Status == http.StatusBadRequest:
		return BadRequest
	}
	return Refused
}

// pace is how long a breaker is open. Each failure in a row makes it three times as long. Half of each time is random,
// so that the first one is from half of the first limit up to it.
type pace uint8

const (
	unset      pace = iota // a rule that was forgotten; a test finds it
	unchanged              // the breaker stays as it is
	eachSecond             // a second at most, and its dials do not count in the budget: they cost nothing
	fast                   // limits: FirstBackoff, MaxBackoff
	medium                 // limits: ten times FirstBackoff, RefusedRetry
	slow                   // limits: two times RefusedRetry, ten times RefusedRetry
)

// rule is what a failure does to the breaker of its address and kind.
type rule struct {
	pace        pace
	ignored     int  // this many failures in a row are counted, but open the breaker only if the service named a time
	keepsClosed bool // a closed breaker stays closed
	advances    bool // without streams, pages use the next address
}

// policy decides when an address is used again, in one table: kind of request x outcome -> delays.
// A time that the service names also counts, up to maxRetryAfter.
//
//   - An audit costs a whole snapshot, so standby streams are slower than active ones.
//   - A page may fail once because of its cursor only. The second failure in a row is a failure of the service.
//   - A bad request of one subscription does not concern the others.
var policy = [...][outcomes]rule{
	Active: {
		NoResponse: {pace: fast}, NotListening: {pace: eachSecond}, Fault: {pace: fast}, Limited: {pace: fast}, NoToken: {pace: fast},
		Denied: {pace: slow}, Refused: {pace: slow, keepsClosed: true}, BadRequest: {pace: unchanged},
	},
	Standby: {
		NoResponse: {pace: medium}, NotListening: {pace: eachSecond}, Fault: {pace: medium}, Limited: {pace: medium}, NoToken: {pace: medium},
		Denied: {pace: slow}, Refused: {pace: slow}, BadRequest: {pace: slow},
	},
	UserPage:       pagePolicy,
	BackgroundPage: pagePolicy,
	Probe:          pagePolicy,
}

var pagePolicy = [outcomes]rule{
	NoResponse: {pace: fast, advances: true}, NotListening: {pace: eachSecond, advances: true}, Fault: {pace: fast, ignored: 1, advances: true},
	Limited: {pace: fast, advances: true}, NoToken: {pace: unchanged},
	Denied: {pace: fast, ignored: 1}, Refused: {pace: fast, ignored: 1}, BadRequest: {pace: fast, ignored: 1},
}

// delay returns how long the breaker is open after this many failures in a row; 0 where it stays as it is.
func (r rule) delay(times *RequestTimes, failures int) time.Duration {
	if failures -= r.ignored; failures <= 0 {
		return 0
	}
	switch r.pace {
	case eachSecond:
		return backoff(time.Second, time.Second, failures)
	case fast:
		return backoff(times.FirstBackoff, times.MaxBackoff, failures)
	case medium:
		return backoff(10*times.FirstBackoff, times.RefusedRetry, failures)
	case slow:
		return backoff(2*times.RefusedRetry, 10*times.RefusedRetry, failures)
	}
	return 0
}

// RefusedDelay returns how long a subscription waits after all addresses refused it this many times in a row.
func (p *Pool) RefusedDelay(refusals int) time.Duration {
	return rule{pace: slow}.delay(&p.config.Times, max(refusals, 1))
}

// backoff returns how long to wait after this many failures in a row: three times as long each time, from first up to
// longest, of which half is random, so that clients do not all try again at the same time.
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
