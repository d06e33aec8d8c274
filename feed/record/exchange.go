package record

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// maxBacklog is how many bytes may wait for a reader before the replay waits for it, or drops the stream.
const maxBacklog = 8 << 20

// exchange is a request of the recording with its response so far. The lock of Replay guards it.
type exchange struct {
	replay  *Replay
	key     requestKey
	changed *sync.Cond

	status int // 0 before the response
	header http.Header
	data   []byte // of the body, not read yet
	ended  bool
	err    error // why it ended; nil if the service ended it

	taken   bool // a request of the replay gets this response
	waiting bool // that request reads, and there is nothing to read
	left    bool // that request has ended
	ofAudit bool // it is the stream of an audit, which the feed has to begin too
	lost    bool // too many bytes came before it was requested
}

// size returns about how many bytes the exchange takes.
func (x *exchange) size() int { return len(x.data) + headerSize(x.header) + responseOverhead }

func headerSize(header http.Header) (size int) {
	for name, values := range header {
		size += len(name) + responseOverhead
		for _, value := range values {
			size += len(value) + 16
		}
	}
	return size
}

// isActive reports whether a request of the replay reads it.
func (x *exchange) isActive() bool { return x.taken && !x.left && !x.ended }

// isRead reports whether the reader has read all that has come.
func (x *exchange) isRead() bool { return !x.taken || x.left || x.waiting && len(x.data) == 0 }

// add changes what can be read, and wakes the reader.
func (x *exchange) add(change func()) {
	change()
	x.waiting = false
	x.changed.Broadcast()
}

// response waits for status and header.
func (x *exchange) response(ctx context.Context, request *http.Request) (*http.Response, error) {
	r := x.replay
	defer r.onDone(ctx, x.changed)()
	r.mu.Lock()
	defer r.mu.Unlock()
	for x.status == 0 && !x.ended && ctx.Err() == nil && !r.closed {
		x.waiting = true
		r.changed()
		x.changed.Wait()
	}
	x.waiting = false
	switch {
	case ctx.Err() != nil:
		x.leave()
		return nil, ctx.Err()
	case r.closed:
		return nil, errClosed
	case x.status == 0:
		x.leave()
		if x.err == nil {
			return nil, errNoResponse
		}
		return nil, x.err
	}
	return newResponse(request, x.status, x.header, &replayedBody{x, ctx}), nil
}

var (
	errClosed     = errors.New("the replay is closed")
	errNoResponse = errors.New("no response was recorded")
	errLeft       = errors.New("blotter closed the stream here while it was recorded")
)

// leave records that the request of the replay has ended. The lock is held.
func (x *exchange) leave() {
	x.left, x.data = true, nil
	x.replay.changed()
}

func newResponse(request *http.Request, status int, header http.Header, body io.ReadCloser) *http.Response {
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header.Clone(), Body: body, ContentLength: -1, Request: request,
	}
}

// replayedBody is the body of an exchange as it comes.
type replayedBody struct {
	exchange *exchange
	ctx      context.Context
}

func (b *replayedBody) Read(p []byte) (int, error) {
	x, r := b.exchange, b.exchange.replay
	defer r.onDone(b.ctx, x.changed)()
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		switch {
		case b.ctx.Err() != nil:
			return 0, b.ctx.Err()
		case r.closed || x.left:
			return 0, errClosed
		case len(p) == 0:
			return 0, nil
		case len(x.data) > 0:
			n := copy(p, x.data)
			if x.data = x.data[n:]; len(x.data) == 0 {
				x.data = nil
			}
			return n, nil
		case x.ended && x.err != nil:
			return 0, x.err
		case x.ended:
			return 0, io.EOF
		}
		x.waiting = true
		r.changed()
		x.changed.Wait()
	}
}

func (b *replayedBody) Close() error {
	r := b.exchange.replay
	r.mu.Lock()
	defer r.mu.Unlock()
	b.exchange.leave()
	return nil
}

// onDone wakes the goroutines that wait for a change when ctx ends, until the returned function is called.
func (r *Replay) onDone(ctx context.Context, changed *sync.Cond) func() bool {
	return context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		changed.Broadcast()
	})
}
