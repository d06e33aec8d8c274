package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"blotter/feed/wire"
)

const (
	askOperator = "ask the operator of the service"
	checkToken  = "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"
)

// Advice returns what to do about an error, in one line; empty if the text of Describe has it, or if the only
// thing to do is to wait.
func Advice(err error) string {
	if err == nil || OutcomeOf(err) == Postponed || OutcomeOf(err) == Cancelled {
		return ""
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.advice()
	}
	if _, isHeldBack := errors.AsType[*HeldBackError](err); isHeldBack {
		return heldBackAdvice
	}
	switch StepOf(err) {
	case Credentials:
		if errors.Is(err, ErrTokenInClear) {
			return ""
		}
		return checkToken
	case Proxy:
		return "check the proxy: $HTTPS_PROXY or $HTTP_PROXY names it, $NO_PROXY names hosts that are reached without one"
	case Name:
		return "check the spelling of the host, and the name servers of this machine"
	case Connection:
		if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op != "dial" {
			return "check the network, or " + askOperator
		}
		return "check the host and port, and that the service runs"
	case Handshake:
		_, advice, _ := describeTLS(err)
		return advice
	}
	switch {
	case errors.Is(err, wire.ErrTooLong):
		return "raise feed.message_bytes, or check that the address is that of a trading data service"
	case errors.Is(err, wire.ErrOverBudget):
		return "raise feed.buffer_bytes, or watch fewer parties or markets"
	case isTimeout(err):
		return "give it more time, or " + askOperator
	}
	if _, unreadable := errors.AsType[*requestError](err); unreadable && !errors.Is(err, io.EOF) {
		return "check the network, and that the address is that of a trading data service"
	}
	return askOperator // it ended the stream, or stopped in the middle of one
}

func (e *StatusError) advice() string {
	switch {
	case e.RetryAfter > 0:
		return fmt.Sprintf("wait %s: the service allows no request before that", e.RetryAfter.Round(time.Second))
	case e.Status == http.StatusTooManyRequests:
		return "wait: the service limits requests"
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return checkToken
	case e.Status == http.StatusBadRequest && strings.Contains(e.Words, "HTTPS"): // of Go, nginx and Apache at a port for TLS
		return "check the address: it must begin with https://"
	case e.Status == http.StatusBadRequest:
		return "check the party and the market: a text that is not a name in the configuration is sent as an identifier"
	case e.Status == http.StatusNotFound:
		return "check the path of the address: the service has no such operation below it"
	case e.Status/100 == 3:
		return "check the address: it must be that of the service itself"
	case e.outcome() == Fault:
		return "the service has a fault of its own: " + askOperator
	}
	return ""
}
