package endpoint

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

// probeTimeout is how long the service may take to say that it is there.
const probeTimeout = 4 * time.Second

// inquiry is one question whether the service is there.
type inquiry struct {
	answered chan struct{} // closed when askedAt and err are there
	askedAt  time.Time
	err      error
}

// isAnswered reports whether the inquiry is over.
func (q *inquiry) isAnswered() bool {
	select {
	case <-q.answered:
		return true
	default:
		return false
	}
}

// Verify asks whether the service is there, and waits for the answer: it asks for a page of one margin record. All
// callers share the answer to a question that was sent at since or later. Verify returns when the question was sent.
// Any answer below 500 shows that the service is there. Where the error is a *NotAskedError, no question could be sent.
func (p *Pool) Verify(ctx context.Context, address string, since time.Time) (askedAt time.Time, err error) {
	a := p.find(address)
	if a == nil {
		return time.Time{}, fmt.Errorf("no address %q is configured", address)
	}
	if now := p.config.Clock.Now(); since.After(now) {
		since = now
	}
	for {
		q, joined := p.inquire(a, since)
		select {
		case <-q.answered:
		case <-ctx.Done():
			return time.Time{}, context.Cause(ctx)
		}
		if OutcomeOf(q.err) == NotAsked || q.err == ErrClosed {
			return time.Time{}, q.err
		}
		if !joined || !q.askedAt.Before(since) {
			return q.askedAt, q.err
		}
	}
}

// inquire returns the inquiry that is under way, or the last one where its answer serves, or begins one.
func (p *Pool) inquire(a *address, since time.Time) (q *inquiry, joined bool) {
	p.mu.Lock()
	q = a.inquiry
	if q != nil && (!q.isAnswered() || !q.askedAt.Before(since)) {
		p.mu.Unlock()
		return q, true
	}
	q = &inquiry{answered: make(chan struct{})}
	a.inquiry = q
	p.mu.Unlock()
	if !p.spawn(func(ctx context.Context) {
		defer close(q.answered)
		q.askedAt, q.err = p.probe(ctx, a)
	}) {
		q.err = ErrClosed
		close(q.answered)
	}
	return q, false
}

// probe asks once. The time is zero where nothing was sent.
func (p *Pool) probe(ctx context.Context, a *address) (time.Time, error) {
	if err := p.pacer.wait(ctx, Probe); err != nil {
		return time.Time{}, ErrClosed
	}
	p.mu.Lock()
	r, not := p.tryPageAt(a, Probe)
	p.mu.Unlock()
	if not != nil {
		return time.Time{}, not
	}
	_, err := r.ask(ctx, url.Values{"pagination.first": {"1"}}, probeTimeout)
	switch OutcomeOf(err) {
	case NotAsked:
		return time.Time{}, err
	case Cancelled:
		return time.Time{}, ErrClosed
	case Denied, BadRequest, Refused, Limited:
		return r.at, nil // it does not like the question, but it is there
	}
	return r.at, err
}
