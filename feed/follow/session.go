package follow

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
)

// report is what a session passes to its Follower, in order: a message, or the error that ended the session.
type report struct {
	message *wire.Message // to be returned with done
	err     error
}

// messagesAhead is how far a session may read ahead of its Follower.
const messagesAhead = 128

// session is one connection: a goroutine that reads messages as fast as they come. It never waits for the screen, only
// for its Follower, which does not wait for the screen either.
type session struct {
	reports chan report
	free    sync.Pool                       // messages to be used again
	stream  atomic.Pointer[endpoint.Stream] // nil before the response has begun
	cancel  func()                          // ends the session, whatever it is doing
}

// open starts a session with a stream that it opens with a lease.
func (s *subscription) open(ctx context.Context, lease *endpoint.Lease) *session {
	key, logger, facts := s.link.Key, s.Logger, s.facts()
	return s.startSession(ctx, func(ctx context.Context) (*endpoint.Stream, error) {
		stream, err := lease.Open(ctx, key)
		if err != nil {
			return nil, fmt.Errorf("opening the positions stream: %w", err)
		}
		logger.Info("positions stream: connected", facts...)
		return stream, nil
	})
}

// startSession starts a session that reads a stream. It ends with a report of an error, or when it is cancelled or ctx
// ends.
func (c *Config) startSession(ctx context.Context, open func(context.Context) (*endpoint.Stream, error)) *session {
	ctx, cancel := context.WithCancel(ctx)
	s := &session{
		reports: make(chan report, messagesAhead),
		free:    sync.Pool{New: func() any { return new(wire.Message) }},
		cancel:  cancel,
	}
	c.Go(func() {
		defer cancel()
		stream, err := open(ctx)
		if err == nil {
			err = s.read(ctx, stream)
		}
		s.send(ctx, report{err: err})
		<-ctx.Done() // the Follower takes no more
		s.dropReports()
	})
	return s
}

func (s *session) bytes() int64 {
	if stream := s.stream.Load(); stream != nil {
		return stream.Bytes()
	}
	return 0
}

// partialSince returns when the first byte of a message came that is not yet complete; zero if there is none.
func (s *session) partialSince() time.Time {
	if stream := s.stream.Load(); stream != nil {
		return stream.PartialSince()
	}
	return time.Time{}
}

// done releases a message, which is used again.
func (s *session) done(m *wire.Message) {
	m.Release()
	s.free.Put(m)
}

// send passes a report on, and reports false if ctx ends before there is room for it.
func (s *session) send(ctx context.Context, r report) bool {
	select {
	case s.reports <- r:
		return true
	case <-ctx.Done():
		return false
	}
}

// dropReports releases the messages that the Follower has not taken: each may hold a part of the memory that all large
// messages share.
func (s *session) dropReports() {
	for {
		select {
		case r := <-s.reports:
			if r.message != nil {
				s.done(r.message)
			}
		default:
			return
		}
	}
}

// read reads the stream to its end. It never returns nil.
func (s *session) read(ctx context.Context, stream *endpoint.Stream) error {
	defer stream.Close()
	s.stream.Store(stream)
	for {
		m := s.free.Get().(*wire.Message)
		if err := next(stream, m); err != nil {
			s.done(m)
			return err
		}
		if !s.send(ctx, report{message: m}) {
			s.done(m)
			return context.Cause(ctx)
		}
	}
}

// next reads one message. An error object in the stream and the end of the stream are errors.
func next(stream *endpoint.Stream, m *wire.Message) error {
	switch err := stream.Next(m); {
	case err != nil:
		return err
	case m.Error != "":
		return fmt.Errorf("the service ended the stream: %s", m.Error)
	}
	return nil
}
