package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"blotter/feed/wire"
)

// StatusError is an answer of the service that is no success.
type StatusError struct {
	Status     int           // as the service wrote it, 000 included
	Words      string        // what the service said, in one line, neutralised, without the token
	RetryAfter time.Duration // how long it asked to be left alone, 15 minutes at most; 0 where it named no time
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the service answered %03d: %s", e.Status, e.Words)
}

// Retryable reports whether asking again later, unchanged, may help.
func (e *StatusError) Retryable() bool { return !e.outcome().IsRefusal() }

// NotAskedError is why the service was not asked. It says nothing about whether the service is there. It does not
// unwrap to its cause, which is an answer to another request.
type NotAskedError struct {
	Address   string
	Cause     error     // what went wrong at the address before; nil where it is only not its turn
	Until     time.Time // when it can be asked; zero where another request is finding that out now
	ByService bool      // the service named the time

	at time.Time // when that was so
}

// notAsked is why an address is not asked now.
func (a *address) notAsked(cause error, until time.Time, byService bool) *NotAskedError {
	return &NotAskedError{Address: a.name, Cause: cause, Until: until, ByService: byService, at: a.clock.Now()}
}

// Known returns what went wrong before.
func (e *NotAskedError) Known() string {
	if e.Cause == nil {
		return "too many connections are being opened"
	}
	return e.Cause.Error()
}

// NextTry returns when the service can be asked; zero where another request is finding that out now.
func (e *NotAskedError) NextTry() time.Time { return e.Until }

func (e *NotAskedError) Error() string {
	at := e.at
	if at.IsZero() {
		at = time.Now()
	}
	wait := e.Until.Sub(at)
	if wait <= 0 {
		return e.Known() + "; the next try is under way"
	}
	return fmt.Sprintf("%s; next try in %s", e.Known(), (wait + time.Second - 1).Truncate(time.Second))
}

// Errors that requests end with before they are sent, and streams after their last message.
var (
	ErrRefusedEverywhere = errors.New("every address of the service refused this")
	ErrTokenInClear      = errors.New("the token is not sent without TLS to a host that is not this machine; " +
		"use an https:// address")
	ErrNoToken = errors.New("getting the token")
	ErrClosed  = errors.New("the pool is closed")
)

// requestError is an error of a request as it leaves the package. Its text is one line, neutralised, without the token.
type requestError struct {
	address string
	outcome Outcome
	text    string
	cause   error // nil where a text of it contains the token
}

func (e *requestError) Error() string { return e.text }

func (e *requestError) Unwrap() error { return e.cause }

// AddressOf returns the base address at which err came about; "" where it was at none.
func AddressOf(err error) string {
	if rests, ok := errors.AsType[*NotAskedError](err); ok {
		return rests.Address
	}
	if known, ok := errors.AsType[*requestError](err); ok {
		return known.address
	}
	return ""
}

// leave is the one place that every error passes on its way out.
func (p *Pool) leave(address string, err error) error {
	if err == nil {
		return nil
	}
	if rests, ok := errors.AsType[*NotAskedError](err); ok {
		return rests
	}
	if known, ok := err.(*requestError); ok {
		return known
	}
	outcome := OutcomeOf(err)
	known := &requestError{address: address, outcome: outcome, text: p.secrets.line(describe(err)), cause: err}
	for inner := range chain(err) {
		if text := inner.Error(); p.secrets.Hide(text) != text {
			known.cause = withoutText(err)
		}
	}
	return known
}

// chain yields an error and everything that it wraps.
func chain(err error) func(yield func(error) bool) {
	return func(yield func(error) bool) { walk(err, yield) }
}

func walk(err error, yield func(error) bool) bool {
	if err == nil {
		return true
	}
	if !yield(err) {
		return false
	}
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		return walk(wrapper.Unwrap(), yield)
	case interface{ Unwrap() []error }:
		for _, inner := range wrapper.Unwrap() {
			if !walk(inner, yield) {
				return false
			}
		}
	}
	return true
}

// withoutText keeps of an error, whose text contains the token, only what has a text of this package.
func withoutText(err error) error {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status
	}
	for _, known := range []error{ErrNoToken, ErrTokenInClear, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

// statusText is what a status is called, for answers without words.
func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "no words"
}

// line is a text without tokens, in one line, neutralised.
func (s *Secrets) line(text string) string { return wire.OneLine([]byte(s.Hide(text))) }
