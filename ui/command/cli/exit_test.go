package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"blotter/feed/endpoint"
	"blotter/ui/command/config"
)

func TestCodeOfAnError(t *testing.T) {
	_, wrongConfiguration := config.Parse("a.toml", []byte("no_such_key = 1"))
	for name, test := range map[string]struct {
		err  error
		want int
	}{
		"none":                           {nil, ExitDone},
		"usage":                          {UsageError("--limit: must be 0 or more, not %d", -1), ExitUsage},
		"unavailable, wrapped":           {fmt.Errorf("margins: %w", UnavailableError("no response")), ExitUnavailable},
		"configuration":                  {wrongConfiguration, ExitUsage},
		"interrupted":                    {fmt.Errorf("walk: %w", context.Canceled), ExitInterrupted},
		"interrupted, with another code": {UnavailableError("walk: %w", context.Canceled), ExitUnavailable},
		"of unknown kind":                {errors.New("no space left on device"), ExitFailed},
	} {
		if got := ExitCode(test.err); got != test.want {
			t.Errorf("%s: %d, not %d", name, got, test.want)
		}
	}
}

func TestCodeOfAnErrorOfTheFeed(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want int
	}{
		"token without TLS": {fmt.Errorf("http://a: %w", endpoint.ErrTokenInClear), ExitUsage},
		"401":               {&endpoint.StatusError{Status: 401}, ExitRefused},
		"503":               {&endpoint.StatusError{Status: 503}, ExitUnavailable},
		"timeout":           {context.DeadlineExceeded, ExitUnavailable},
	} {
		if got := FeedExitCode(test.err); got != test.want {
			t.Errorf("%s: %d, not %d", name, got, test.want)
		}
	}
}

func TestMessageHasNoControlCharacters(t *testing.T) {
	got := Message(errors.New("a\x1b[2J\nb"))
	if !strings.HasPrefix(got, "blotter: a") || strings.ContainsFunc(got, unicode.IsControl) {
		t.Errorf("%q", got)
	}
}
