package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The words of the tests for kinds of requests and for outcomes.
var (
	kindNames    = [...]string{Active: "active", Standby: "standby", UserPage: "user page", BackgroundPage: "background page", Probe: "probe"}
	outcomeNames = [outcomes]string{
		Succeeded: "succeeded", Postponed: "postponed", Cancelled: "cancelled", NoResponse: "no response", Fault: "fault", Limited: "limited", NotListening: "not listening",
		Denied: "denied", BadRequest: "bad request", Refused: "refused", NoToken: "no token",
	}
)

// dialing returns the error of a connection that could not be opened.
func dialing(address string, err error) error {
	return fmt.Errorf("opening: %w", &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)), Err: err})
}

func TestOutcomeOf(t *testing.T) {
	status := func(code int, wait time.Duration) error {
		return fmt.Errorf("requesting: %w", &StatusError{Status: code, RetryAfter: wait})
	}
	for _, c := range []struct {
		err  error
		want Outcome
	}{
		{nil, Succeeded},
		{io.EOF, NoResponse},
		{errTrouble, NoResponse},
		{context.DeadlineExceeded, NoResponse},
		{dialing("127.0.0.1:8080", syscall.ECONNREFUSED), NotListening},
		{dialing("[::1]:8080", syscall.ECONNREFUSED), NotListening},
		{dialing("127.0.0.1:8080", os.ErrDeadlineExceeded), NoResponse},
		{dialing("192.0.2.1:8080", syscall.ECONNREFUSED), NoResponse},
		{&net.OpError{Op: "read", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, Err: syscall.ECONNRESET}, NoResponse}, // the service runs
		{context.Canceled, Cancelled},
		{fmt.Errorf("%w: the file is missing", errNoToken), NoToken},
		{ErrTokenInClear, Refused},
		{&PostponedError{Cause: status(503, 0)}, Postponed},
		{status(0, 0), Refused}, // HTTP/1.1 000 is a response
		{status(302, 0), Refused},
		{status(400, 0), BadRequest},
		{status(401, 0), Denied},
		{status(403, 0), Denied},
		{status(403, time.Second), Limited},
		{status(404, 0), Refused},
		{status(408, 0), Fault},
		{status(425, 0), Refused},
		{status(429, 0), Limited},
		{status(500, 0), Fault},
		{status(503, time.Second), Fault},
	} {
		if got := OutcomeOf(c.err); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, outcomeNames[got], outcomeNames[c.want])
		}
	}
}

// TestPolicy lets each kind of request fail in each way, once and ten times in a row, and checks how long the breaker
// is open at most.
func TestPolicy(t *testing.T) {
	times := testTimes
	first := map[Kind]string{
		Active:         "no response 500ms, not listening 1s, fault 500ms, limited 500ms, denied 2m0s, bad request 0s, refused 2m0s, no token 500ms",
		Standby:        "no response 0s, not listening 1s, fault 5s, limited 5s, denied 2m0s, bad request 2m0s, refused 2m0s, no token 5s",
		UserPage:       "no response 500ms, not listening 1s, fault 0s, limited 500ms, denied 0s, bad request 0s, refused 0s, no token 0s",
		BackgroundPage: "no response 500ms, not listening 1s, fault 0s, limited 500ms, denied 0s, bad request 0s, refused 0s, no token 0s",
		Probe:          "no response 500ms, not listening 1s, fault 0s, limited 500ms, denied 0s, bad request 0s, refused 0s, no token 0s",
	}
	tenth := map[Kind]string{
		Active:   "no response 20s, not listening 1s, fault 20s, limited 20s, denied 10m0s, bad request 0s, refused 10m0s, no token 20s",
		Standby:  "no response 1m0s, not listening 1s, fault 1m0s, limited 1m0s, denied 10m0s, bad request 10m0s, refused 10m0s, no token 1m0s",
		UserPage: "no response 20s, not listening 1s, fault 20s, limited 20s, denied 20s, bad request 20s, refused 20s, no token 0s",
	}
	for row, want := range first {
		if got := longest(&times, row, 1); got != want {
			t.Errorf("%s, the first failure:\n got %s\nwant %s", kindNames[row], got, want)
		}
	}
	for row, want := range tenth {
		if got := longest(&times, row, 10); got != want {
			t.Errorf("%s, the tenth failure:\n got %s\nwant %s", kindNames[row], got, want)
		}
	}
}

// longest returns one row of the policy as text: the longest of many random delays, rounded up.
func longest(times *RequestTimes, kind Kind, inARow int) string {
	var cells []string
	for outcome := NoResponse; outcome < outcomes; outcome++ {
		var most time.Duration
		for range 5000 {
			most = max(most, policy[kind][outcome].delay(times, inARow))
		}
		unit := 500 * time.Millisecond
		if most > 50*time.Second {
			unit = 10 * time.Second
		}
		cells = append(cells, fmt.Sprintf("%s %s", outcomeNames[outcome], most.Round(unit)))
	}
	return strings.Join(cells, ", ")
}

func TestBackoff(t *testing.T) {
	for failures, longest := range []time.Duration{time.Second, time.Second, 3 * time.Second, 9 * time.Second, 20 * time.Second, 20 * time.Second} {
		seen := make(map[time.Duration]bool)
		for range 200 {
			wait := backoff(time.Second, 20*time.Second, failures)
			if wait < longest/2 || wait > longest {
				t.Fatalf("%s after %d failures, want up to %s", wait, failures, longest)
			}
			seen[wait] = true
		}
		if len(seen) < 100 {
			t.Errorf("after %d failures clients try again at the same time", failures)
		}
	}
}

// TestDelaysWithoutABreaker: a person waits for a walk, and an audit costs a whole snapshot.
func TestDelaysWithoutABreaker(t *testing.T) {
	for name, c := range map[string]struct {
		delay          func(failures int) time.Duration
		first, longest time.Duration
	}{
		"walk":  {WalkDelay, 250 * time.Millisecond, 2 * time.Second},
		"audit": {AuditDelay, 5 * time.Second, time.Minute},
	} {
		for range 100 {
			if first, last := c.delay(1), c.delay(1000); first < c.first/2 || first > c.first || last < c.longest/2 || last > c.longest {
				t.Fatalf("%s: %s after the first failure, and %s after many", name, first, last)
			}
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		header http.Header
		want   time.Duration
	}{
		{nil, 0},
		{http.Header{"Retry-After": {"120"}}, 120 * time.Second},
		{http.Header{"Retry-After": {" 7 "}}, 7 * time.Second},
		{http.Header{"Ratelimit-Retry-After": {"600"}}, 600 * time.Second},
		{http.Header{"Retry-After": {"0"}, "Ratelimit-Retry-After": {"600"}}, 600 * time.Second},
		{http.Header{"Retry-After": {"soon"}, "Ratelimit-Retry-After": {"600"}}, 600 * time.Second},
		{http.Header{"Retry-After": {"Sat, 21 Nov 2026 10:01:30 GMT"}}, 90 * time.Second},
		{http.Header{"Retry-After": {"Sat, 21 Nov 2026 09:01:30 GMT"}}, 0},
		{http.Header{"Retry-After": {"Sat, 21 Nov 2026 09:01:30 GMT"}, "Date": {"Sat, 21 Nov 2026 09:00:00 GMT"}}, 90 * time.Second}, // by its clock
		{http.Header{"Retry-After": {"-5"}}, 0},
		{http.Header{"Retry-After": {"901"}}, 15 * time.Minute},
		{http.Header{"Retry-After": {"2147483647"}}, 15 * time.Minute},
		{http.Header{"Retry-After": {"9223372036854775807"}}, 15 * time.Minute},
		{http.Header{"Retry-After": {"18446744073709551615"}}, 15 * time.Minute},
		{http.Header{"Retry-After": {strings.Repeat("9", 400)}}, 15 * time.Minute},
		{http.Header{"Retry-After": {"Fri, 31 Dec 9999 23:59:59 GMT"}}, 15 * time.Minute},
		{http.Header{"Retry-After": {"Tue, 15 Dec 2026 10:00:00 GMT"}}, 15 * time.Minute},
	} {
		if got := retryAfter(c.header, now); got != c.want {
			t.Errorf("%.60v: %s, want %s", c.header, got, c.want)
		}
	}
}

func TestPostponedErrorDoesNotUnwrapToItsCause(t *testing.T) {
	now := time.Now()
	err := &PostponedError{Cause: &StatusError{Status: 404, Words: "gone"}, Until: now.Add(4500 * time.Millisecond), at: now}
	if _, ok := errors.AsType[*StatusError](err); ok {
		t.Error("the response to another request counts as the response to this one")
	}
	if got, want := err.Error(), "the service responded with 404: gone; next try in 5s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	err.Until = now
	if got, want := err.Error(), "the service responded with 404: gone; the next try is under way"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestThePolicyHasARuleForEveryFailure of every kind of request: a forgotten rule would never open a breaker. It names
// the rules that are missing, so each outcome has a name.
func TestThePolicyHasARuleForEveryFailure(t *testing.T) {
	for kind, rules := range policy {
		for outcome := range outcomes {
			if outcome.isFailure() && rules[outcome].class == unset {
				t.Errorf("%s: the policy has no rule for the outcome %q", kindNames[kind], outcomeNames[outcome])
			}
		}
	}
	for outcome, name := range outcomeNames {
		if name == "" {
			t.Errorf("outcome %d has no name in outcomeNames", outcome)
		}
	}
}
