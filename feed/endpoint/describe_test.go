package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	dial := func(err error) error {
		return fmt.Errorf("opening: %w", &net.OpError{Op: "dial", Net: "tcp", Err: err})
	}
	proxy := func(err error) error {
		return fmt.Errorf("opening: %w", &net.OpError{Op: "proxyconnect", Net: "tcp", Err: dial(err)})
	}
	malformed := func(frame string) error {
		return fmt.Errorf("net/http: HTTP/1.x transport connection broken: malformed HTTP response %q", frame)
	}
	for _, c := range []struct {
		err  error
		want string
		step Step
	}{
		{dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "connection refused: nothing listens there", Connection},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "connection lost (reset by the other end)", Connection},
		{&net.OpError{Op: "write", Err: syscall.EPIPE}, "connection lost (reset by the other end)", Connection},
		{&net.OpError{Op: "read", Err: syscall.ETIMEDOUT}, "connection lost (no response from the other end)", Connection},
		{dial(syscall.EHOSTUNREACH), "the host cannot be reached (no route)", Connection},
		{dial(syscall.ENETUNREACH), "the host cannot be reached (no route)", Connection},
		{dial(&net.DNSError{Name: "desk.test", IsNotFound: true}), `there is no host "desk.test"`, Name},
		{&net.DNSError{Err: "server misbehaving", Name: "desk.test"}, "lookup desk.test: server misbehaving", Name},
		{dial(errors.New("too many open files")), "opening: dial tcp: too many open files", Connection},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, "no response in time", Connection},
		{x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign}, x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign}.Error(), Handshake},
		{dial(os.ErrDeadlineExceeded), "no connection: the host does not respond", Connection},
		{proxy(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "the proxy cannot be reached: connection refused: nothing listens there", Proxy},
		{proxy(os.ErrDeadlineExceeded), "the proxy cannot be reached: no connection: the host does not respond", Proxy},
		{proxy(&net.DNSError{Name: "proxy.test", IsNotFound: true}), `the proxy cannot be reached: there is no host "proxy.test"`, Proxy},
		{proxyRefusal("403 Forbidden"), "the proxy responded with 403 Forbidden", Proxy},
		{context.DeadlineExceeded, "no response in time", Response},
		{x509.UnknownAuthorityError{}, "the certificate is signed by an authority that is not known here; name it with ca_file", Handshake},
		{x509.CertificateInvalidError{Reason: x509.Expired}, "the certificate has expired, or is not valid yet", Handshake},
		{http.ErrSchemeMismatch, "the other end does not use TLS; is the address http:// rather than https://?", Handshake},
		{errors.New("something \x1b[2J else\nand more"), "something ␛[2J else", Response},
		{io.ErrUnexpectedEOF, "connection lost (the response was cut short)", Response},
		{io.EOF, "connection lost (closed without a response)", Response},
		{endedError{}, "the service ended the stream", Response},
		{malformed("\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00@\x00"), "this looks like a gRPC or HTTP/2-only port; use the REST address", Response},
		{malformed("\x00\x00\x12\x04\x00"), "this looks like a gRPC or HTTP/2-only port; use the REST address", Response},
		{malformed("SSH-2.0-OpenSSH_9.2"), `malformed HTTP response "SSH-2.0-OpenSSH_9.2"`, Response},
		{&StatusError{Status: 401, Words: "no"}, "the service responded with 401: no", Credentials},
		{&StatusError{Status: 403, Words: "no", RetryAfter: time.Second}, "the service responded with 403: no", Response},
		{&StatusError{Words: "no"}, "the service responded with 000, which is no HTTP status: no", Response},
		{ErrTokenInClear, ErrTokenInClear.Error(), Credentials},
		{nil, "", Response},
	} {
		if got := Describe(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
		if got := StepOf(c.err); got != c.step {
			t.Errorf("%v: step %q, want %q", c.err, got, c.step)
		}
	}
}

// TestAGRPCPort: a gRPC server sends its settings to a client of HTTP/1, and closes the connection.
func TestAGRPCPort(t *testing.T) {
	playRaw(t, Config{}, "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00\x40\x00", func(p *Pool) {
		for _, err := range []error{requestPage(p), readStream(p)} {
			if want := "this looks like a gRPC or HTTP/2-only port; use the REST address"; err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
	})
}

// TestStatusZeroIsARefusal, and not a request that was never sent.
func TestStatusZeroIsARefusal(t *testing.T) {
	playRaw(t, Config{}, "HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n", func(p *Pool) {
		err := readStream(p)
		status, ok := errors.AsType[*StatusError](err)
		if !ok || status.Status != 0 || status.Error() != "the service responded with 000, which is no HTTP status" || OutcomeOf(status) != Refused {
			t.Errorf("%v", err)
		}
	})
}

func TestTLSErrors(t *testing.T) {
	service := recording(t, newTLS, nil)
	plain := recording(t, httptest.NewServer, nil)
	elsewhere := trusting(service)
	elsewhere.ServerName = "desk.test"
	late := trusting(service)
	late.Time = func() time.Time { return time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		base  string
		tls   *tls.Config
		words string
	}{
		{service.URL, nil, "authority that is not known here; name it with ca_file"},
		{service.URL, elsewhere, "the certificate is for another host"},
		{service.URL, late, "the certificate has expired"},
		{"https" + strings.TrimPrefix(plain.URL, "http"), nil, "does not use TLS; is the address http://"},
	} {
		err := requestOnce(t, Config{Service: Service{BaseURLs: []string{c.base}, TLS: c.tls}})
		if got := Describe(err); !strings.Contains(got, c.words) || StepOf(err) != Handshake || AddressOf(err) != c.base {
			t.Errorf("%q at %s, want %q", got, AddressOf(err), c.words)
		}
	}
	err := requestOnce(t, Config{Service: Service{BaseURLs: []string{"http" + strings.TrimPrefix(service.URL, "https")}}})
	if got := Advice(err); got != "check the address: it must begin with https://" {
		t.Errorf("%v: %q", err, got)
	}
}
