package exit

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

func TestCodeOfErrors(t *testing.T) {
	_, wrongConfiguration := config.Parse("a.toml", []byte("no_such_key = 1"))
	for name, test := range map[string]struct {
		err  error
		want int
	}{
		"none":                           {nil, CodeDone},
		"usage":                          {Usage("--limit: must be 0 or more, not %d", -1), CodeUsage},
		"unavailable, wrapped":           {fmt.Errorf("margins: %w", Unavailable("no response")), CodeUnavailable},
		"configuration":                  {wrongConfiguration, CodeUsage},
		"interrupted":                    {fmt.Errorf("walk: %w", context.Canceled), CodeInterrupted},
		"interrupted, with another code": {Unavailable("walk: %w", context.Canceled), CodeUnavailable},
		"of unknown kind":                {errors.New("no space left on device"), CodeFailed},
	} {
		if got := CodeOf(test.err); got != test.want {
			t.Errorf("%s: %d, not %d", name, got, test.want)
		}
	}
}

func TestCodeOfErrorsOfTheFeed(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want int
	}{
		"token without TLS": {fmt.Errorf("http://a: %w", endpoint.ErrTokenInClear), CodeUsage},
		"401":               {&endpoint.StatusError{Status: 401}, CodeRefused},
		"503":               {&endpoint.StatusError{Status: 503}, CodeUnavailable},
		"timeout":           {context.DeadlineExceeded, CodeUnavailable},
	} {
		if got := CodeOfFeed(test.err); got != test.want {
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
