package endpoint

import (
	"cmp"
	"context"
	"net"
	"slices"
	"time"
)

// pageLease is the permission to request one page from an address. It ends with release.
type pageLease struct {
	pool    *Pool
	address *address
	kind    Kind
	at      time.Time // when it was given

	// Guarded by the pool's lock.
	responding bool   // the response has begun
	cancel     func() // ends the request; nil while a caller waits for the response
}

// acquirePage waits until a page may be requested. If an address is known to fail and no request may be sent to it now,
// it returns a *PostponedError at once; if that is not known yet, it waits for the request that is trying the address.
func (p *Pool) acquirePage(ctx context.Context, kind Kind, tried map[*address]bool) (*pageLease, error) {
	for {
		if kind != UserPage { // each time, so that the requests that wait here are not all sent at once
			if err := p.awaitPace(ctx, kind); err != nil {
				return nil, err
			}
		}
		r, changed, err := p.tryPage(kind, tried)
		if r != nil || err != nil {
			return r, err
		}
		if err := Pause(ctx, time.Time{}, changed); err != nil {
			return nil, err
		}
	}
}

// tryPage returns a lease, or a channel that is closed when to try again, or why no request may be sent. If there
// are streams, they decide which address is tried first.
func (p *Pool) tryPage(kind Kind, tried map[*address]bool) (*pageLease, <-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return nil, nil, ErrClosed
	}
	var soonest *PostponedError
	for i := range p.addresses {
		a := p.addresses[(p.current+i)%len(p.addresses)]
		if tried[a] {
			continue
		}
		r, postponed := p.tryPageAt(a, kind)
		switch {
		case r != nil:
			return r, nil, nil
		case postponed == nil:
			return nil, p.changed, nil
		case soonest == nil, postponed.Until.Before(soonest.Until):
			soonest = postponed
		}
		if p.followed && len(tried) == 0 {
			break
		}
	}
	if soonest == nil {
		return nil, nil, errRefusedEverywhere
	}
	return nil, nil, soonest
}

// tryPageAt returns a lease for an address, or why there is none; neither if the caller must wait. The lock is held.
func (p *Pool) tryPageAt(a *address, kind Kind) (*pageLease, *PostponedError) {
	now, b, probes := time.Now(), &a.pages, kind == Probe
	streams := a.streamFailure()
	known := cmp.Or(b.cause, streams)
	// One request tries an address that is not known to work, and the others wait for its outcome.
	busy := a.underWay > 0 && (known != nil || !b.closed && !a.active.closed)
	switch {
	case b.isOpen(now) && (b.byService || OutcomeOf(b.cause) == Limited || !probes):
		return nil, a.postponed(b.cause, b.openUntil, b.byService)
	case probes:
	case busy && b.cause != nil:
		return nil, a.postponed(b.cause, time.Time{}, false)
	case busy, a.unanswered >= p.pageShare():
		return nil, nil
	}
	return p.newPageLease(a, kind, now), nil
}

// newPageLease returns a lease for an address. The lock is held.
func (p *Pool) newPageLease(a *address, kind Kind, now time.Time) *pageLease {
	a.underWay++
	a.unanswered++
	return &pageLease{pool: p, address: a, kind: kind, at: now}
}

// streamFailure is why streams cannot be opened; nil if they can, or none was tried.
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

// limited dials for a page only if the budget allows it; the dials of streams are counted with their leases. It makes
// connections fail that bring much without content. For a page, that failure is counted here: there may be no request
// under way on the connection.
func limited(config *Config, dial dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		r, isPage := ctx.Value(pageLeaseKey{}).(*pageLease)
		if isPage {
			if err := r.countDial(); err != nil {
				return nil, err
			}
		}
		conn, err := dial(ctx, network, address)
		switch {
		case err != nil:
			return nil, err
		case isPage:
			return &countedConn{conn, r.address.contentless, r.countContentless}, nil
		}
		return &countedConn{conn, newAllowance(config), func() {}}, nil
	}
}

// countContentless counts a connection for pages that brought too much without content as a failure.
func (r *pageLease) countContentless() {
	p, err := r.pool, r.pool.publicError(r.address.name, errContentless)
	p.update(func() { p.count(r.address, r.kind, time.Now(), NoResponse, err) })
}

// countDial counts a dial for a page; the error is why none is allowed. If no stream is open because no request
// gets a response, only streams try the address, and no dial is spent on a page.
func (r *pageLease) countDial() error {
	p, a := r.pool, r.address
	p.mu.Lock()
	defer p.mu.Unlock()
	now, streams := time.Now(), a.streamFailure()
	lost := streams != nil && a.established == 0
	if lost && OutcomeOf(streams).hasNoResponse() {
		until, byService := a.nextTrial(now)
		return a.postponed(streams, until, byService)
	}
	known, share := cmp.Or(a.pages.cause, streams), dialsPerMinute
	if lost || a.pages.cause != nil {
		share = p.pageShare()
	}
	if at := a.dials.freeAt(now, UserPage, share); known != nil && at.After(now) {
		a.dials.reserve(at)
		return a.postponed(known, at, false)
	}
	a.dials.countDial(now, UserPage)
	return nil
}

// mayDial reports whether the address does not fail, so that a page may open a connection that it does not need.
func (r *pageLease) mayDial() bool {
	r.pool.mu.Lock()
	defer r.pool.mu.Unlock()
	return r.address.pages.cause == nil && r.address.streamFailure() == nil
}

// responseBegan must be called when the response begins.
func (r *pageLease) responseBegan() {
	r.pool.update(func() {
		r.responding = true
		r.address.responseBegan()
		if r.cancel != nil {
			time.AfterFunc(readToEndFor, r.cancel)
		}
	})
}

// readToEndFor is how long a response that no caller waits for is read once it has begun: a short one is read to its
// end, so that its connection can be used again.
const readToEndFor = time.Second

// responseBegan records that a response has begun. If nothing is known to be wrong, other requests need not wait for
// its end.
func (a *address) responseBegan() {
	a.unanswered = 0
	if a.pages.cause == nil {
		a.pages.closed = true
	}
}

// abandon must be called when no caller waits for the response any longer.
func (r *pageLease) abandon(cancel func()) {
	r.pool.update(func() {
		r.cancel = cancel
		if r.responding {
			time.AfterFunc(readToEndFor, cancel)
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
		case outcome.hasNoResponse() && !r.responding:
			a.unanswered = 0
			if outcome == NotListening {
				a.dials.giveBack(UserPage)
			}
		case outcome == NoResponse: // the response ended too early
			outcome = Fault
		case outcome == Postponed, outcome == NoToken, outcome == Cancelled && !r.responding:
			a.unanswered = max(0, a.unanswered-1)
		default:
			a.responseBegan()
			if a.streamFailure() == nil {
				a.dials.forget(UserPage)
			}
		}
		if outcome == Succeeded {
			a.pages.forget()
			if !p.followed {
				p.current = slices.Index(p.addresses, a)
			}
		}
		p.count(a, r.kind, r.at, outcome, err)
	})
}
