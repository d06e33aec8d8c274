package endpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"blotter/feed/wire"
	"blotter/model"
)

// Stream is one open positions stream. Only one goroutine at a time may be in Next.
type Stream struct {
	lease  *Lease
	ctx    context.Context
	cancel context.CancelFunc
	body   *contentBody
	watch  *watchedReader
	reader *wire.Reader
	held   time.Duration
	node   Node
}

// endedError is the error if the service ended a stream between two messages.
type endedError struct{}

func (endedError) Error() string { return "the service ended the stream" }
func (endedError) Unwrap() error { return io.EOF }

// Open opens the stream of the key and returns when a response with status 200 has come. The stream ends with ctx, by
// Close, or when the pool is closed; then the error is the cause of that.
func (l *Lease) Open(ctx context.Context, key model.Key) (*Stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(l.pool.ctx, cancel)
	s := &Stream{lease: l, ctx: ctx, cancel: func() { stop(); cancel() }}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
		if info.Err == nil {
			l.connected()
		}
	}})
	sent := time.Now()
	response, err := l.pool.client.get(traced, l.pool.client.streams, l.address.base, wire.StreamPath, keyQuery(key))
	if response != nil {
		l.pool.update(func() {
			s.node = l.address.observe(response.Header, sent)
			s.held = heldBackFor(response.Header, s.node.At, l.address.serviceClock.offset())
		})
	}
	if err != nil {
		err = s.publicError(err)
		s.cancel()
		return nil, err
	}
	l.establish()
	s.body = response.Body.(*contentBody)
	s.watch = &watchedReader{Reader: response.Body}
	s.reader = wire.NewReader(s.watch, l.pool.config.Limits)
	return s, nil
}

// publicError returns an error as callers of the package get it. If ctx has ended, it is the cause of that.
func (s *Stream) publicError(err error) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return s.lease.pool.publicError(s.lease.address.name, err)
}

// Next reads one message into m, whose memory it uses again. An error for which errors.Is(err, io.EOF) is true means
// that the service ended the stream between two messages.
func (s *Stream) Next(m *wire.Message) error {
	s.watch.beginMessage(s.reader.Buffered())
	err := s.reader.Next(m)
	if err == nil {
		s.watch.end()
	}
	if m.Error != "" {
		m.Error = oneLine(s.lease.pool.config.Secrets, m.Error)
	}
	switch {
	case err == io.EOF:
		return s.publicError(endedError{})
	case err != nil:
		return s.publicError(err)
	}
	if len(m.Page)+len(m.Updates) == 0 && m.Error == "" {
		return s.publicError(s.body.allowance.takeBack(s.reader.Size()))
	}
	return nil
}

// Close ends the stream. Next returns.
func (s *Stream) Close() {
	s.cancel()
	_ = s.body.Close()
}

// IsClosed reports whether an error of Next is that the connection was closed: not what the service has sent.
func (s *Stream) IsClosed(err error) bool {
	ended := s.watch.ended.Load()
	return ended != nil && errors.Is(err, *ended)
}

// PartialSince returns when the first byte of a message came that is not yet complete; white space does not count. It
// is zero if there is no such message. It may be called by another goroutine.
func (s *Stream) PartialSince() time.Time {
	if half := s.watch.half.Load(); half != nil {
		return half.began
	}
	return time.Time{}
}

// Bytes returns how many bytes of the response have been read, after decompression. It may be called by another
// goroutine.
func (s *Stream) Bytes() int64 { return s.watch.bytes.Load() }

// Node returns what the response to the stream says about its node.
func (s *Stream) Node() Node { return s.node }

// HeldBackFor returns for how long the response was held back on its way, by its Date header: a proxy that buffers
// responses does that. It is 0 if it was not.
func (s *Stream) HeldBackFor() time.Duration { return s.held }

// watchedReader records since when a message is half read, and how much has been read. Only half, ended and bytes may
// be used by other goroutines.
type watchedReader struct {
	io.Reader
	last  time.Time                   // when bytes came last
	began time.Time                   // when the first byte of this message came; zero if none has
	half  atomic.Pointer[halfMessage] // while Read waits for more bytes, and after an error
	ended atomic.Pointer[error]       // why no more bytes come
	bytes atomic.Int64
}

// halfMessage is when the first bytes of a message came, and the last ones so far.
type halfMessage struct{ began, last time.Time }

// beginMessage begins a message; buffered reports whether bytes of it came together with the end of the message before.
func (r *watchedReader) beginMessage(buffered bool) {
	r.began = time.Time{}
	if buffered {
		r.began = r.last
	}
}

func (r *watchedReader) end() { r.half.Store(nil) }

func (r *watchedReader) Read(p []byte) (int, error) {
	if !r.began.IsZero() {
		r.half.Store(&halfMessage{r.began, r.last})
	}
	n, err := r.Reader.Read(p)
	if err != nil {
		r.ended.Store(&err)
	}
	if n > 0 {
		r.bytes.Add(int64(n))
		r.last = time.Now()
		if r.began.IsZero() && len(bytes.TrimLeft(p[:n], " \t\r\n")) > 0 {
			r.began = r.last
		}
	}
	return n, err
}

// keyQuery returns the party and the market of a query. An empty parameter is left out: for a service, it is not the
// same as none.
func keyQuery(key model.Key) url.Values {
	query := make(url.Values)
	if !key.Party.IsZero() {
		query.Set("partyId", key.Party.String())
	}
	if !key.Market.IsZero() {
		query.Set("marketId", key.Market.String())
	}
	return query
}
