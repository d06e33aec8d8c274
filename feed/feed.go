// The flow. doc.go tells what the service does.
//
//	the service                                                                       the screen
//	    │ GET …/stream/positions                                                          │
//	    ▼                                                                                 │
//	 session ──report──▶ subscription ──commit, put, tell──▶ mailbox ──Next──▶ Delta ────▶│
//	 reads as fast as    one per party and market:           what is new,                 │
//	 bytes come          connect, stage, commit, merge,      until it is                  │
//	    ▲                retry, audit (subscription.go)      taken                        │
//	    │                     │          ▲                                                │
//	    └──────open───────────┘          └── addresses: who may dial where, and when      │
//	                                                                                      │
//	 margin pages:  client ◀──GET …/margin/levels── addresses ◀── Margins ◀───────────────┘
//
// A session never waits for the screen: the mailbox takes all and keeps the newest. Only Next waits.

package feed

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"blotter/model"
)

// Feed follows the positions streams that are wanted, and asks for pages of margin levels. Its methods may be
// called by any goroutine, but only one at a time may wait in Next.
type Feed struct {
	config    Config
	client    *client
	addresses *addresses
	mailbox   *mailbox
	verifier  *verifier
	limiter   limiter

	ctx   context.Context
	stop  context.CancelFunc
	tasks sync.WaitGroup // every goroutine of the feed

	mu      sync.Mutex
	watched map[model.Subscription]watched
	pace    pace
}

// watched is a subscription that is wanted.
type watched struct {
	stop   context.CancelFunc
	resync chan<- struct{}
	hint   chan<- struct{}
}

// New checks the configuration. Nothing is asked of the service before Watch or Margins.
func New(config Config) (*Feed, error) {
	config, bases, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &Feed{
		config:    config,
		client:    newClient(config, bases),
		addresses: newAddresses(bases, config.Times),
		mailbox:   newMailbox(),
		watched:   make(map[model.Subscription]watched),
		pace:      pace{batch: firstBatch},
	}
	f.verifier = &verifier{feed: f}
	f.ctx, f.stop = context.WithCancel(context.Background())
	return f, nil
}

// Close ends all goroutines of the feed and waits for them. Next and Margins return.
func (f *Feed) Close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.tasks.Wait()
	f.client.close()
}

// spawn runs a task that ends when the feed is closed.
func (f *Feed) spawn(task func(context.Context)) {
	f.tasks.Go(func() {
		defer f.guard()
		task(f.ctx)
	})
}

// guard hands a panic to whoever can give the terminal back before the program ends.
func (f *Feed) guard() {
	if f.config.OnPanic == nil {
		return
	}
	if reason := recover(); reason != nil {
		f.config.OnPanic(reason, debug.Stack())
	}
}

// Watch says which subscriptions are wanted from now on. Those that were wanted before go on untouched; the
// others end. It does not wait.
func (f *Feed) Watch(subscriptions []model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return
	}
	f.mailbox.arrange(subscriptions)
	kept := make(map[model.Subscription]watched, len(subscriptions))
	for _, wanted := range subscriptions {
		w, running := f.watched[wanted]
		if !running {
			w = f.start(wanted)
		}
		kept[wanted] = w
	}
	for s, w := range f.watched {
		if _, wanted := kept[s]; !wanted {
			w.stop()
		}
	}
	f.watched = kept
}

func (f *Feed) start(wanted model.Subscription) watched {
	ctx, stop := context.WithCancel(f.ctx)
	s := f.newSubscription(wanted)
	f.tasks.Go(func() {
		defer f.guard()
		defer stop()
		s.run(ctx)
	})
	return watched{stop: stop, resync: s.resync, hint: s.hint}
}

// Resync has every subscription looked at again now: what lives is audited, what waits tries at once, unless
// the service itself named the time.
func (f *Feed) Resync() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.watched {
		select {
		case w.resync <- struct{}{}:
		default:
		}
	}
	f.addresses.hurry()
}

// Doubt says that a subscription may have missed an update: its next audit is brought forward, but not so far that a
// service which always gives cause for doubt would be asked again and again.
func (f *Feed) Doubt(subscription model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w, ok := f.watched[subscription]; ok {
		select {
		case w.hint <- struct{}{}:
		default:
		}
	}
}

// Next waits until there is news and takes it, at most once in a frame's time; what is too much for one Delta comes
// with the next ones at once. With linksOnly it takes the state of the links alone, and the data waits; without, the
// updates of the Delta before are void. It returns an error only when ctx ends or the feed is closed.
func (f *Feed) Next(ctx context.Context, linksOnly bool) (model.Delta, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.ctx, cancel)()
	f.mu.Lock()
	f.pace.asked(time.Now())
	wait, batch := time.Until(f.pace.due), f.pace.batch
	f.mu.Unlock()
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return model.Delta{}, ctx.Err()
		}
	}
	for {
		if delta, more, ok := f.mailbox.take(linksOnly, batch); ok {
			f.mu.Lock()
			f.pace.handed(time.Now(), more, f.config.Times.Frame)
			f.mu.Unlock()
			delta.More = more
			return delta, nil
		}
		select {
		case <-f.mailbox.wake:
		case <-ctx.Done():
			return model.Delta{}, ctx.Err()
		}
	}
}
