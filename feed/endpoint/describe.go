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
	"os"
	"strings"
	"syscall"

	"blotter/feed/wire"
)

// Describe returns what went wrong, in one line that a trader understands. It has no token in it if err came from
// this package.
func Describe(err error) string {
	if err == nil {
		return ""
	}
	return wire.OneLine([]byte(describe(err)))
}

// describe is Describe without the neutralising and cutting.
func describe(err error) string {
	var (
		noHost      *net.DNSError
		connectedTo *net.OpError
	)
	ofTLS, _, _ := describeTLS(err)
	switch {
	case StepOf(err) == Proxy:
		return describeProxy(err)
	case errors.Is(err, errContentless):
		return "connection closed: " + errContentless.Error()
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused: nothing listens there"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection lost (reset by the other end)"
	case errors.Is(err, syscall.ETIMEDOUT):
		return "connection lost (no response from the other end)"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "the host cannot be reached (no route)"
	case errors.As(err, &noHost) && noHost.IsNotFound:
		return fmt.Sprintf("there is no host %q", noHost.Name)
	case ofTLS != "":
		return ofTLS
	case strings.Contains(err.Error(), http2Error):
		return "this looks like a gRPC or HTTP/2-only port; use the REST address"
	case errors.As(err, &connectedTo) && connectedTo.Op == "dial" && isTimeout(err):
		return "no connection: the host does not respond"
	case isTimeout(err):
		return "no response in time"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "connection lost (the response was cut short)"
	case err == io.EOF:
		return "connection lost (closed without a response)"
	}
	return strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: ")
}

// http2Error begins the error of net/http for a response that begins with an HTTP/2 frame.
const http2Error = `malformed HTTP response "\x00\x00`

// describeTLS returns what is wrong with TLS or a certificate, empty if the text of err has it, and what to do about
// it, empty if the words have it. It reports false if err is about something else.
func describeTLS(err error) (words, advice string, isAboutTLS bool) {
	var (
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		unknown  x509.UnknownAuthorityError
		notTLS   tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &unknown):
		return "the certificate is signed by an authority that is not known here; name it with ca_file", "", true
	case errors.As(err, &hostname):
		return "the certificate is for another host: " + hostname.Error(), "check the host in the address", true
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired, or is not valid yet",
			"compare its dates with the clock of this machine; if the clock is right, the service needs a new certificate", true
	case errors.As(err, &notTLS), errors.Is(err, http.ErrSchemeMismatch):
		return "the other end does not use TLS; is the address http:// rather than https://?", "", true
	}
	return "", "", errors.As(err, &invalid)
}

func describeProxy(err error) string {
	if refusal, ok := errors.AsType[proxyRefusal](err); ok {
		return refusal.Error()
	}
	dial, _ := errors.AsType[*net.OpError](err)
	return "the proxy cannot be reached: " + describe(dial.Err)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &timeout) && timeout.Timeout()
}

// Step is the step at which a request failed, in words.
type Step string

// The steps.
const (
	Credentials Step = "credentials" // the token, here or at the service
	Proxy       Step = "proxy"
	Name        Step = "name"       // of the host
	Connection  Step = "connection" // TCP
	Handshake   Step = "TLS"        // certificates included
	Response    Step = ""           // the operation itself
)

// StepOf returns the step at which a request failed that ended with err.
func StepOf(err error) Step {
	var (
		noHost  *net.DNSError
		dial    *net.OpError
		refusal proxyRefusal
	)
	_, _, isAboutTLS := describeTLS(err)
	switch isDial := errors.As(err, &dial); {
	case errors.As(err, &refusal), isDial && dial.Op == "proxyconnect":
		return Proxy
	case errors.As(err, &noHost):
		return Name
	case isAboutTLS:
		return Handshake
	case isDial:
		return Connection
	case errors.Is(err, errNoToken), errors.Is(err, ErrTokenInClear), OutcomeOf(err) == Denied:
		return Credentials
	}
	return Response
}
