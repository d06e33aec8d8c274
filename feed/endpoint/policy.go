package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
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

// The outcomes of requests. The failures of an address are those from NoResponse on; see also IsRefusal.
const (
	Succeeded    Outcome = iota // no error
	Postponed                   // a *PostponedError: the request was not sent
	Cancelled                   // the caller cancelled it
	NoResponse                  // no connection, no response, or a response that broke off
	NotListening                // nothing listens at an address of this machine: the service does not run
	Fault                       // 408 or 5xx: the service received the request, and could not respond to it
	Limited                     // 429, or a 403 that names a time
	Denied                      // 401 or 403: because of the credentials
	BadRequest                  // 400: because of the request
	Refused                     // any other status, or ErrTokenInClear: usually because of the operation
	NoToken                     // there is no token
	outcomes
)

// isFailure reports whether the outcome is a failure of the address.
func (o Outcome) isFailure() bool { return o >= NoResponse }

// hasNoResponse reports whether nothing has responded to the request.
func (o Outcome) hasNoResponse() bool { return o == NoResponse || o == NotListening }

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
	case errors.Is(err, errNoToken):
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

// rule is what a failure does to the breaker of its address and kind.
type rule struct {
	class       backoffClass
	ignored     int  // how many failures in a row are counted, but open the breaker only if the service named a time
	keepsClosed bool // a closed breaker stays closed
	advances    bool // without streams, pages use the next address
}

// policy decides when an address is used again, in one table: kind of request x outcome -> delays. A time that the
// service names also counts, up to maxRetryAfter.
//
//   - An audit costs a whole snapshot, so standby streams are slower than active ones. One without a response costs
//     little, and may have reached one of several nodes that hangs.
//   - A page may fail once because of its cursor only. The second failure in a row is a failure of the service.
//   - A bad request of one subscription does not concern the others.
var policy = [...][outcomes]rule{
	Active: {
		NoResponse: {class: fast}, NotListening: {class: eachSecond}, Fault: {class: fast}, Limited: {class: fast}, NoToken: {class: fast},
		Denied: {class: slow}, Refused: {class: slow, keepsClosed: true}, BadRequest: {class: unchanged},
	},
	Standby: {
		NoResponse: {class: medium, ignored: 5}, NotListening: {class: eachSecond}, Fault: {class: medium},
		Limited: {class: medium}, NoToken: {class: medium},
		Denied: {class: slow}, Refused: {class: slow}, BadRequest: {class: slow},
	},
	UserPage:       pagePolicy,
	BackgroundPage: pagePolicy,
	Probe:          pagePolicy,
}

var pagePolicy = [outcomes]rule{
	NoResponse: {class: fast, advances: true}, NotListening: {class: eachSecond, advances: true},
	Fault:   {class: fast, ignored: 1, advances: true},
	Limited: {class: fast, advances: true}, NoToken: {class: unchanged},
	Denied: {class: fast, ignored: 1}, Refused: {class: fast, ignored: 1}, BadRequest: {class: fast, ignored: 1},
}
