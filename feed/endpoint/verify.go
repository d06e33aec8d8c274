package endpoint

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

// probeTimeout is how long the response to a check may take.
const probeTimeout = 4 * time.Second

// check is one check whether the service responds.
type check struct {
	done   chan struct{} // closed when sentAt and err are set
	sentAt time.Time
	err    error
}

// isDone reports whether the check is over.
func (q *check) isDone() bool {
	select {
	case <-q.done:
		return true
	default:
		return false
	}
}

// Verify checks whether the service responds: it requests a page of one margin record, and waits for the response. All
// callers share the result of a request that was sent at since or later. Verify returns when the request was sent. Any
// status below 500 shows that the service works. Where the error is a *PostponedError, no request could be sent.
func (p *Pool) Verify(ctx context.Context, address string, since time.Time) (sentAt time.Time, err error) {
	a := p.find(address)
	if a == nil {
		return time.Time{}, fmt.Errorf("no address %q is configured", address)
	}
	if now := p.config.Clock.Now(); since.After(now) {
		since = now
	}
	for {
		q, joined := p.startOrJoinCheck(a, since)
		select {
		case <-q.done:
		case <-ctx.Done():
			return time.Time{}, context.Cause(ctx)
		}
		if OutcomeOf(q.err) == Postponed || q.err == ErrClosed {
			return time.Time{}, q.err
		}
		if !joined || !q.sentAt.Before(since) {
			return q.sentAt, q.err
		}
	}
}

// startOrJoinCheck returns the check that is under way, or the last one where it is new enough, or begins one.
func (p *Pool) startOrJoinCheck(a *address, since time.Time) (q *check, joined bool) {
	p.mu.Lock()
	q = a.check
	if q != nil && (!q.isDone() || !q.sentAt.Before(since)) {
		p.mu.Unlock()
		return q, true
	}
	q = &check{done: make(chan struct{})}
	a.check = q
	p.mu.Unlock()
	if !p.spawn(func(ctx context.Context) {
		defer close(q.done)
		q.sentAt, q.err = p.probe(ctx, a)
	}) {
		q.err = ErrClosed
		close(q.done)
	}
	return q, false
}

// probe sends one request. The time is zero where none was sent.
func (p *Pool) probe(ctx context.Context, a *address) (time.Time, error) {
	if err := p.pacer.wait(ctx, Probe); err != nil {
		return time.Time{}, ErrClosed
	}
	p.mu.Lock()
	r, postponed := p.tryPageAt(a, Probe)
	p.mu.Unlock()
	if postponed != nil {
		return time.Time{}, postponed
	}
	_, err := r.send(ctx, url.Values{"pagination.first": {"1"}}, probeTimeout)
	switch OutcomeOf(err) {
	case Postponed:
		return time.Time{}, err
	case Cancelled:
		return time.Time{}, ErrClosed
	case Denied, BadRequest, Refused, Limited:
		return r.at, nil // the service refused the request, but it works
	}
	return r.at, err
}
