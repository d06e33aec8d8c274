package hub

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
)

// Session is what one screen gets of the feed. Its methods may be called by any goroutine, but only one at a time may
// wait in Next, one in NextMargins, and one in NextAlerts.
type Session struct {
	hub     *Hub
	number  uint64          // in the order of Join
	ctx     context.Context // ended by stop
	stop    context.CancelFunc
	release func() bool   // ends the wait for the context of Join; guarded by the lock of the Hub
	wake    chan struct{} // holds a token if something may have come

	mu      sync.Mutex
	watches []*watch // guarded by the lock of the Hub too
	first   int      // which of them takes updates first
	rewatch bool     // they have changed since the links were taken last
	missed  int      // events that the hub has missed
	due     time.Time
	paged   model.Scope // of the first page that was requested last

	margins *walk
	alerts  map[string]ruleCount          // by rule; only NextAlerts reads and changes it
	memory  atomic.Pointer[record.Memory] // of the kind of streams that it watches; nil if there is none
}

func newSession(h *Hub, number uint64) *Session {
	s := &Session{hub: h, number: number, wake: make(chan struct{}, 1), margins: newWalk(), alerts: make(map[string]ruleCount)}
	s.ctx, s.stop = context.WithCancel(h.ctx)
	return s
}

// Close ends the session. Its methods that wait return. It may be called again.
func (s *Session) Close() {
	s.stop()
	s.hub.remove(s)
}

// Watch sets the subscriptions that are watched from now on. It does not wait. A subscription that is over a limit of
// the hub is refused: its link says so.
func (s *Session) Watch(subscriptions []model.Subscription) { s.hub.watch(s, subscriptions) }

// RequestAudit brings the next audit of a subscription forward. It does not wait.
func (s *Session) RequestAudit(subscription model.Subscription) { s.hub.requestAudit(s, subscription) }

// Resync checks the subscriptions of the session again now. It does not wait.
func (s *Session) Resync() { s.hub.resync(s) }

// batch is how many updates a Delta holds at most, as one of the feed does.
const batch = 2048

// Next waits for new data and takes it, as feed.Feed.Next does. The data must not be changed: other sessions have it
// too. The rows of snapshots belong to the caller. The error is ErrClosed if the session has ended.
func (s *Session) Next(ctx context.Context) (book.Delta, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	if due := s.nextDue(); time.Now().Before(due) {
		if err := endpoint.Pause(ctx, due, nil); err != nil {
			return book.Delta{}, err
		}
		s.hub.frames.note(due, time.Now())
	}
	for {
		if s.ctx.Err() != nil {
			return book.Delta{}, ErrClosed
		}
		if delta, ok := s.takeWaiting(); ok {
			return delta, nil
		}
		if err := endpoint.Pause(ctx, time.Time{}, s.wake); err != nil {
			return book.Delta{}, err
		}
	}
}

// nextDue returns when the next Delta may come; zero before the first one.
func (s *Session) nextDue() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.due
}

// bounded returns a context that ends with ctx, and with the session: then its cause is ErrClosed.
func (s *Session) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(ErrClosed) })
	return ctx, func() { stop(); cancel(nil) }
}

// takeWaiting takes what waits, and reports whether that is anything.
func (s *Session) takeWaiting() (delta book.Delta, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := &taking{left: batch}
	links, isNew, first := make([]model.Link, len(s.watches)), s.rewatch, s.first
	for i := range s.watches {
		at := (s.first + i) % len(s.watches)
		had := to.left
		link, isNewLink := s.takeFrom(s.watches[at], to)
		links[at], isNew = link, isNew || isNewLink
		if had > 0 && to.left <= 0 {
			first = at + 1 // the next one comes first the next time
		}
	}
	if ok = isNew || to.Snapshots != nil || to.Updates != nil || to.Audits != nil || to.Doubts != nil; !ok {
		return delta, false
	}
	for _, i := range to.shared {
		to.Snapshots[i].Rows = to.Snapshots[i].Rows.Clone()
	}
	s.rewatch, s.first = false, first
	delta = to.Delta
	delta.Links, delta.More = links, to.more
	delta.Missed, s.missed = delta.Missed+s.missed, 0
	if delta.More {
		endpoint.Signal(s.wake)
	} else {
		s.due = s.nextFrame(time.Now())
	}
	return delta, true
}

// nextFrame returns when the next Delta comes, after one that has come now: a frame later, or up to half a frame sooner
// or later, until it comes at the moment of the session.
func (s *Session) nextFrame(now time.Time) time.Time {
	frame := s.hub.frames.length()
	soonest := now.Add(frame / 2)
	return soonest.Add((s.momentOf(frame) + time.Second - time.Duration(soonest.UnixNano())%time.Second) % frame)
}

// Moment returns how long after each whole second the first Delta of the session comes, if there is one in each frame.
// What a screen does once a second is best done then.
func (s *Session) Moment() time.Duration { return s.momentOf(s.hub.frames.length()) }

// momentOf returns the moment of the session in a frame. Sessions have different ones, so that their screens are not
// all drawn at the same time, and a key does not wait for all of them.
func (s *Session) momentOf(frame time.Duration) time.Duration {
	const goldenRatio = 0.6180339887498949 // its multiples are spread evenly over 1, any number of them
	_, part := math.Modf(float64(s.number) * goldenRatio)
	return time.Duration(part * float64(frame))
}

// takeFrom takes what waits of a watch. It returns its link and whether that is new.
func (s *Session) takeFrom(w *watch, to *taking) (link model.Link, isNew bool) {
	if w.stream == nil {
		return w.refusal(&s.hub.limits), false
	}
	w.stream.mu.Lock()
	defer w.stream.mu.Unlock()
	w.takeWaiting(to)
	isNew = w.seen != w.stream.version
	w.seen = w.stream.version
	return w.link(), isNew
}

// notify wakes Next.
func (s *Session) notify() { endpoint.Signal(s.wake) }

// miss notes that the hub has missed events.
func (s *Session) miss(events int) {
	s.mu.Lock()
	s.missed += events
	s.mu.Unlock()
}

// setWatches sets the watches. The lock of the hub is held, as for the next two.
func (s *Session) setWatches(watches []*watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches, s.first, s.rewatch = slices.Clone(watches), 0, true
	s.notify()
}

// enter gives a watch its stream.
func (s *Session) enter(w *watch, st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.stream = st
	st.enter(w)
	s.rewatch = true
	s.notify()
}

// leave takes its stream from a watch.
func (s *Session) leave(w *watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.stream.leave(w)
	w.stream = nil
}
