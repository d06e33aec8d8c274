package follow

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// waitingSink calls a function when a connection may not be opened yet.
type waitingSink struct {
	Sink
	waiting func()
}

func (s waitingSink) Publish(model.Link) { s.waiting() }

// TestASubscriptionThatEndsWhenItMayTryAnAddress leaves the try to others. Both come at once, so that either of them
// is seen first.
func TestASubscriptionThatEndsWhenItMayTryAnAddress(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			pool, err := endpoint.New(endpoint.Config{Service: endpoint.Service{BaseURLs: []string{"http://sim.test"}}})
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			first, err := pool.Acquire(t.Context(), nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			sink := waitingSink{waiting: func() {
				stop()
				first.Release(nil)
			}}
			New(Config{Pool: pool, Sink: sink, News: NewNews(), Left: NewLeft(), Logger: slog.New(slog.DiscardHandler)}, model.Subscription{}).Run(ctx)
			ctx, stop = context.WithTimeout(t.Context(), time.Hour)
			defer stop()
			if _, err := pool.Acquire(ctx, nil, nil, nil); err != nil {
				t.Fatalf("no other may try the address: %v", err)
			}
		})
	}
}
