package record

import (
	"context"
	"sync"
	"testing"

	"blotter/feed/wire"
)

// TestALateRequestGetsItsOwnStream, and not that of its audit: the replay has played both before the feed requests it.
func TestALateRequestGetsItsOwnStream(t *testing.T) {
	r := &Replay{requests: make(map[int64]*exchange), streams: make(map[requestKey]*streams)}
	r.wake = sync.NewCond(&r.mu)
	first := event{Kind: opened, Request: 1, Target: wire.StreamPath + "?marketId=b1"}
	audit := event{Kind: opened, Request: 2, Target: first.Target}
	r.play(&first)
	r.play(&audit)
	done, cancel := context.WithCancel(t.Context())
	cancel() // no request waits for a stream that has not begun
	for _, e := range []event{first, audit} {
		x, err := r.claim(done, first.key())
		if err != nil || x != r.requests[e.Request] {
			t.Errorf("the request does not get the stream of request %d: %v", e.Request, err)
		}
	}
}
