package feed

import (
	"cmp"
	"log/slog"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/wire"
)

// Config is the configuration of a Feed. The zero value of every field but BaseURLs is its default.
type Config struct {
	endpoint.Service
	// Logger gets a line for each connection, loss and refusal; it never gets a token. Nil is none.
	Logger *slog.Logger

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

// endpoint returns the part of the configuration that is about requests.
func (c *Config) endpoint() endpoint.Config {
	return endpoint.Config{
		Service: c.Service,
		Times:   c.Times.RequestTimes,
		Silence: c.Times.SnapshotSilence,
		Limits:  wire.Limits{MessageBytes: c.Limits.MessageBytes, Budget: wire.NewBudget(c.Limits.BufferBytes)},
	}
}
