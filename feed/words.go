package feed

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

// words is what went wrong in one line that a trader understands.
func words(err error) string {
	var (
		refusedDNS  *net.DNSError
		unknown     x509.UnknownAuthorityError
		hostname    x509.HostnameError
		invalid     x509.CertificateInvalidError
		notTLS      tls.RecordHeaderError
		connectedTo *net.OpError
	)
	if failure := proxyFailure(err); failure != nil {
		return oneLine([]byte(failure.Error()))
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused: nothing listens there"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection lost (reset by peer)"
	case errors.Is(err, syscall.ETIMEDOUT):
		return "connection lost (no answer from the other end)"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no way to that host (unreachable)"
	case errors.As(err, &refusedDNS) && refusedDNS.IsNotFound:
		return fmt.Sprintf("no host is called %q", refusedDNS.Name)
	case errors.As(err, &unknown):
		return "the certificate is signed by an authority that is not known here; name it with ca_file"
	case errors.As(err, &hostname):
		return oneLine([]byte("the certificate is for another host: " + hostname.Error()))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired, or is not valid yet"
	case errors.As(err, &notTLS), errors.Is(err, http.ErrSchemeMismatch):
		return "the other end does not speak TLS; is the address http:// rather than https://?"
	case errors.As(err, &connectedTo) && connectedTo.Op == "dial" && isTimeout(err):
		return "no connection: the host does not answer"
	case isTimeout(err):
		return "no answer in time"
	}
	return oneLine([]byte(err.Error()))
}

// plain is an error that says what went wrong in those words.
type plain struct{ error }

func (p plain) Error() string { return words(p.error) }

func (p plain) Unwrap() error { return p.error }

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &timeout) && timeout.Timeout()
}

// askedToWait is how long the service asked to be left alone; 0 where it did not.
func askedToWait(err error) time.Duration {
	if status, ok := asStatus(err); ok {
		return status.RetryAfter
	}
	return 0
}
