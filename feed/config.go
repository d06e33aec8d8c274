package feed

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config is what a Feed needs to know. The zero value of every field but BaseURLs is its default.
type Config struct {
	// BaseURLs are the addresses of the service, tried in turn. A path is a prefix of the operations' paths.
	BaseURLs []string
	// Header goes along with every request.
	Header http.Header
	// Token, where it is not nil, is asked for the bearer token before each request. The token goes to the
	// hosts of BaseURLs alone, and only over TLS or to a loopback address.
	Token func(context.Context) (string, error)
	// InsecureToken lets the token go to BaseURLs without TLS too.
	InsecureToken bool
	// TLS is how servers are verified and what certificate is shown to them.
	TLS *tls.Config
	// Compression asks for gzip. It saves bytes and costs time: worth it on slow networks alone.
	Compression bool
	// Dial connects, in place of the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Logger is told of each connection, loss and answer in a line; nothing where it is nil. It is
	// never told a token.
	Logger *slog.Logger
	// OnPanic, where it is not nil, is told of a panic in a goroutine of the feed, with its trace; it must give
	// the terminal back and end the program. Where it is nil the panic goes its way.
	OnPanic func(reason any, trace []byte)

	Limits Limits
	Times  Times
}

// Limits bound what a service can make the program do.
type Limits struct {
	MessageBytes int64 // of one message of a stream or one answer, DefaultLimits at most
}

// Times are how long the feed waits for what.
type Times struct {
	Frame           time.Duration // at most one Delta in this time
	Connect         time.Duration // for a connection, TLS included
	Answer          time.Duration // for a page of margin levels
	PairSilence     time.Duration // without a byte: a pair has no position
	SnapshotSilence time.Duration // without a page of a snapshot that must come: the stream is given up
	ProbeAfter      time.Duration // of silence: the service is asked whether it is there
	ProbeEvery      time.Duration // again, while the silence lasts
	FirstBackoff    time.Duration // before the second try
	MaxBackoff      time.Duration // between tries, at most
	HealthyAfter    time.Duration // a stream that stayed as long resets the backoff
	RefusedRetry    time.Duration // before trying again what was refused
	AuditEvery      time.Duration // between audits of a small snapshot; negative for none
}

// DefaultLimits are the limits where the configuration says nothing.
func DefaultLimits() Limits { return Limits{MessageBytes: 64 << 20} }

// DefaultTimes are the times where the configuration says nothing.
func DefaultTimes() Times {
	return Times{
		Frame:           33 * time.Millisecond,
		Connect:         10 * time.Second,
		Answer:          15 * time.Second,
		PairSilence:     3 * time.Second,
		SnapshotSilence: 30 * time.Second,
		ProbeAfter:      10 * time.Second,
		ProbeEvery:      15 * time.Second,
		FirstBackoff:    500 * time.Millisecond,
		MaxBackoff:      20 * time.Second,
		HealthyAfter:    60 * time.Second,
		RefusedRetry:    60 * time.Second,
		AuditEvery:      5 * time.Minute,
	}
}

// withDefaults fills in what the configuration leaves open, and checks the addresses.
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
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Limits.MessageBytes == 0 {
		c.Limits = DefaultLimits()
	}
	t, d := &c.Times, DefaultTimes()
	for _, field := range []struct{ own, usual *time.Duration }{
		{&t.Frame, &d.Frame}, {&t.Connect, &d.Connect}, {&t.Answer, &d.Answer}, {&t.PairSilence, &d.PairSilence},
		{&t.SnapshotSilence, &d.SnapshotSilence},
		{&t.ProbeAfter, &d.ProbeAfter}, {&t.ProbeEvery, &d.ProbeEvery}, {&t.FirstBackoff, &d.FirstBackoff},
		{&t.MaxBackoff, &d.MaxBackoff}, {&t.HealthyAfter, &d.HealthyAfter}, {&t.RefusedRetry, &d.RefusedRetry},
		{&t.AuditEvery, &d.AuditEvery},
	} {
		if *field.own == 0 {
			*field.own = *field.usual
		}
	}
	return c, bases, nil
}

// ParseBaseURL checks an address of a service: http or https, a host, and perhaps a path.
func ParseBaseURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, fmt.Errorf("%q is not an address: it must begin with http:// or https:// and name a host", withoutSecrets(text))
	case base.User != nil:
		return nil, fmt.Errorf("the address of %s must not hold a user or password: use a token", base.Host)
	case base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("the address of %s is not a base address: it must not have a query or fragment", base.Host)
	}
	return base, nil
}

// withoutSecrets is an address that cannot be parsed, without the parts that may hold a password or a key.
func withoutSecrets(address string) string {
	if at := strings.LastIndex(address, "@"); at >= 0 {
		scheme, _, found := strings.Cut(address[:at], "://")
		if found {
			scheme += "://"
		} else {
			scheme = ""
		}
		address = scheme + "..." + address[at:]
	}
	if query := strings.IndexAny(address, "?#"); query >= 0 {
		address = address[:query+1] + "..."
	}
	return address
}
