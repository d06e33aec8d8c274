package follow

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
)

// stoppedError is the error of a snapshot that did not continue.
type stoppedError struct {
	Positions int  // that came before
	Partial   bool // a message was half read
	Updated   bool // updates came before the last page, and no page after them

	heldBack *endpoint.HeldBackError // nil if no proxy seems to hold back the rest
}

// newStoppedError returns the error of a snapshot that has not continued. The stream is nil if it is not open yet.
func newStoppedError(stream *endpoint.Stream, positions int) *stoppedError {
	stopped := &stoppedError{Positions: positions}
	if stream != nil {
		stopped.Partial, stopped.heldBack = !stream.PartialSince().IsZero(), stream.HeldBack()
	}
	return stopped
}

func (e *stoppedError) Error() string {
	switch {
	case e.heldBack != nil:
		return e.heldBack.Error()
	case e.Updated:
		return "the snapshot has no last page: updates came after " + positions(e.Positions)
	case e.Positions > 0:
		return "the snapshot stopped after " + positions(e.Positions)
	case e.Partial:
		return "the snapshot stopped in the middle of its first message"
	}
	return "the service sends no snapshot"
}

func (e *stoppedError) Unwrap() error {
	if e.heldBack == nil {
		return nil
	}
	return e.heldBack
}

// IsStopped reports whether an error of ReadSnapshot is that the snapshot did not continue.
func IsStopped(err error) bool {
	_, is := errors.AsType[*stoppedError](err)
	return is
}

// positions returns a number of positions in words.
func positions(n int) string {
	if n == 1 {
		return "1 position"
	}
	return strconv.Itoa(n) + " positions"
}

// ReadSnapshot opens a stream with the lease, reads its snapshot, closes the stream and releases the lease. It calls
// take for each message, in order, up to the last page. It returns an error if no message with content
// comes within the time of silence, or if no page follows updates soon; the time that take needs does not count. If ctx
// ends, the error is the cause of that.
func ReadSnapshot(ctx context.Context, lease *endpoint.Lease, key model.Key, silence time.Duration,
	take func(*endpoint.Stream, *wire.Message) error) error {
	open, err := openSnapshot(ctx, lease, key, limits{silence, silence}, take)
	open.close()
	return err
}

// limits are how long a snapshot may make no progress.
type limits struct{ beginning, later time.Duration }

// openStream is a stream whose snapshot has been read. Its lease is not released.
type openStream struct {
	*endpoint.Stream
	lease    *endpoint.Lease
	openedAt time.Time
	cancel   func() // releases the context of the stream
}

// close closes the stream, if there is one, and releases its lease.
func (o *openStream) close() {
	if o != nil {
		o.Stream.Close()
		o.cancel()
		o.lease.Release(nil)
	}
}

// openSnapshot does what ReadSnapshot does, and leaves the stream open.
func openSnapshot(ctx context.Context, lease *endpoint.Lease, key model.Key, silence limits,
	take func(*endpoint.Stream, *wire.Message) error) (open *openStream, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	positions, openedAt := 0, time.Now()
	var opened atomic.Pointer[endpoint.Stream]
	defer func() {
		if err == nil {
			return
		}
		if stopped, ok := err.(*stoppedError); ok {
			stopped.Positions = positions
		}
		if stream := opened.Load(); stream != nil {
			stream.Close()
		}
		cancel(nil)
		lease.Release(err)
	}()
	alarm := time.AfterFunc(silence.beginning, func() { cancel(newStoppedError(opened.Load(), 0)) })
	defer alarm.Stop()
	var noPage *time.Timer // runs from updates to the next page

	stream, err := lease.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	opened.Store(stream)
	var m wire.Message
	defer m.Release()
	for {
		if err := next(stream, &m); err != nil {
			if stopped := newStoppedError(stream, 0); stopped.heldBack != nil && errors.Is(err, context.DeadlineExceeded) {
				return nil, stopped
			}
			return nil, err
		}
		positions += len(m.Page)
		if m.HasContent() {
			lease.Healthy()
			alarm.Stop()
		}
		if noPage != nil && (len(m.Page) > 0 || m.LastPage) {
			noPage.Stop()
			noPage = nil
		}
		if err := take(stream, &m); err != nil {
			return nil, err
		}
		if m.LastPage {
			return &openStream{stream, lease, openedAt, func() { cancel(nil) }}, nil
		}
		if m.IsUpdate && noPage == nil {
			noPage = time.AfterFunc(pageAfterUpdates, func() { cancel(&stoppedError{Updated: true}) })
		}
		if m.HasContent() {
			alarm.Reset(silence.later)
		}
	}
}
