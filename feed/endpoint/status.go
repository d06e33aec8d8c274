package endpoint

import (
	"cmp"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"blotter/feed/wire"
)

// errorBodyTimeout is how long reading an error's body may take. The status is the most useful part.
const errorBodyTimeout = time.Second

// maxRetryAfter is the longest time until the next request that a service can name.
const maxRetryAfter = 15 * time.Minute

// statusError reads the response to a request that was refused or failed.
func (c *client) statusError(response *http.Response, now time.Time) *StatusError {
	body, _ := io.ReadAll(io.LimitReader(response.Body, searchedBytes))
	e := &StatusError{Status: response.StatusCode, RetryAfter: retryAfter(response.Header, now)}
	e.Words = oneLine(c.config.Secrets, wire.ErrorText([]byte(beginning(c.config.Secrets, string(body)))))
	if location := response.Header.Get("Location"); location != "" {
		e.Words = oneLine(c.config.Secrets, "it redirects to "+location)
	}
	if e.Words == "" && e.hasStatus() {
		e.Words = strings.ToLower(cmp.Or(http.StatusText(response.StatusCode), "no text"))
	}
	return e
}

// retryAfter returns the time until the next request is allowed, from the standard header or from the header of rate
// limiters in front of such services; 0 if there is neither.
func retryAfter(header http.Header, now time.Time) time.Duration {
	for _, name := range []string{"Retry-After", "Ratelimit-Retry-After"} {
		if wait := waitOf(header.Get(name), serviceTime(header, now)); wait > 0 {
			return min(wait, maxRetryAfter)
		}
	}
	return 0
}

// waitOf reads a number of seconds or a date. A number of any length is a long time, and never a negative one.
func waitOf(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text != "" && strings.Trim(text, "0123456789") == "" {
		seconds, err := strconv.ParseUint(text, 10, 64)
		if err != nil || seconds > uint64(math.MaxInt64/time.Second) {
			return math.MaxInt64
		}
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now) // which does not overflow
	}
	return 0
}
