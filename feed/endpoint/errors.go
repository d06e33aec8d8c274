package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/feed/secrets"
	"blotter/feed/wire"
)

// StatusError is a response of the service that is not a success.
type StatusError struct {
	Status     int           // as the service wrote it, 000 included
	Words      string        // the text of the service, in one line, neutralised, without the token
	RetryAfter time.Duration // the time until the next request that it named, 15 minutes at most; 0 if it named none
}

func (e *StatusError) Error() string {
	if !e.hasStatus() {
		return strings.TrimSuffix(fmt.Sprintf("the service responded with %03d, which is no HTTP status: %s", e.Status, e.Words), ": ")
	}
	return fmt.Sprintf("the service responded with %03d: %s", e.Status, e.Words)
}

// hasStatus reports whether the status is one of HTTP: from 100 on.
func (e *StatusError) hasStatus() bool { return e.Status >= 100 }

// Response returns the status of the response and its text. If its number is no HTTP status, it returns 0, and the
// text names the number.
func (e *StatusError) Response() (status int, words string) {
	if !e.hasStatus() {
		return 0, e.Error()
	}
	return e.Status, e.Words
}

// Retryable reports whether the same request may succeed later.
func (e *StatusError) Retryable() bool { return !e.outcome().IsRefusal() }

// PostponedError is why a request was not sent now. It does not mean that the service is down. It does not unwrap
// to its cause, which is the error of another request.
type PostponedError struct {
	Address   string
	Cause     error     // what went wrong at the address before; nil if too many connections are being opened
	Until     time.Time // when it can be sent; zero if another request is trying the address now
	ByService bool      // the service named the time

	at time.Time // when that was so
}

// postponed returns why a request to an address is not sent now.
func (a *address) postponed(cause error, until time.Time, byService bool) *PostponedError {
	return &PostponedError{Address: a.name, Cause: cause, Until: until, ByService: byService, at: time.Now()}
}

// Known returns what went wrong before.
func (e *PostponedError) Known() string {
	if e.Cause == nil {
		return "too many connections are being opened"
	}
	return e.Cause.Error()
}

// NextTry returns when the request can be sent; zero if another request is trying the address now.
func (e *PostponedError) NextTry() time.Time { return e.Until }

func (e *PostponedError) Error() string {
	wait := e.Until.Sub(cmp.Or(e.at, time.Now()))
	if wait <= 0 {
		return e.Known() + "; the next try is under way"
	}
	return fmt.Sprintf("%s; next try in %s", e.Known(), (wait + time.Second - 1).Truncate(time.Second))
}

// Errors that requests end with before they are sent, and streams after their last message.
var (
	errRefusedEverywhere = errors.New("every address of the service refused this")
	ErrTokenInClear      = errors.New("the token is not sent without TLS to a host that is not this machine; " +
		"use an https:// address")
	errNoToken = errors.New("getting the token")
	ErrClosed  = errors.New("the pool is closed")
)

// requestError is an error of a request as callers of the package get it. Its text is one line, neutralised, without
// the token.
type requestError struct {
	address string
	outcome Outcome
	text    string
	cause   error // nil if a text of it may contain the token
}

func (e *requestError) Error() string { return e.text }

func (e *requestError) Unwrap() error { return e.cause }

// AddressOf returns the base address where err happened; "" if it happened at none.
func AddressOf(err error) string {
	if postponed, ok := errors.AsType[*PostponedError](err); ok {
		return postponed.Address
	}
	if known, ok := errors.AsType[*requestError](err); ok {
		return known.address
	}
	return ""
}

// publicError returns an error as callers of the package get it. Every error is returned through it.
func (p *Pool) publicError(address string, err error) error {
	if err == nil {
		return nil
	}
	if postponed, ok := errors.AsType[*PostponedError](err); ok {
		return postponed
	}
	if known, ok := err.(*requestError); ok {
		return known
	}
	known := &requestError{address, OutcomeOf(err), oneLine(p.config.Secrets, describe(err)), err}
	if p.hasSecret(err) {
		known.cause = withoutText(err)
	}
	return known
}

// searchedBytes is how much of a text, or of the body of an error, is searched for secrets. No more of it is used.
const searchedBytes = 64 << 10

// hasSecret reports whether the text of an error, or of an error that it wraps, may have a secret in it.
func (p *Pool) hasSecret(err error) bool {
	if err == nil {
		return false
	}
	if text := err.Error(); len(text) > searchedBytes || p.config.Secrets.Hide(text) != text {
		return true
	}
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		return p.hasSecret(wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(wrapper.Unwrap(), p.hasSecret)
	}
	return false
}

// withoutText returns the part of an error whose text is of this package, or nil. The text of the error itself contains
// the token.
func withoutText(err error) error {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status
	}
	for _, known := range []error{errNoToken, ErrTokenInClear, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

// oneLine returns a text without tokens, in one line, neutralised.
func oneLine(hider *secrets.Hider, text string) string {
	return wire.OneLine([]byte(beginning(hider, text)))
}

// cutBytes is more than what a secret takes of which too little is left to be found: the rest is behind searchedBytes.
const cutBytes = 1 << 10

// beginning returns a text without tokens, as far as it is searched.
func beginning(hider *secrets.Hider, text string) string {
	if len(text) < searchedBytes {
		return hider.Hide(text)
	}
	text = hider.Hide(text[:searchedBytes])
	return text[:max(len(text)-cutBytes, 0)] + "…"
}
