package feed

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

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
		{http.Header{"Retry-After": {"-5"}}, 0},
		{http.Header{"Retry-After": {"99999999999999999999"}}, 0},
	} {
		if got := retryAfter(c.header, now); got != c.want {
			t.Errorf("%v: %s, want %s", c.header, got, c.want)
		}
	}
}

func TestRetryable(t *testing.T) {
	for status, want := range map[int]bool{0: false, 302: false, 400: false, 401: false, 403: false, 404: false, 408: true, 429: true, 500: true, 502: true, 503: true} {
		if got := (&StatusError{Status: status}).Retryable(); got != want {
			t.Errorf("%d: %t", status, got)
		}
	}
	if !(&StatusError{Status: 403, RetryAfter: time.Second}).Retryable() {
		t.Error("a 403 that names a time is not tried again")
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		" \r\n\t\n":               "",
		"\n\n  first \nsecond":    "first",
		strings.Repeat("é", 5000): strings.Repeat("é", 199) + "…",
		strings.Repeat("界", 5000): strings.Repeat("界", 99) + "…",
		"bad \xff bytes":          "bad <U+FFFD> bytes",
	} {
		if got := oneLine([]byte(text)); got != want {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"\x1b[31mred", "a\x07b", "\u202eevil", "\u009b2J", "x\ry"} {
		if got := oneLine([]byte(text)); strings.ContainsAny(got, "\x1b\x07\u202e\u009b\r") || got == "" {
			t.Errorf("%q is told as %q", text, got)
		}
	}
}

func TestWords(t *testing.T) {
	dial := func(err error) error {
		return fmt.Errorf("opening: %w", &net.OpError{Op: "dial", Net: "tcp", Err: err})
	}
	proxy := func(err error) error {
		return fmt.Errorf("opening: %w", &net.OpError{Op: "proxyconnect", Net: "tcp", Err: dial(err)})
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "connection refused: nothing listens there"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "connection lost (reset by peer)"},
		{&net.OpError{Op: "write", Err: syscall.EPIPE}, "connection lost (reset by peer)"},
		{&net.OpError{Op: "read", Err: syscall.ETIMEDOUT}, "connection lost (no answer from the other end)"},
		{dial(syscall.EHOSTUNREACH), "no way to that host (unreachable)"},
		{dial(syscall.ENETUNREACH), "no way to that host (unreachable)"},
		{dial(&net.DNSError{Name: "desk.test", IsNotFound: true}), `no host is called "desk.test"`},
		{dial(os.ErrDeadlineExceeded), "no connection: the host does not answer"},
		{proxy(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "the proxy cannot be reached: connection refused: nothing listens there"},
		{proxy(os.ErrDeadlineExceeded), "the proxy cannot be reached: no connection: the host does not answer"},
		{proxy(&net.DNSError{Name: "proxy.test", IsNotFound: true}), `the proxy cannot be reached: no host is called "proxy.test"`},
		{context.DeadlineExceeded, "no answer in time"},
		{x509.UnknownAuthorityError{}, "the certificate is signed by an authority that is not known here; name it with ca_file"},
		{x509.CertificateInvalidError{Reason: x509.Expired}, "the certificate has expired, or is not valid yet"},
		{http.ErrSchemeMismatch, "the other end does not speak TLS; is the address http:// rather than https://?"},
		{errors.New("something \x1b[2J else\nand more"), "something ␛[2J else"},
		{io.ErrUnexpectedEOF, "unexpected EOF"},
	} {
		if got := words(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestParseBaseURL(t *testing.T) {
	for _, text := range []string{"http://desk.test", "https://desk.test:8443/gate/way/", "http://[::1]:80"} {
		if _, err := ParseBaseURL(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "desk.test", "ftp://desk.test", "http://", "http://me:s3cr3t-t0k3n@desk.test", "http://desk.test?token=s3cr3t-t0k3n", "http://desk.test/#s3cr3t-t0k3n", "http://desk.test:port",
	} {
		if _, err := ParseBaseURL(text); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("a feed without an address")
	}
}
