package feed

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// probeTimeout is how long the service may take to say that it is there. A service that died when it had just
// answered is told after ProbeEvery, two of these and the time between them: within half a minute.
const probeTimeout = 4 * time.Second

// probeAgain is how soon a service that did not answer is asked once more.
func (t *Times) probeAgain() time.Duration { return t.ProbeEvery * 2 / 5 }

// verifier finds out whether a service whose streams are silent is there: it asks for a page of one margin
// record. All silent subscriptions of an address share its answers.
type verifier struct {
	feed      *Feed
	mu        sync.Mutex
	inquiries map[*url.URL]*inquiry
}

// inquiry is what is known of one address.
type inquiry struct {
	at      time.Time // of the last answer
	last    error
	waiting []chan<- error // nil where nobody asks
}

// sharedFor is for how long an answer serves others too. One that did not come serves them for as long as it
// takes until whoever waited for it asks again.
func (v *verifier) sharedFor(err error) time.Duration {
	if err == nil {
		return v.feed.config.Times.ProbeEvery / 2
	}
	return v.feed.config.Times.probeAgain()
}

// ask has the answer of the address sent to reply, which must have room for it, in a while.
func (v *verifier) ask(base *url.URL, reply chan<- error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.inquiries == nil {
		v.inquiries = make(map[*url.URL]*inquiry)
	}
	q := v.inquiries[base]
	if q == nil {
		q = new(inquiry)
		v.inquiries[base] = q
	}
	switch {
	case q.waiting != nil:
		q.waiting = append(q.waiting, reply)
	case !q.at.IsZero() && time.Since(q.at) < v.sharedFor(q.last):
		answer(reply, q.last)
	default:
		q.waiting = append(q.waiting, reply)
		v.feed.spawn(func(ctx context.Context) { v.tell(q, v.probe(ctx, base)) })
	}
}

// answer never waits: whoever has not taken an answer yet needs no second one.
func answer(reply chan<- error, err error) {
	select {
	case reply <- err:
	default:
	}
}

// probe asks once.
func (v *verifier) probe(ctx context.Context, base *url.URL) error {
	if err := v.feed.limiter.blocked(); err != nil {
		return err
	}
	visit := v.feed.addresses.probe(base)
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	page, err := v.feed.client.page(visit.trace(ctx), base, url.Values{"pagination.first": {strconv.Itoa(1)}})
	if err == nil {
		v.feed.logLag(visit, page.block)
	}
	err = visit.over(err)
	if rest, ok := errors.AsType[*restingError](err); ok {
		return rest.known // there is no dial left: it has not answered, again and again
	}
	if status, ok := asStatus(err); ok {
		v.feed.learn(status)
		if status.Status > 0 && status.Status < 500 {
			return nil // it does not like the question, but it is there
		}
	}
	return err
}

// tell gives everybody the answer.
func (v *verifier) tell(q *inquiry, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, reply := range q.waiting {
		answer(reply, err)
	}
	q.waiting, q.last, q.at = nil, err, time.Now()
}
