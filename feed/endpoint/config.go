package endpoint

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"blotter/feed/secrets"
	"blotter/feed/wire"
)

// Service is where a service is, and what is sent to it. The zero value of every field but BaseURLs is its default.
type Service struct {
	// BaseURLs are the addresses of the service, tried in turn. A path is a prefix of the operations' paths.
	BaseURLs []string
	// Header is sent with every request. The values of SecretHeaders, and of those that are credentials by their names,
	// are hidden like tokens.
	Header        http.Header
	SecretHeaders []string
	// Token, if it is not nil, is called for the bearer token before each request. The token is sent to the hosts of
	// BaseURLs only, and only over TLS or to a loopback address.
	Token func(context.Context) (string, error)
	// InsecureToken allows the token to be sent to BaseURLs without TLS too.
	InsecureToken bool
	// Secrets, if it is not nil, gets the tokens that are sent, so that others can hide them too. See StandardLog.
	Secrets *secrets.Hider
	// TLS is how servers are verified and which certificate is shown to them.
	TLS *tls.Config
	// Compression requests gzip. It saves bytes and costs time: it is useful on slow networks only.
	Compression bool
	// Dial connects, in place of the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// OnPanic, if it is not nil, is called on a panic in a goroutine, with the stack trace. It must restore the
	// terminal and end the program. If it is nil, the panic is not caught.
	OnPanic func(reason any, trace []byte)
}

// Guard, which is deferred at the beginning of a goroutine, passes a panic on to OnPanic.
func (s *Service) Guard() {
	if s.OnPanic == nil {
		return
	}
	if reason := recover(); reason != nil {
		s.OnPanic(reason, debug.Stack())
	}
}

// Config is the configuration of a Pool. Zeros are replaced by defaults.
type Config struct {
	Service
	Times RequestTimes
	// Silence is the time in which a connection may bring 1 MiB without content, after the first 4 MiB: one that brings
	// more is closed. It is 30 seconds if it is zero.
	Silence time.Duration
	Limits  wire.Limits // of one message and of all together; see DefaultMessageBytes
}

// RequestTimes are the time limits of requests and the delays of retries.
type RequestTimes struct {
	Connect      time.Duration // for a connection, TLS included
	Page         time.Duration // for a page of margin levels
	FirstBackoff time.Duration // before the second try
	MaxBackoff   time.Duration // between tries, at most
	HealthyAfter time.Duration // a stream that stayed up for so long resets the backoff
	RefusedRetry time.Duration // before what was refused is tried again
}

// DefaultMessageBytes is the limit of one message if Config.Limits names none.
const DefaultMessageBytes = 64 << 20

// DefaultTimes returns the times that replace zeros in Config.Times.
func DefaultTimes() RequestTimes {
	return RequestTimes{
		Connect:      10 * time.Second,
		Page:         15 * time.Second,
		FirstBackoff: 500 * time.Millisecond,
		MaxBackoff:   20 * time.Second,
		HealthyAfter: 60 * time.Second,
		RefusedRetry: 60 * time.Second,
	}
}

// withDefaults replaces zeros and checks the addresses.
func (c Config) withDefaults() (Config, []*url.URL, error) {
	var bases []*url.URL
	for _, text := range c.BaseURLs {
		base, err := ParseBaseURL(text)
		if err != nil {
			return c, nil, err
		}
		bases = append(bases, base)
	}
	if len(bases) == 0 {
		return c, nil, errors.New("no address of a service")
	}
	c.Secrets = cmp.Or(c.Secrets, new(secrets.Hider))
	c.Silence = cmp.Or(c.Silence, 30*time.Second)
	c.Limits.MessageBytes = cmp.Or(c.Limits.MessageBytes, DefaultMessageBytes)
	t, d := &c.Times, DefaultTimes()
	t.Connect = cmp.Or(t.Connect, d.Connect)
	t.Page = cmp.Or(t.Page, d.Page)
	t.FirstBackoff = cmp.Or(t.FirstBackoff, d.FirstBackoff)
	t.MaxBackoff = cmp.Or(t.MaxBackoff, d.MaxBackoff)
	t.HealthyAfter = cmp.Or(t.HealthyAfter, d.HealthyAfter)
	t.RefusedRetry = cmp.Or(t.RefusedRetry, d.RefusedRetry)
	return c, bases, nil
}

// hideHeaders hides the values of configured headers that are credentials.
func (c *Config) hideHeaders() {
	for name, values := range c.Header {
		isListed := func(secret string) bool { return strings.EqualFold(secret, name) }
		if !secrets.IsCredentialHeader(name) && !slices.ContainsFunc(c.SecretHeaders, isListed) {
			continue
		}
		for _, value := range values {
			c.Secrets.AddHeader(value)
		}
	}
}

// ParseBaseURL checks an address of a service: http or https, a host, and perhaps a path. No error repeats a user, a
// password or a query.
func ParseBaseURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, fmt.Errorf("%q is not an address: it must begin with http:// or https:// and name a host",
			withoutSecrets(text))
	case base.User != nil:
		return nil, fmt.Errorf("the address of %s must not have a user or password: use a token", base.Host)
	case base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("the address of %s is not a base address: it must not have a query or fragment", base.Host)
	}
	return base, nil
}

// withoutSecrets is an address that cannot be parsed, without the parts that may contain a password or a key.
func withoutSecrets(address string) string {
	if at := strings.LastIndex(address, "@"); at >= 0 {
		from := 0
		if scheme := strings.Index(address[:at], "://"); scheme >= 0 {
			from = scheme + len("://")
		}
		address = address[:from] + "..." + address[at:]
	}
	if query := strings.IndexAny(address, "?#"); query >= 0 {
		address = address[:query+1] + "..."
	}
	return address
}
