package command

import (
	"context"
	"errors"
	"fmt"

	"blotter/feed"
	"blotter/model"
	"blotter/ui/command/config"
)

// The codes that the program ends with. Scripts rely on them.
const (
	exitDone        = 0
	exitFailed      = 1   // the machine's own fault: a disk that is full, a defect
	exitUsage       = 2   // the command line or the configuration
	exitUnavailable = 3   // nothing whole in time
	exitRefused     = 4   // the service said no
	exitInterrupted = 130 // ended by a signal
)

// exitError is an error that knows what code the program ends with for it.
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

// unavailable says why there is nothing whole in time.
func unavailable(format string, arguments ...any) error {
	return &exitError{exitUnavailable, fmt.Errorf(format, arguments...)}
}

// refused is the no of the service at an address, in its own words.
func refused(address string, status int, words string) error {
	return &exitError{exitRefused, fmt.Errorf("%s: %s", address, statusAndWords(status, words))}
}

// codeOfFeed is the code for what a request of the feed failed with.
func codeOfFeed(err error) int {
	answer, ok := errors.AsType[*feed.StatusError](err)
	switch {
	case ok && answer.Status == 0:
		return exitUsage
	case ok && !answer.Retryable():
		return exitRefused
	}
	return exitUnavailable
}

// statusAndWords is the service's answer in a line that names the status once.
func statusAndWords(status int, words string) string {
	if status == 0 {
		return words
	}
	return fmt.Sprintf("the service answered %d: %s", status, words)
}

// codeOf is the code for an error: that of an exitError; for the configuration exitUsage; for an interrupt, which is no failure, its own; and
// for what is left, which nobody foresaw, exitFailed.
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

// complaint is the error as standard error gets it. Whatever texts of the service it quotes, it is one
// line, and nothing in it drives the terminal.
func complaint(err error) string { return "blotter: " + model.Neutralise(err.Error()) }

// warn writes a line to standard error.
func (p *program) warn(err error) { fmt.Fprintln(p.Errors, complaint(err)) }
