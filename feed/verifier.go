package feed

import (
	"context"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// probeTimeout is how long the service may take to say that it is there. Two of these and the times between
// them must make less than half a minute: so soon must a dead service be told.
const probeTimeout = 4 * time.Second

// verifier finds out whether a service whose streams are silent is there: it asks for a page of one margin
// record. All silent subscriptions share its answers.
type verifier struct {
	feed    *Feed
	mu      sync.Mutex
	asking  bool
	at      time.Time
	last    error
	waiting []chan<- error
}

// ask has the answer sent to reply, which must have room for it, in a while.
func (v *verifier) ask(reply chan<- error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.asking && time.Since(v.at) < v.feed.config.Times.ProbeEvery/2 {
		answer(reply, v.last)
		return
	}
	v.waiting = append(v.waiting, reply)
	if !v.asking {
		v.asking = true
		v.feed.spawn(v.probe)
	}
}

func answer(reply chan<- error, err error) {
	select {
	case reply <- err:
	default:
	}
}

// probe asks once and tells everybody.
func (v *verifier) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	query := url.Values{"pagination.first": {strconv.Itoa(1)}}
	_, err := v.feed.client.page(ctx, v.feed.addresses.serving(), query)
	if status, ok := asStatus(err); ok && status.Status < 500 {
		err = nil // it does not like the question, but it is there
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, reply := range v.waiting {
		answer(reply, err)
	}
	v.waiting, v.asking, v.last, v.at = nil, false, err, time.Now()
}
