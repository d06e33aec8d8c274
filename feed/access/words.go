package access

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/hub"
	"blotter/model"
)

// The words that replace those of the service, of the network and of files: they may name addresses, files or other
// parties, and some are those of another trader's request. The log of the desk has all of them.
const (
	hiddenWords  = "the service cannot be reached or read; the log of the desk says why"
	hiddenAdvice = "ask who runs this desk"
)

var (
	errHidden     = errors.New(hiddenWords)
	errNotAllowed = errors.New("this desk does not show you that")
	errRewatched  = errors.New("other subscriptions are watched")
)

// notAllowed is the problem of a subscription that may not be seen.
func notAllowed() *model.Problem {
	return &model.Problem{Words: errNotAllowed.Error(), Refuse: true, Advice: hiddenAdvice, IsOwn: true}
}

// hiddenProblem returns a problem of a service, whose name is given, in words that may be seen.
func hiddenProblem(p *model.Problem, service string) *model.Problem {
	if p == nil || p.IsOwn && p.Address == "" {
		return p
	}
	hidden := model.Problem{Status: p.Status, Words: p.Words, Refuse: p.Refuse, Advice: hiddenAdvice, IsOwn: p.IsOwn}
	if p.Address != "" {
		hidden.Address = service
	}
	switch {
	case p.IsOwn:
	case p.Status != 0:
		hidden.Words = statusWords(p.Status)
	default:
		hidden.Words = hiddenWords
	}
	return &hidden
}

// statusWords returns the standard words for a status.
func statusWords(status int) string {
	if words := http.StatusText(status); words != "" {
		return words
	}
	return "it gave no reason"
}

// postponedError is a request that was not sent, as endpoint.PostponedError without its cause.
type postponedError struct{ next time.Time }

func (e *postponedError) Error() string      { return e.Known() }
func (e *postponedError) Known() string      { return "the service fails, and no request is sent now" }
func (e *postponedError) NextTry() time.Time { return e.next }

// hiddenError returns an error in words that may be seen. It does not unwrap to err.
func hiddenError(err error) error {
	if err == nil {
		return nil
	}
	for _, known := range []error{context.Canceled, context.DeadlineExceeded, errNotAllowed} {
		if errors.Is(err, known) {
			return known
		}
	}
	if own, ok := errors.AsType[hub.Error](err); ok {
		return own
	}
	if postponed, ok := errors.AsType[interface {
		error
		NextTry() time.Time
	}](err); ok {
		return &postponedError{postponed.NextTry()}
	}
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		return fmt.Errorf("the service responded with %03d: %s", status.Status, statusWords(status.Status))
	}
	return errHidden
}
