package follow

import (
	"context"
	"fmt"
	"sync/atomic"

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
	free    chan *wire.Message              // messages to be used again
	stream  atomic.Pointer[endpoint.Stream] // nil before the response has begun
	cancel  func()
}

// newSession returns a session that reads ahead.
func newSession(cancel func()) *session {
	s := &session{
		reports: make(chan report, messagesAhead),
		free:    make(chan *wire.Message, messagesAhead+2),
		cancel:  cancel,
	}
	for range cap(s.free) {
		s.free <- new(wire.Message)
	}
	return s
}

// open starts a session. It ends with a report of an error, or when close is called or ctx ends.
func (f *Follower) open(ctx context.Context) *session {
	ctx, cancel := context.WithCancel(ctx)
	s := newSession(cancel)
	lease, key, logger, facts := f.lease, f.link.Key, f.Logger, f.facts()
	f.Go(func() {
		defer cancel()
		stream, err := lease.Open(ctx, key)
		if err == nil {
			logger.Info("positions stream: connected", facts...)
			err = s.read(ctx, stream)
		} else {
			err = fmt.Errorf("opening the positions stream: %w", err)
		}
		s.send(ctx, report{err: err})
	})
	return s
}

// adopt starts a session that continues to read a stream whose snapshot was read. It calls cancel when it is closed.
func (f *Follower) adopt(ctx context.Context, cancel func(), open *openStream) *session {
	ctx, cancelSession := context.WithCancel(ctx)
	s := newSession(func() {
		cancelSession()
		cancel()
	})
	s.stream.Store(open.Stream)
	f.Go(func() {
		defer s.cancel()
		s.send(ctx, report{err: s.read(ctx, open.Stream)})
	})
	return s
}

// close ends the session, whatever it is doing.
func (s *session) close() { s.cancel() }

// bytes returns how many bytes the session has read.
func (s *session) bytes() int64 {
	if stream := s.stream.Load(); stream != nil {
		return stream.Bytes()
	}
	return 0
}

// done releases a message, which is used again.
func (s *session) done(m *wire.Message) {
	m.Release()
	s.free <- m
}

func (s *session) send(ctx context.Context, r report) {
	select {
	case s.reports <- r:
	case <-ctx.Done():
	}
}

// streamError is an error object inside a stream.
type streamError struct{ words string }

func (e *streamError) Error() string { return "the service ended the stream: " + e.words }

// read reads the stream to its end. It never returns nil.
func (s *session) read(ctx context.Context, stream *endpoint.Stream) error {
	defer stream.Close()
	s.stream.Store(stream)
	for {
		var m *wire.Message
		select {
		case m = <-s.free:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := next(stream, m); err != nil {
			return err
		}
		s.send(ctx, report{message: m})
	}
}

// next reads one message. An error object in the stream and the end of the stream are errors.
func next(stream *endpoint.Stream, m *wire.Message) error {
	switch err := stream.Next(m); {
	case err != nil:
		return err
	case m.Error != "":
		return &streamError{m.Error}
	}
	return nil
}
