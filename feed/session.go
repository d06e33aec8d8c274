package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync/atomic"
	"time"

	"blotter/model"
)

// report is what a session has to say to its subscription, in the order in which it happened.
type report struct {
	connected bool     // the request went out on a connection that stands
	message   *message // goes back by done
	err       error    // the session is over, and this is why
}

// messagesAhead is how far a session may read ahead of its subscription.
const messagesAhead = 128

// session is one connection of a subscription: a goroutine that reads messages as fast as they come. It never
// waits for the screen, only for its subscription, which never waits for the screen either.
type session struct {
	reports chan report
	free    chan *message // messages to be used again
	opened  time.Time
	bytes   atomic.Int64 // read so far: whether a silent stream is quite dead
	last    atomic.Int64 // how long after opened the latest of them came, in nanoseconds
	whole   int64        // of the bytes, those that had come when its subscription was done with a message
	cancel  context.CancelFunc
}

// open starts a session. It ends with a report of an error, or when close is called or ctx ends.
func (f *Feed) open(ctx context.Context, base *url.URL, key model.Key) *session {
	ctx, cancel := context.WithCancel(ctx)
	s := &session{
		reports: make(chan report, messagesAhead),
		free:    make(chan *message, messagesAhead+2),
		opened:  time.Now(),
		cancel:  cancel,
	}
	for range cap(s.free) {
		s.free <- new(message)
	}
	f.tasks.Go(func() {
		defer f.guard()
		defer cancel()
		err := s.read(ctx, f.client, base, key)
		s.say(ctx, report{err: err})
	})
	return s
}

// close ends the session, whatever it is doing.
func (s *session) close() { s.cancel() }

// done gives a message back.
func (s *session) done(m *message) {
	s.whole = s.bytes.Load()
	s.free <- m
}

// isHalfway tells whether a message has begun to come that is not whole.
func (s *session) isHalfway() bool { return s.bytes.Load() > s.whole }

// rest is by when more of a message that is not whole must come, where there may be so long between two bytes; zero
// where none has begun.
func (s *session) rest(patience time.Duration) time.Time {
	if !s.isHalfway() {
		return time.Time{}
	}
	return s.opened.Add(time.Duration(s.last.Load()) + patience)
}

func (s *session) say(ctx context.Context, r report) {
	select {
	case s.reports <- r:
	case <-ctx.Done():
	}
}

var errEnded = errors.New("the service ended the stream")

// read follows the stream to its end. It never returns nil.
func (s *session) read(ctx context.Context, c *client, base *url.URL, key model.Key) error {
	response, err := c.stream(ctx, base, key, func() { s.say(ctx, report{connected: true}) })
	if err != nil {
		return fmt.Errorf("opening the positions stream: %w", err)
	}
	defer response.Body.Close()
	decoder := newDecoder(countingReader{response.Body, s}, c.limit)
	decoder.secrets = c.secrets
	for {
		var m *message
		select {
		case m = <-s.free:
		case <-ctx.Done():
			return ctx.Err()
		}
		switch err := decoder.next(m); {
		case err == io.EOF:
			return errEnded
		case err != nil:
			return err
		case m.failed:
			return &streamError{m.complaint}
		}
		s.say(ctx, report{message: m})
	}
}

// countingReader counts what is read for its session.
type countingReader struct {
	io.Reader
	session *session
}

func (r countingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.session.last.Store(int64(time.Since(r.session.opened)))
		r.session.bytes.Add(int64(n))
	}
	return n, err
}
