// Package exit is how a run of the program ends: the exit codes, the errors that have one, and how an error is written
// to standard error. It depends on the errors of the configuration and of the feed.
package exit

import (
	"context"
	"errors"
	"fmt"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/ui/command/config"
)

// The exit codes. Scripts rely on them.
const (
	CodeDone        = 0
	CodeFailed      = 1   // on this machine: the output cannot be written, an internal error
	CodeUsage       = 2   // the command line or the configuration
	CodeUnavailable = 3   // no complete response in time
	CodeRefused     = 4   // by the service
	CodeNoMatch     = 5   // --until: nothing has matched in time
	CodeInterrupted = 130 // ended by a signal
)

// Help explains the exit codes in the help of the commands for scripts.
const Help = "Exit codes: 0 done, even if there is nothing to print; 1 the output cannot be written; " +
	"2 usage or configuration; 3 no complete snapshot in time; 4 refused by the service (a response that another try " +
	"would not change); 5 no position has matched in time (positions --until); 130 interrupted."

// Error is an error with its exit code.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error without the exit code.
func (e *Error) Unwrap() error { return e.Err }

// Usage returns an error of the command line or the configuration.
func Usage(format string, arguments ...any) error {
	return &Error{CodeUsage, fmt.Errorf(format, arguments...)}
}

// Unavailable returns the error if a response did not come in time.
func Unavailable(format string, arguments ...any) error {
	return &Error{CodeUnavailable, fmt.Errorf(format, arguments...)}
}

// CodeOfFeed returns the exit code for an error of the feed.
func CodeOfFeed(err error) int {
	switch {
	case errors.Is(err, endpoint.ErrTokenInClear):
		return CodeUsage
	case endpoint.OutcomeOf(err).IsRefusal():
		return CodeRefused
	}
	return CodeUnavailable
}

// CodeOf returns the exit code for an error. Errors of unknown kind are CodeFailed.
func CodeOf(err error) int {
	var exit *Error
	var configured *config.Error
	switch {
	case err == nil:
		return CodeDone
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &configured):
		return CodeUsage
	case errors.Is(err, context.Canceled):
		return CodeInterrupted
	}
	return CodeFailed
}

// Message returns the line for standard error. Texts of the service in it are neutralised.
func Message(err error) string { return "blotter: " + model.Neutralise(err.Error()) }
