package feed

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/secrets"
	"blotter/feed/wire"
)

// Config is the configuration of a Feed. The zero value of every field but BaseURLs is its default.
type Config struct {
	// BaseURLs are the addresses of the service, tried in turn. A path is a prefix of the operations' paths.
	BaseURLs []string
	// Header is sent with every request. The values of SecretHeaders, and of those whose names speak of a credential,
	// are hidden like tokens.
	Header        http.Header
	SecretHeaders []string
	// Token, if it is not nil, is called for the bearer token before each request. The token is sent to the hosts of
	// BaseURLs only, and only over TLS or to a loopback address.
	Token func(context.Context) (string, error)
	// InsecureToken allows the token to be sent to BaseURLs without TLS too.
	InsecureToken bool
	// Secrets, if it is not nil, gets the tokens that are sent, so that others can hide them too.
	Secrets *secrets.Hider
	// TLS is how servers are verified and which certificate is shown to them.
	TLS *tls.Config
	// Compression requests gzip. It saves bytes and costs time: it is useful on slow networks only.
	Compression bool
	// Dial connects, in place of the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Logger gets a line for each connection, loss and refusal; it never gets a token. Nil is none.
	Logger *slog.Logger
	// OnPanic, if it is not nil, is called on a panic in a goroutine of the feed, with the stack trace. It must
	// restore the terminal and end the program. If it is nil, the panic is not caught.
	OnPanic func(reason any, trace []byte)

	Limits Limits
	Times  Times

	now func() time.Time // replaces time.Now in the test of a machine that sleeps
}

// Limits bound the memory that a service can make the program use.
type Limits struct {
	MessageBytes int64 // of one message of a stream or one response
	BufferBytes  int64 // of all messages above 1 MiB that are being read, together
	Rows         int   // positions of one subscription
}

// Times are the time limits and delays of a feed.
type Times struct {
	Frame time.Duration // at most one Delta in this time
	endpoint.RequestTimes
	follow.StreamTimes
}

// DefaultLimits are the limits that replace zeros in Config.Limits.
func DefaultLimits() Limits {
	return Limits{MessageBytes: endpoint.DefaultMessageBytes, BufferBytes: 256 << 20, Rows: 5_000_000}
}

// DefaultTimes are the times that replace zeros in Config.Times.
func DefaultTimes() Times {
	return Times{33 * time.Millisecond, endpoint.DefaultTimes(), follow.DefaultTimes()}
}

// withDefaults replaces zeros.
func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	l, dl := &c.Limits, DefaultLimits()
	l.MessageBytes, l.BufferBytes = cmp.Or(l.MessageBytes, dl.MessageBytes), cmp.Or(l.BufferBytes, dl.BufferBytes)
	l.Rows = cmp.Or(l.Rows, dl.Rows)
	c.Times.Frame = cmp.Or(c.Times.Frame, DefaultTimes().Frame)
	c.Times.StreamTimes = c.Times.StreamTimes.WithDefaults()
	return c
}

// endpoint is the part of the configuration that is about requests.
func (c *Config) endpoint() endpoint.Config {
	return endpoint.Config{
		BaseURLs: c.BaseURLs, Header: c.Header, SecretHeaders: c.SecretHeaders, Token: c.Token, InsecureToken: c.InsecureToken, Secrets: c.Secrets, TLS: c.TLS,
		Compression: c.Compression, Dial: c.Dial,
		OnPanic: c.OnPanic,
		Times:   c.Times.RequestTimes,
		Silence: c.Times.SnapshotSilence,
		Limits:  wire.Limits{MessageBytes: c.Limits.MessageBytes, Budget: wire.NewBudget(c.Limits.BufferBytes)},
	}
}
