package cli

import (
	"context"
	"errors"
	"fmt"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/ui/command/config"
)

// The exit codes. Scripts rely on them. ExitCodes has what they mean.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitUnavailable = 3
	ExitRefused     = 4
	ExitNoMatch     = 5
	ExitInterrupted = 130 // by a signal
)

// ExitCodes returns all exit codes, with what they mean.
func ExitCodes() []ExitMeaning {
	return []ExitMeaning{
		{ExitDone, "done, even if there is nothing to print"},
		{ExitFailed, "the output cannot be written, or an internal error"},
		{ExitUsage, "usage or configuration"},
		{ExitUnavailable, "no complete data in time; also if margin levels may be missing, or if --until has matched nothing, and positions or margin levels were missing or old"},
		{ExitRefused, "refused by the service: a response that another try would not change"},
		{ExitNoMatch, "positions --until: all data is complete, and no position has matched in time"},
		{ExitInterrupted, "interrupted"},
	}
}

// ExitMeaning is what an exit code means.
type ExitMeaning struct {
	Code    int
	Meaning string
}

// ExitError is an error with its exit code.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return e.Err.Error() }

// Unwrap returns the error without the exit code.
func (e *ExitError) Unwrap() error { return e.Err }

// UsageError returns an error of the command line or the configuration.
func UsageError(format string, arguments ...any) error {
	return &ExitError{ExitUsage, fmt.Errorf(format, arguments...)}
}

// UnavailableError returns the error if a response did not come in time.
func UnavailableError(format string, arguments ...any) error {
	return &ExitError{ExitUnavailable, fmt.Errorf(format, arguments...)}
}

// FeedExitCode returns the exit code for an error of the feed.
func FeedExitCode(err error) int {
	switch {
	case errors.Is(err, endpoint.ErrTokenInClear):
		return ExitUsage
	case endpoint.OutcomeOf(err).IsRefusal():
		return ExitRefused
	}
	return ExitUnavailable
}

// ExitCode returns the exit code for an error. Errors of unknown kind are ExitFailed.
func ExitCode(err error) int {
	var exit *ExitError
	var configured *config.Error
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &configured):
		return ExitUsage
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	}
	return ExitFailed
}

// Message returns the line for standard error. Texts of the service in it are neutralised.
func Message(err error) string { return "blotter: " + model.Neutralise(err.Error()) }
