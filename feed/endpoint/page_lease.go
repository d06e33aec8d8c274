package endpoint

import (
	"cmp"
	"context"
	"net"
	"time"
)

// pageLease is the permission to ask an address for one page. It ends with release.
type pageLease struct {
	pool    *Pool
	address *address
	kind    Kind
	at      time.Time

	// Guarded by the pool's lock.
	answering bool   // the service has begun to answer
	giveUp    func() // ends the request; nil while somebody waits for the answer
}

// enter waits until a page may be asked for. Where an address is known to fail and must not be asked now, it returns a
// *NotAskedError at once; where that is not known yet, it waits for the request that finds out.
func (p *Pool) enter(ctx context.Context, kind Kind, tried map[*address]bool) (*pageLease, error) {
	for {
		if kind != Asked { // each time, so that those that wait here do not leave together
			if err := p.pacer.wait(ctx, kind); err != nil {
				return nil, err
			}
		}
		r, changed, err := p.tryPage(kind, tried)
		if r != nil || err != nil {
			return r, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-changed:
		}
	}
}

// tryPage returns a lease, or a channel that is closed when to try again, or why no address may be asked. Where there
// are streams, they decide which address is asked first.
func (p *Pool) tryPage(kind Kind, tried map[*address]bool) (*pageLease, <-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return nil, nil, ErrClosed
	}
	var soonest *NotAskedError
	for i := range p.addresses {
		a := p.addresses[(p.current+i)%len(p.addresses)]
		if tried[a] {
			continue
		}
		r, not := p.tryPageAt(a, kind)
		switch {
		case r != nil:
			return r, nil, nil
		case not == nil:
			return nil, p.changed, nil
		case soonest == nil, not.Until.Before(soonest.Until):
			soonest = not
		}
		if p.followed && len(tried) == 0 {
			break
		}
	}
	if soonest == nil {
		return nil, nil, ErrRefusedEverywhere
	}
	return nil, nil, soonest
}

// tryPageAt returns a lease for an address, or why there is none; neither where the caller must wait. The lock is held.
func (p *Pool) tryPageAt(a *address, kind Kind) (*pageLease, *NotAskedError) {
	now, b, probes := p.config.Clock.Now(), &a.pages, kind == Probe
	streams := a.streamFailure()
	known := cmp.Or(b.cause, streams)
	// An address that is not known to work is asked by one request, and the others wait for its outcome.
	busy := a.underWay > 0 && (known != nil || !b.closed && !a.active.closed)
	switch {
	case b.isOpen(now) && (b.byService || b.outcome == Limited || !probes):
		return nil, a.notAsked(b.cause, b.openUntil, b.byService)
	case probes:
	case busy && b.cause != nil:
		return nil, a.notAsked(b.cause, time.Time{}, false)
	case busy, known == nil && a.unanswered >= p.pageShare():
		return nil, nil
	}
	a.underWay++
	a.unanswered++
	return &pageLease{pool: p, address: a, kind: kind, at: now}, nil
}

// streamFailure is why streams cannot be opened; nil where they can, or nobody has tried.
func (a *address) streamFailure() error {
	if a.active.closed {
		return nil
	}
	return a.active.cause
}

// pageShare is how many of the dials in a minute are for pages.
func (p *Pool) pageShare() int {
	if p.followed {
		return dialsShared
	}
	return dialsPerMinute
}

// pageLeaseKey is where the context of a request has its pageLease.
type pageLeaseKey struct{}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// withinBudget dials for a page only where the budget allows it. The dials of streams are counted with their leases.
func withinBudget(dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if r, ok := ctx.Value(pageLeaseKey{}).(*pageLease); ok {
			if err := r.countDial(); err != nil {
				return nil, err
			}
		}
		return dial(ctx, network, address)
	}
}

// countDial counts a dial for a page; the error says why there must be none. Where no stream stands because nobody
// answers, it is streams that try, and no dial of theirs is spent on a page.
func (r *pageLease) countDial() error {
	p, a := r.pool, r.address
	p.mu.Lock()
	defer p.mu.Unlock()
	now, streams := p.config.Clock.Now(), a.streamFailure()
	lost := streams != nil && a.standing == 0
	if lost && a.active.outcome == NoAnswer {
		until, byService := a.nextTrial(now)
		return a.notAsked(streams, until, byService)
	}
	known, share := cmp.Or(a.pages.cause, streams), dialsPerMinute
	if lost || a.pages.cause != nil {
		share = p.pageShare()
	}
	if at := a.budget.freeAt(now, pageUse, share); known != nil && at.After(now) {
		a.budget.owe(at)
		return a.notAsked(known, at, false)
	}
	a.budget.take(now, pageUse)
	return nil
}

// isAnswered must be called when the service begins to answer.
func (r *pageLease) isAnswered() {
	r.pool.update(func() {
		r.answering = true
		r.address.answerBegan()
		if r.giveUp != nil {
			time.AfterFunc(givenUpAfter, r.giveUp)
		}
	})
}

// givenUpAfter is how long an answer that nobody waits for may take once it has begun: a short one is read to its end,
// so that its connection can be used again.
const givenUpAfter = time.Second

// answerBegan records that an answer has begun. Where nothing is known to be wrong, other requests need not wait for its end.
func (a *address) answerBegan() {
	a.unanswered = 0
	if a.pages.cause == nil {
		a.pages.closed = true
	}
}

// leave must be called when nobody waits for the answer any longer.
func (r *pageLease) leave(giveUp func()) {
	r.pool.update(func() {
		r.giveUp = giveUp
		if r.answering {
			time.AfterFunc(givenUpAfter, giveUp)
		}
	})
}

// release ends the lease and counts the outcome of the request.
func (r *pageLease) release(err error) {
	p, a := r.pool, r.address
	p.update(func() {
		a.underWay--
		outcome := OutcomeOf(err)
		switch {
		case outcome == NoAnswer && !r.answering:
			a.unanswered = 0
		case outcome == NoAnswer: // it broke off
			outcome = Fault
		case outcome == NotAsked, outcome == NotSent, outcome == Cancelled && !r.answering:
			a.unanswered = max(0, a.unanswered-1)
		default:
			a.answerBegan()
			if a.streamFailure() == nil {
				a.budget.forget(pageUse)
			}
		}
		if outcome == Answered {
			a.pages.forget()
			if !p.followed {
				p.serve(a)
			}
		}
		p.count(a, r.kind, r.at, outcome, err)
	})
}

// serve makes an address the current one.
func (p *Pool) serve(served *address) {
	for i, a := range p.addresses {
		if a == served {
			p.current = i
		}
	}
}
