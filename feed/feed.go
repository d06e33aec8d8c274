// The flow. doc.go describes the service.
//
//	the service                                                                           the screen
//	    │ GET …/stream/positions                                                              ▲
//	    ▼                                                                                     │
//	 endpoint ──Message──▶ follow ──Commit, Update, Audit, Publish──▶ mailbox ──Next──▶ Delta ─┘
//	 where and when        one Follower per subscription:             what is new,
//	 requests may          stage, commit, merge, audit,               until the screen
//	 be sent               verify, retry                              takes it
//	    ▲
//	    └──GET …/margin/levels── margins ◀──Page, NextMargins, Walk── the screen, a command
//
// A stream never waits for the screen: the mailbox takes everything and keeps the newest. Only Next waits, and an
// audit.

package feed

import (
	"context"
	"slices"
	"sync"
	"time"

	"blotter/feed/doctor"
	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
)

// Feed follows the positions streams of the watched subscriptions, and requests pages of margin levels. Its methods may
// be called by any goroutine, but only one at a time may wait in Next.
type Feed struct {
	config  Config
	pool    *endpoint.Pool
	mailbox *mailbox
	margins *margins.Lister
	refresh *margins.Refresh
	news    *follow.News
	shared  *follow.SharedAudits
	left    *follow.Left

	ctx   context.Context
	stop  context.CancelFunc
	tasks sync.WaitGroup // every goroutine of the feed

	mu        sync.Mutex
	followers map[model.Subscription]running
	due       time.Time // when the next Delta may come
}

type running struct {
	*follow.Follower
	stop context.CancelFunc
}

// New checks the configuration. It sends no request.
func New(config Config) (*Feed, error) {
	config = config.withDefaults()
	f := &Feed{
		config:    config,
		mailbox:   newMailbox(config.Limits.Rows),
		followers: make(map[model.Subscription]running),
		news:      follow.NewNews(),
		left:      follow.NewLeft(),
	}
	pool, err := endpoint.New(config.endpoint())
	if err != nil {
		return nil, err
	}
	f.pool = pool
	f.margins = margins.New(pool, config.Logger)
	f.refresh = f.margins.NewRefresh()
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.shared = follow.NewSharedAudits(f.ctx)
	return f, nil
}

// Close ends all goroutines of the feed and waits for them. All other methods that wait return.
func (f *Feed) Close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.tasks.Wait()
	f.pool.Close()
}

// spawn runs a task in a goroutine that Close waits for.
func (f *Feed) spawn(task func()) {
	f.tasks.Go(func() {
		defer f.config.Guard()
		task()
	})
}

// Watch sets the subscriptions that are watched from now on. Those that were watched before continue; the others end.
// It does not wait.
func (f *Feed) Watch(subscriptions []model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return
	}
	f.mailbox.setSubscriptions(subscriptions)
	for s, r := range f.followers {
		if !slices.Contains(subscriptions, s) {
			f.left.Expect()
			r.stop()
			delete(f.followers, s)
		}
	}
	for _, s := range subscriptions {
		if _, runs := f.followers[s]; !runs {
			f.followers[s] = f.start(s)
		}
	}
}

func (f *Feed) start(subscription model.Subscription) running {
	ctx, stop := context.WithCancel(f.ctx)
	follower := follow.New(follow.Config{
		Pool: f.pool, Sink: f.mailbox, News: f.news, Shared: f.shared, Left: f.left, Logger: f.config.Logger, Go: f.spawn,
		Times: f.config.Times.StreamTimes, Rows: f.config.Limits.Rows, Now: f.config.now,
	}, subscription)
	f.spawn(func() {
		defer stop()
		follower.Run(ctx)
	})
	return running{follower, stop}
}

// Resync checks every subscription again now: a live one is audited, one that waits tries at once. A time that the
// service named is ignored at most once a minute.
func (f *Feed) Resync() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.followers {
		r.Resync()
	}
	f.pool.Retry()
}

// ResyncOnly does what Resync does, for some subscriptions only.
func (f *Feed) ResyncOnly(subscriptions []model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subscriptions {
		if r, ok := f.followers[s]; ok {
			r.Resync()
		}
	}
	f.pool.Retry()
}

// RequestAudit brings the next audit of a subscription forward, because there is a hint that an update was missed. It
// does not wait.
func (f *Feed) RequestAudit(subscription model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, ok := f.followers[subscription]; ok {
		r.RequestAudit()
	}
}

// Page reads one page of margin levels. If no request was sent, because the service fails and may be tried later
// only, the error is an *endpoint.PostponedError; if the response is no success, an *endpoint.StatusError.
func (f *Feed) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	return f.margins.Page(ctx, request)
}

// WatchMargins begins to read the margin levels of a scope in the background, for NextMargins, from the beginning. It
// does not wait.
func (f *Feed) WatchMargins(scope model.Scope) { f.refresh.Watch(scope) }

// HurryMargins reads the margin levels of parties soon, because positions of theirs wait for them. It does not wait.
func (f *Feed) HurryMargins(parties []model.ID) { f.refresh.Hurry(parties) }

// NextMargins waits for the next page of the margin levels that are watched, and reads it: see margins.Refresh. No page
// is read while nobody waits. It returns an error only if ctx ends or the feed is closed.
func (f *Feed) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	return f.refresh.Next(ctx)
}

// NewRefresh returns a Refresh of nothing, which reads beside that of WatchMargins, in the same pace.
func (f *Feed) NewRefresh() *margins.Refresh { return f.margins.NewRefresh() }

// Walk reads all margin levels of the scope, or the first limit of them (0: all). See margins.Lister.Walk.
func (f *Feed) Walk(ctx context.Context, request model.PageRequest, limit int) (margins.Walked, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	return f.margins.Walk(ctx, request, limit)
}

// Examine checks every address of the service, and calls report with each finding. See doctor.Doctor.Examine.
func (f *Feed) Examine(ctx context.Context, scope model.Scope, report func(doctor.Finding)) error {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	d := doctor.Doctor{Pool: f.pool, SnapshotSilence: f.config.Times.SnapshotSilence, Report: report}
	return d.Examine(ctx, scope.Subscriptions(nil, 0))
}

// bounded returns a context that ends with ctx and with the feed.
func (f *Feed) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(f.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// Next waits for new data and takes it, at most once in a frame's time; what is too much for one Delta comes with the
// next ones at once. Rows of the previous Delta must not be used any more: their memory is used again. It returns an
// error only if ctx ends or the feed is closed.
func (f *Feed) Next(ctx context.Context) (book.Delta, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	f.mu.Lock()
	due := f.due
	f.mu.Unlock()
	if time.Now().Before(due) {
		if err := endpoint.Pause(ctx, due, nil); err != nil {
			return book.Delta{}, err
		}
	}
	for {
		if delta, more, ok := f.mailbox.take(batch); ok {
			if !more {
				f.mu.Lock()
				f.due = time.Now().Add(f.config.Times.Frame)
				f.mu.Unlock()
			}
			delta.More = more
			f.addNodes(delta.Links)
			return delta, nil
		}
		if err := endpoint.Pause(ctx, time.Time{}, f.mailbox.wake); err != nil {
			return book.Delta{}, err
		}
	}
}

// Links returns the state of every subscription as it is now, in the order of Watch. Next returns the same states.
func (f *Feed) Links() []model.Link {
	links := f.mailbox.states()
	f.addNodes(links)
	return links
}

// addNodes adds the newest block that the address of each stream has named, and how its clock differs from this
// machine's.
func (f *Feed) addNodes(links []model.Link) {
	for i := range links {
		link := &links[i]
		link.NewestBlock, link.NewestBlockAt = f.pool.NewestBlock(link.Address)
		link.ClockOffset = f.pool.ClockOffset(link.Address)
	}
}
