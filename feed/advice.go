package feed

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// answerPlace is the place of a failure that came about when all the way had been gone.
const answerPlace = "answer"

// place is where on the way to an answer err came about, in the words of a Finding.
func place(err error) string {
	var (
		dns      *net.DNSError
		dial     *net.OpError
		status   *StatusError
		isStatus = errors.As(err, &status)
	)
	switch {
	case proxyFailure(err) != nil:
		return "proxy"
	case errors.As(err, &dns):
		return "name"
	case isAboutTLS(err):
		return "TLS"
	case errors.As(err, &dial):
		return "connection"
	case isStatus && (status.Status == 0 || isAboutToken(status)):
		return "credentials"
	}
	return answerPlace
}

// proxyRefusal is the status with which a proxy answered that was asked for a way to the service.
type proxyRefusal string

func (p proxyRefusal) Error() string { return "the proxy answered " + string(p) }

// checkProxy takes no answer of a proxy but that the way is free.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return proxyRefusal(answer.Status)
	}
	return nil
}

// proxyFailure is what is wrong with a proxy on the way to the service; nil where that is not what went wrong.
func proxyFailure(err error) error {
	if refusal, ok := errors.AsType[proxyRefusal](err); ok {
		return refusal
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "proxyconnect" {
		return errors.New("the proxy cannot be reached: " + words(dial.Err))
	}
	return nil
}

func isAboutTLS(err error) bool {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		notTLS   tls.RecordHeaderError
	)
	return errors.As(err, &unknown) || errors.As(err, &hostname) || errors.As(err, &invalid) || errors.As(err, &notTLS) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// isAboutToken tells whether the service does not like who asks.
func isAboutToken(status *StatusError) bool {
	return status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden && status.RetryAfter == 0
}

// isMissing tells whether the service knows no such operation.
func isMissing(err error) bool {
	status, ok := asStatus(err)
	return ok && status.Status == http.StatusNotFound
}

// advice is what to do about what went wrong; empty where the words for it say so themselves.
func advice(err error) string {
	if status, ok := asStatus(err); ok {
		return statusAdvice(status)
	}
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case proxyFailure(err) != nil:
		return "check the proxy: $HTTPS_PROXY or $HTTP_PROXY names it; $NO_PROXY names hosts that are reached without one"
	case errors.As(err, &hostname):
		return "check the host in the address"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "compare its dates with this machine's clock; if that is right, the service must renew it"
	case isAboutTLS(err):
		return ""
	case place(err) == "name":
		return "check the spelling, and the name servers of this machine"
	case place(err) == "connection":
		return "check the host and port, and that the service runs"
	}
	return "check that it is a trading data service that answers there"
}

func statusAdvice(status *StatusError) string {
	switch {
	case isAboutToken(status):
		return "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"
	case status.RetryAfter > 0:
		return fmt.Sprintf("wait %s: the service limits this address", status.RetryAfter.Round(time.Second))
	case status.Status == http.StatusTooManyRequests:
		return "wait: the service limits this address"
	case status.Status >= 500:
		return "the service has a fault of its own: ask whoever runs it"
	}
	return ""
}
