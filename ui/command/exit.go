package command

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
	exitDone        = 0
	exitFailed      = 1   // on this machine: the output cannot be written, an internal error
	exitUsage       = 2   // the command line or the configuration
	exitUnavailable = 3   // no complete response in time
	exitRefused     = 4   // by the service
	exitNoMatch     = 5   // --until: nothing has matched in time
	exitInterrupted = 130 // ended by a signal
)

// exitCodesHelp explains the exit codes in the help of the commands for scripts.
const exitCodesHelp = "Exit codes: 0 done, also where there is nothing to print; 1 the output cannot be written; " +
	"2 usage or configuration; 3 no complete snapshot in time; 4 refused by the service (a response that another try " +
	"would not change); 5 no position has matched in time (positions --until); 130 interrupted."

// exitError is an error with its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage is an error of the command line or the configuration.
func usage(format string, arguments ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, arguments...)}
}

// unavailable is the error where a response did not come in time.
func unavailable(format string, arguments ...any) error {
	return &exitError{exitUnavailable, fmt.Errorf(format, arguments...)}
}

// noMatch is the error where everything was watched, and nothing has matched.
func noMatch(format string, arguments ...any) error {
	return &exitError{exitNoMatch, fmt.Errorf(format, arguments...)}
}

// refused is the refusal of the service at an address, with its own text.
func refused(address string, status int, words string) error {
	return &exitError{exitRefused, fmt.Errorf("%s: %s", address, statusAndWords(status, words))}
}

// codeOfFeed returns the exit code for an error of the feed.
func codeOfFeed(err error) int {
	switch {
	case errors.Is(err, endpoint.ErrTokenInClear):
		return exitUsage
	case endpoint.OutcomeOf(err).IsRefusal():
		return exitRefused
	}
	return exitUnavailable
}

// statusAndWords returns the status of the service with its text, where there is a status.
func statusAndWords(status int, words string) string {
	if status == 0 {
		return words
	}
	return fmt.Sprintf("the service responded with %d: %s", status, words)
}

// codeOf returns the exit code for an error. Errors of unknown kind are exitFailed.
func codeOf(err error) int {
	var exit *exitError
	var configured *config.Error
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &configured):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailed
}

// complaint returns the line for standard error. Texts of the service in it are neutralised.
func complaint(err error) string { return "blotter: " + model.Neutralise(err.Error()) }

// warn writes a line to standard error.
func (p *program) warn(err error) { fmt.Fprintln(p.Errors, complaint(err)) }
