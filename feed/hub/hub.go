// Package hub shares one feed among the screens of a desk, so that a service has one stream for each party, however
// many traders watch it.
//
//	feed ──Next──▶ Hub ──▶ stream: its rows in a book, its state,  ──Next──▶ Session ──▶ a screen
//	                       and the last pieces of what has changed ──Next──▶ Session ──▶ a screen
//	feed ──Refresh──▶ marginList: its records ──────────────────NextMargins──▶ Session
//	feed ◀──Page── pages ◀──Page── Session
//
// Only the hub waits in Next of the feed, and it never waits for a session. It applies what comes to the book of a
// stream, and adds what that has changed to the pieces of the stream, which all sessions read. Each session has its own
// place among them. A session that has no place, because it has just joined or because too much waits for it, gets a
// copy of all rows. So a session gets rows, states, freshness and corrections as the feed has them. An audit is
// compared once, by the hub.
//
// The files:
//
//	hub.go                         starts and ends everything
//	streams.go                     which streams are open
//	stream.go watch.go session.go  the way of a row
//	margins.go walk.go gate.go     margin levels that are read in the background
//	pages.go turns.go              pages that traders request
//	known_page.go                  pages that are made of what is known
//	past.go                        what is recorded, once for all
//	alerts.go                      what the rules of the desk are in alert for
package hub

import (
	"cmp"
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/margins"
	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
)

// Feed is the feed that a Hub shares. *feed.Feed is one, and says what the methods do.
type Feed interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context) (book.Delta, error)
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	NewRefresh() *margins.Refresh
	RequestAudit(subscription model.Subscription)
	ResyncOnly(subscriptions []model.Subscription)
}

// Options are how a Hub works.
type Options struct {
	Limits Limits
	// NewMemory returns a memory for the past of the streams of one kind: see Session.Play. The hub closes it. Nil,
	// and a nil memory, are none.
	NewMemory func() (*record.Memory, error)
	// Report gets a panic of a goroutine of the hub, which then starts again. It is called by any goroutine.
	Report func(reason any, trace []byte)
}

// Limits are what sessions can use. Zeros are replaced by those of DefaultLimits.
type Limits struct {
	Sessions       int           // at the same time
	Streams        int           // to the service: those that sessions watch, and those that linger
	SessionStreams int           // that one session watches
	Rows           int           // positions of one subscription
	Backlog        int           // changed rows that wait, each counted once, beside a snapshot of each stream
	Linger         time.Duration // how long a stream stays open after its last session
}

// DefaultLimits are the limits that replace zeros. An address of a service allows about 250 streams. An audit needs a
// second one.
func DefaultLimits() Limits {
	return Limits{
		Sessions: 128, Streams: 200, SessionStreams: 100, Rows: 5_000_000, Backlog: 1 << 20,
		Linger: 2 * time.Minute,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	l.Sessions, l.Streams = cmp.Or(l.Sessions, d.Sessions), cmp.Or(l.Streams, d.Streams)
	l.SessionStreams, l.Rows = cmp.Or(l.SessionStreams, d.SessionStreams), cmp.Or(l.Rows, d.Rows)
	l.Backlog, l.Linger = cmp.Or(l.Backlog, d.Backlog), cmp.Or(l.Linger, d.Linger)
	return l
}

// Error is an error of the hub itself. Its text has nothing of the service.
type Error string

func (e Error) Error() string { return string(e) }

// Errors of Join, and of a Session.
const (
	ErrFull      Error = "the desk has no room for another session"
	ErrClosed    Error = "the session has ended"
	ErrManyLists Error = "too many lists of margin levels at once: watch fewer parties or markets"
	errFewLists  Error = "this desk reads the margin levels of fewer parties or markets: some are missing"
	errDefect    Error = "the page could not be read because of a defect of the program: its log has more"
	errNoPast    Error = "no past is kept"
)

// Hub shares one feed among sessions. Its methods may be called by any goroutine.
//
// Locks are taken in this order: Hub, Session, then stream, marginList or frames.
type Hub struct {
	feed    Feed
	options Options
	limits  Limits
	ctx     context.Context // ended by stop
	stop    context.CancelFunc
	tasks   sync.WaitGroup // every goroutine of the hub

	mu       sync.Mutex
	sessions map[*Session]struct{}
	joined   uint64 // how many sessions have joined
	streams  map[model.Key]*stream
	epoch    uint64               // of the last stream
	watched  []model.Subscription // by the feed
	lists    map[model.Key]*marginList
	pasts    map[kind]*past
	idle     chan struct{} // holds a token if a stream or a list has lost its last session

	alerts   deskAlerts
	frames   *frames
	listGate *gate
	pages    *pages
	replaced atomic.Int64
	restarts atomic.Int64
}

// listsAtOnce is how many lists of margin levels are read at the same time.
const listsAtOnce = 2

// New starts to read the feed.
func New(feed Feed, options Options) *Hub {
	h := &Hub{
		feed: feed, options: options, limits: options.Limits.withDefaults(),
		sessions: make(map[*Session]struct{}), streams: make(map[model.Key]*stream),
		lists: make(map[model.Key]*marginList), pasts: make(map[kind]*past),
		idle: make(chan struct{}, 1), listGate: newGate(listsAtOnce), pages: newPages(), frames: newFrames(),
		alerts: deskAlerts{came: make(chan struct{})},
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.spawn(h.read, h.renewStreams)
	h.spawn(h.endIdle, nil)
	return h
}

// Close ends all sessions and all goroutines of the hub, and waits for them. It does not close the feed.
func (h *Hub) Close() {
	h.mu.Lock()
	h.stop()
	all := slices.Collect(maps.Keys(h.sessions))
	h.mu.Unlock()
	for _, s := range all {
		s.Close()
	}
	h.tasks.Wait()
	for _, p := range h.pasts {
		if p != nil {
			p.memory.Close()
		}
	}
}

// The shortest and the longest time until work starts again after a panic.
const (
	firstRestart = time.Second
	lastRestart  = time.Minute
)

// spawn does work in a goroutine that Close waits for. After a panic it reports that, and starts the work again after a
// while, after renew if that is not nil. The lock is held, except in New.
func (h *Hub) spawn(work, renew func()) {
	h.tasks.Go(func() {
		wait := firstRestart
		for began := time.Now(); h.panics(work); began = time.Now() {
			if time.Since(began) > lastRestart {
				wait = firstRestart
			}
			h.restarts.Add(1)
			if endpoint.Pause(h.ctx, time.Now().Add(wait), nil) != nil {
				return
			}
			wait = min(2*wait, lastRestart)
			if renew != nil {
				h.panics(renew)
			}
		}
	})
}

// panics does work and reports whether it has panicked.
func (h *Hub) panics(work func()) (is bool) {
	defer func() {
		if reason := recover(); reason != nil {
			is = true
			if h.options.Report != nil {
				h.options.Report(reason, debug.Stack())
			}
		}
	}()
	work()
	return false
}

// read reads the feed until the hub or the feed is closed.
func (h *Hub) read() {
	for {
		delta, err := h.feed.Next(h.ctx)
		if err != nil {
			if h.ctx.Err() == nil { // the feed is closed
				h.stop()
			}
			return
		}
		h.apply(&delta)
	}
}

// apply gives what has come to its streams. What is for a stream that has ended is dropped.
func (h *Hub) apply(delta *book.Delta) {
	news, backlog := h.newsOf(delta)
	for st, n := range news {
		if replaced := st.apply(n, backlog); replaced > 0 {
			h.replaced.Add(int64(replaced))
		}
	}
	if delta.Missed > 0 {
		h.eachSession(func(s *Session) { s.miss(delta.Missed) })
	}
}

// newsOf returns what a Delta has for each stream, and how many changed rows may wait in one.
func (h *Hub) newsOf(delta *book.Delta) (all map[*stream]*news, backlog int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all = make(map[*stream]*news)
	of := func(s model.Subscription) *news {
		st := h.streams[s.Key]
		if st == nil || st.subscription != s {
			return new(news)
		}
		if all[st] == nil {
			all[st] = new(news)
		}
		return all[st]
	}
	for i := range delta.Snapshots {
		n := of(delta.Snapshots[i].Subscription)
		n.snapshots = append(n.snapshots, &delta.Snapshots[i])
	}
	for i := range delta.Updates {
		n := of(delta.Updates[i].Subscription)
		n.updates = append(n.updates, &delta.Updates[i])
	}
	for i := range delta.Audits {
		n := of(delta.Audits[i].Subscription)
		n.audits = append(n.audits, &delta.Audits[i])
	}
	for i := range delta.Doubts {
		n := of(delta.Doubts[i].Subscription)
		n.doubts = append(n.doubts, &delta.Doubts[i])
	}
	for i := range delta.Links {
		of(delta.Links[i].Subscription).link = &delta.Links[i]
	}
	return all, max(h.limits.Backlog/max(len(h.streams), 1), 1)
}

// eachSession calls do with each session.
func (h *Hub) eachSession(do func(*Session)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.sessions {
		do(s)
	}
}

// Join adds a session, which ends when ctx is done, or with Close. The error is ErrFull if there are too many, and
// ErrClosed if the hub or its feed is closed.
func (h *Hub) Join(ctx context.Context) (*Session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ctx.Err() != nil:
		return nil, ErrClosed
	case len(h.sessions) >= h.limits.Sessions:
		return nil, ErrFull
	}
	h.joined++
	s := newSession(h, h.joined)
	h.sessions[s] = struct{}{}
	h.frames.share(len(h.sessions))
	s.release = context.AfterFunc(ctx, s.Close)
	return s, nil
}

// Stats are counts of a Hub.
type Stats struct {
	Sessions     int
	Streams      int // to the service, with those that linger
	Lingering    int // of them: no session watches them any more
	BacklogRows  int // changed rows that wait, counted for each session that they wait for
	BacklogBytes int // the memory that they take, about: each is kept once for all sessions
	Replaced     int // how often what waited for a session was replaced by a copy of all rows, because it was too much
	Restarts     int // how often a goroutine of the hub has started again, after a panic
}

// Stats returns the counts as they are now.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := Stats{Sessions: len(h.sessions), Streams: len(h.streams)}
	all.Replaced, all.Restarts = int(h.replaced.Load()), int(h.restarts.Load())
	for _, st := range h.streams {
		rows, most := st.backlog()
		all.BacklogRows += rows
		all.BacklogBytes += most * bytesOfRow
		if !st.idleSince.IsZero() {
			all.Lingering++
		}
	}
	return all
}
