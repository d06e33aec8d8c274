package endpoint

import (
	"context"
	"errors"
	"net/url"
	"time"

	"blotter/model"
)

// How long the response to a check may take.
const (
	probeTimeout = 4 * time.Second
	// StreamProbeTimeout is that of a check by a stream.
	StreamProbeTimeout = 15 * time.Second
)

// check is one check whether the service responds.
type check struct {
	done     chan struct{} // closed when it is not under way
	underWay bool          // guarded by the lock of Pool
	sentAt   time.Time     // set, as err, while it is under way
	err      error
}

// Verify checks whether an address of the pool responds: it requests a page of one margin record, and waits for the
// response. All callers share the result of a request that was sent at since or later. Verify returns when the request
// was sent. A status below 500 shows that the service works, except for 408, 429 and a 403 that names a time: what
// limits requests may stand before it. If the error is a *PostponedError, no request could be sent.
func (p *Pool) Verify(ctx context.Context, address string, since time.Time) (sentAt time.Time, err error) {
	a := p.find(address)
	return p.verify(ctx, &a.check, since, func(ctx context.Context) (time.Time, error) { return p.probe(ctx, a) })
}

// VerifyByStream does what Verify does, but opens a second stream and closes it when the response has begun: streams
// can be opened while requests for pages are limited.
func (p *Pool) VerifyByStream(ctx context.Context, address string, key model.Key, since time.Time) (sentAt time.Time, err error) {
	a := p.find(address)
	return p.verify(ctx, &a.streamCheck, since, func(ctx context.Context) (time.Time, error) { return p.probeStream(ctx, a, key) })
}

// verify shares the result of a check that was sent at since or later, or sends one.
func (p *Pool) verify(ctx context.Context, last **check, since time.Time,
	send func(context.Context) (time.Time, error)) (time.Time, error) {
	for {
		p.mu.Lock()
		c := *last
		isNew := c == nil || !c.underWay && c.sentAt.Before(since)
		if isNew {
			c = &check{done: make(chan struct{}), underWay: true}
			*last = c
		}
		p.mu.Unlock()
		if isNew && !p.spawn(func(ctx context.Context) {
			defer close(c.done)
			c.sentAt, c.err = send(ctx)
			p.update(func() { c.underWay = false })
		}) {
			c.err = ErrClosed
			close(c.done)
		}
		if err := Pause(ctx, time.Time{}, c.done); err != nil {
			return time.Time{}, err
		}
		if isNew || !c.sentAt.Before(since) || OutcomeOf(c.err) == Postponed || c.err == ErrClosed {
			return c.sentAt, c.err
		}
	}
}

// probe sends one request. The time is zero if none was sent.
func (p *Pool) probe(ctx context.Context, a *address) (time.Time, error) {
	if err := p.awaitPace(ctx, Probe); err != nil {
		return time.Time{}, ErrClosed
	}
	p.mu.Lock()
	r, postponed := p.tryPageAt(a, Probe)
	p.mu.Unlock()
	if postponed != nil {
		return time.Time{}, postponed
	}
	_, err := r.send(ctx, p.client.pages, url.Values{"pagination.first": {"1"}}, probeTimeout)
	switch OutcomeOf(err) {
	case Postponed:
		return time.Time{}, err
	case Cancelled:
		return time.Time{}, ErrClosed
	case Denied, BadRequest, Refused:
		return r.at, nil // the service refused the request, but it works
	}
	return r.at, err
}

// probeStream opens a second stream until its response begins. The time is zero if no request was sent.
func (p *Pool) probeStream(ctx context.Context, a *address, key model.Key) (time.Time, error) {
	lease, err := p.TryStandby(a.name)
	if err != nil {
		return time.Time{}, err
	}
	sentAt := time.Now()
	ctx, cancel := context.WithTimeout(ctx, StreamProbeTimeout)
	defer cancel()
	stream, err := lease.Open(ctx, key)
	if err == nil {
		stream.Close()
	}
	lease.Release(err)
	if p.ctx.Err() != nil {
		return time.Time{}, ErrClosed
	}
	return sentAt, err
}

// IsLimit reports whether a request was not sent or was refused because the service limits requests, as it has said.
func IsLimit(err error) bool {
	if postponed, ok := errors.AsType[*PostponedError](err); ok {
		return postponed.ByService || OutcomeOf(postponed.Cause) == Limited
	}
	return OutcomeOf(err) == Limited || retryAfterOf(err) > 0
}
