package record

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// Replay plays a recording: it returns the responses of the service (Transport), at the times at which they came (it is
// the clock.Clock of the feed). It begins paused, at the start of the recording.
//
// A request for a stream waits for the next one that was recorded with the same key, and gets its response as that
// came. So a feed whose backoff is short sends its request first, and the recording decides when the response comes.
// The next event is played only when the feed has read the last one. Its methods may be called by any goroutine.
type Replay struct {
	reader *reader
	ended  chan struct{} // closed when all is played
	done   chan struct{} // closed when nothing is played any more

	mu         sync.Mutex
	wake       *sync.Cond // of the goroutine that plays
	timeline   timeline
	last       *exchange // of the last event
	played     time.Time // when that was played, by the clock of the machine
	beginAudit func(query string)
	requests   map[int64]*exchange // that have not ended
	came       int                 // bytes since what is kept was counted
	maxKept    int                 // as the constant, but in tests
	streams    map[requestKey]*streams
	pages      pages
	started    bool
	closed     bool
	over       bool
	damaged    error
}

// streams are the streams of one request key.
type streams struct {
	waiters     []*waiter   // requests of the replay, which wait for a stream
	unclaimed   []*exchange // streams of the recording, which wait for a request
	taken       []*exchange // that were given to a request and have not ended
	unrequested bool        // the last one was not requested in time
	recorded    bool        // the recording has had one
}

// waiter is a request for a stream that waits for one of the recording.
type waiter struct {
	changed  *sync.Cond
	exchange *exchange
}

// Open opens a recording. Nothing is played before Start.
func Open(path string) (*Replay, error) {
	reader, err := openReader(path)
	if err != nil {
		return nil, err
	}
	start := reader.header.Start
	r := &Replay{
		reader: reader, ended: make(chan struct{}), done: make(chan struct{}),
		requests: make(map[int64]*exchange), streams: make(map[requestKey]*streams), pages: newPages(), maxKept: maxKept,
		timeline: timeline{at: start, since: time.Now(), limit: start, speed: 1, paused: true},
	}
	r.wake, r.pages.changed = sync.NewCond(&r.mu), sync.NewCond(&r.mu)
	return r, nil
}

// Header returns the header of the recording.
func (r *Replay) Header() Header { return r.reader.header }

// Start begins to play, from the start of the recording. It calls beginAudit, in the goroutine that plays, if
// another stream of a query begins beside an active one, as that of an audit does.
func (r *Replay) Start(beginAudit func(query string)) {
	r.mu.Lock()
	r.started, r.beginAudit = true, beginAudit
	r.timeline.paused, r.timeline.since = false, time.Now()
	r.mu.Unlock()
	go r.run()
}

// Close ends the replay and all of its requests.
func (r *Replay) Close() {
	r.mu.Lock()
	started := r.started
	r.closed = true
	r.wakeAll()
	r.mu.Unlock()
	if started {
		<-r.done
	}
	r.reader.close()
}

// Ended returns a channel that is closed when all of the recording is played.
func (r *Replay) Ended() <-chan struct{} { return r.ended }

// Damaged returns why the recording ended too early, once it was played up to there: a *DamagedError, or
// nil.
func (r *Replay) Damaged() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.damaged
}

// changed wakes the goroutine that plays. The lock is held.
func (r *Replay) changed() { r.wake.Broadcast() }

// wakeAll wakes all goroutines that wait. The lock is held.
func (r *Replay) wakeAll() {
	r.changed()
	r.pages.changed.Broadcast()
	for _, s := range r.streams {
		for _, w := range s.waiters {
			w.changed.Broadcast()
		}
		for _, x := range s.taken {
			x.changed.Broadcast()
		}
	}
}

// streamsOf returns the streams of a request key.
func (r *Replay) streamsOf(q requestKey) *streams {
	s := r.streams[q]
	if s == nil {
		s = new(streams)
		r.streams[q] = s
	}
	return s
}

// isActive reports whether a request of the replay reads one of the streams.
func (s *streams) isActive() bool {
	for _, x := range s.taken {
		if x.isActive() {
			return true
		}
	}
	return false
}

// take gives a stream of the recording to a request.
func (s *streams) take(x *exchange) {
	active := s.taken[:0]
	for _, taken := range s.taken {
		if !taken.left {
			active = append(active, taken)
		}
	}
	x.taken = true
	s.taken = append(active, x)
}

// Transport returns a transport that reads responses from the recording. It sends no request.
func (r *Replay) Transport(http.RoundTripper) http.RoundTripper { return replaying{r} }

type replaying struct{ *Replay }

// RoundTrip returns the recorded response to a request.
func (r replaying) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
	q := requestKeyOf(request.URL.Path, request.URL.RawQuery)
	response, err := r.recordedResponse(ctx, q, request)
	if err == nil && trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	return response, err
}

func (r *Replay) recordedResponse(ctx context.Context, q requestKey, request *http.Request) (*http.Response, error) {
	if !q.isStream() {
		return r.page(ctx, q, request)
	}
	x, err := r.claim(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case x == nil:
		return notRecorded(request), nil
	}
	return x.response(ctx, request)
}

// claim waits for a stream of the recording. It returns nil if the recording has none for this request.
func (r *Replay) claim(ctx context.Context, q requestKey) (*exchange, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.streamsOf(q)
	s.unrequested = false
	if len(s.unclaimed) > 0 { // none has ended, so later ones are those of audits
		x := s.unclaimed[0]
		s.unclaimed = s.unclaimed[1:]
		s.take(x)
		r.changed()
		return x, nil
	}
	w := &waiter{changed: sync.NewCond(&r.mu)}
	s.waiters = append(s.waiters, w)
	defer r.onDone(ctx, w.changed)()
	r.changed()
	for {
		switch {
		case w.exchange != nil:
			return w.exchange, nil
		case ctx.Err() != nil:
			s.forget(w)
			return nil, ctx.Err()
		case r.closed:
			return nil, errClosed
		case r.over && !s.recorded:
			s.forget(w)
			return nil, nil
		}
		w.changed.Wait()
	}
}

func (s *streams) forget(waiter *waiter) {
	for i, w := range s.waiters {
		if w == waiter {
			s.waiters = append(s.waiters[:i:i], s.waiters[i+1:]...)
			return
		}
	}
}

// notRecorded returns the response to a request that is not in the recording.
func notRecorded(request *http.Request) *http.Response {
	const text = `{"code":5,"message":"this was not recorded"}`
	header := http.Header{"Content-Type": {"application/json"}}
	return newResponse(request, http.StatusNotFound, header, io.NopCloser(strings.NewReader(text)))
}

// isEnd reports whether an error is the end of a recording that was ended in order.
func isEnd(err error) bool { return errors.Is(err, io.EOF) }
