package endpoint

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Lease is the permission to open one stream at one address. It ends with Release.
type Lease struct {
	pool    *Pool
	address *address
	kind    Kind
	at      time.Time // when it was given

	// Guarded by the pool's lock.
	opening     bool
	established bool
	released    bool
	counted     bool      // its dial counts in the budget
	isWhole     bool      // a stream of all positions: only a limit that the service names counts, because others may work
	healthyFrom time.Time // when the stream was healthy that this one continues; zero if it continues none
	healthyAt   time.Time
	timer       *time.Timer // the end of the probation, then HealthyAfter
}

// Wait is why Acquire waits.
type Wait struct {
	Address   string
	Attempt   int       // which retry since a stream was healthy comes next, from 1; 0 if nothing has failed since
	Until     time.Time // when it comes; zero if another stream is trying the address now
	ByService bool      // the service named the time
	Cause     error     // what went wrong at Address before; nil if nothing did
}

// Acquire waits until an active stream may be opened; again is a stream that has ended without a failure, or nil. It
// skips the addresses for which refusedBy, which must not use the pool, returns true, and calls waiting whenever the
// reason to wait changes; both may be nil. It returns an error if refusedBy returns true for every address, and
// ErrClosed or the cause of the end of ctx.
func (p *Pool) Acquire(ctx context.Context, again *Reopening, refusedBy func(address string) bool, waiting func(Wait)) (*Lease, error) {
	var reported Wait
	for {
		lease, wait, changed, err := p.tryActive(refusedBy, again)
		if lease != nil || err != nil {
			return lease, err
		}
		if wait != reported && waiting != nil {
			reported = wait
			waiting(wait)
		}
		if err := Pause(ctx, wait.Until, changed); err != nil {
			return nil, err
		}
	}
}

// tryActive returns a lease, or why there is none and a channel that is closed when to try again. Addresses are tried
// in turn, from the current one.
func (p *Pool) tryActive(refusedBy func(address string) bool, again *Reopening) (*Lease, Wait, <-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return nil, Wait{}, nil, ErrClosed
	}
	p.followed = true
	now, moves := time.Now(), true
	var soonest *Wait
	for i := range p.addresses {
		at := (p.current + i) % len(p.addresses)
		a := p.addresses[at]
		if refusedBy != nil && refusedBy(a.name) { // others may still use it, so it stays the current address
			moves = false
			continue
		}
		wait := Wait{Address: a.name, Attempt: a.active.retries, Cause: a.active.cause}
		if a.active.closed {
			wait.Cause = nil
			if a.opening >= DialsAtOnce {
				return nil, wait, p.changed, nil
			}
			if wait.Until = again.waitsFor(a, now, p.config.Times.MaxBackoff); !wait.Until.IsZero() {
				return nil, wait, p.changed, nil
			}
			l := p.admit(a, Active, now)
			l.continues(again)
			return l, Wait{}, nil, nil
		}
		if a.active.trial != nil {
			return nil, wait, p.changed, nil
		}
		wait.Until, wait.ByService = a.nextTrial(now)
		if !wait.Until.After(now) {
			if moves {
				p.current = at
			}
			return p.admit(a, Active, now), Wait{}, nil, nil
		}
		if soonest == nil || wait.Until.Before(soonest.Until) {
			soonest = &wait
		}
	}
	if soonest == nil {
		return nil, Wait{}, nil, errRefusedEverywhere
	}
	return nil, *soonest, p.changed, nil
}

// nextTrial returns when an active stream may try the address, and whether the service named the time.
func (a *address) nextTrial(now time.Time) (time.Time, bool) {
	at, free := a.active.openUntil, a.dials.freeAt(now, Active, dialsPerMinute)
	if free.After(at) {
		return free, false
	}
	return at, a.active.byService
}

// newLease returns a lease whose dial does not count in the budget.
func (p *Pool) newLease(a *address, kind Kind, now time.Time) *Lease {
	a.opening++
	return &Lease{pool: p, address: a, kind: kind, at: now, opening: true}
}

// admit returns a lease. Its dial counts in the budget if the breaker is not closed.
func (p *Pool) admit(a *address, kind Kind, now time.Time) *Lease {
	l := p.newLease(a, kind, now)
	if l.counted = !a.active.closed; l.counted {
		a.dials.countDial(now, l.kind)
		if kind == Active {
			a.active.trial = l
		}
	}
	return l
}

// openingRetry is when to try again if ten streams are being opened.
const openingRetry = 100 * time.Millisecond

// Address returns the base address of the lease.
func (l *Lease) Address() string { return l.address.name }

// connected ends the opening of the connection.
func (l *Lease) connected() {
	l.pool.update(func() {
		if l.opening {
			l.opening = false
			l.address.opening--
		}
	})
}

// establish counts the stream as established: the service has responded.
func (l *Lease) establish() {
	l.connected()
	l.pool.update(func() {
		if l.kind == Active && !l.released {
			l.established = true
			l.address.established++
		}
		l.address.streamResponded()
	})
}

// streamResponded ends the backoff of pages after requests without a response: the service has just responded to a
// stream.
func (a *address) streamResponded() {
	if OutcomeOf(a.pages.cause).hasNoResponse() {
		a.pages.forget()
	}
}

// isHealthy reports whether the stream is open and has sent a message with content; false if l is nil. The lock is
// held.
func (l *Lease) isHealthy() bool { return l != nil && !l.released && !l.healthyAt.IsZero() }

// Healthy must be called when the first whole message with content has come. Then the probation of the stream begins.
// After it, other streams may be opened.
func (l *Lease) Healthy() {
	l.pool.update(func() {
		if l.released || !l.healthyAt.IsZero() {
			return
		}
		now := time.Now()
		l.healthyAt = cmp.Or(l.healthyFrom, now)
		l.address.streamResponded()
		if l.kind == Standby {
			l.address.standby.forget()
			l.address.auditedAt = now
			return
		}
		l.address.active.retries = 0
		l.prove(now)
	})
}

// prove closes the breaker after the probation, and forgets the failures after HealthyAfter, both without a failure in
// between. The lock is held.
func (l *Lease) prove(now time.Time) {
	b, times := &l.address.active, &l.pool.config.Times
	stayed := now.Sub(Later(l.healthyAt, b.failedAt))
	probation := b.probation(times)
	again := times.HealthyAfter - stayed
	switch {
	case b.isOpen(now):
		again = max(b.openUntil.Sub(now), probation-stayed)
	case stayed >= times.HealthyAfter:
		b.forget()
	case stayed >= probation:
		b.close()
	default:
		again = probation - stayed
	}
	if again > 0 {
		l.timer = time.AfterFunc(again, func() {
			l.pool.update(func() {
				if !l.released {
					l.prove(time.Now())
				}
			})
		})
	}
}

// Release ends the lease. A nil err means that the stream is no longer needed; any other is why it could not be opened
// or why it broke. This is the only place where failures of streams are counted.
func (l *Lease) Release(err error) {
	l.connected()
	p, a := l.pool, l.address
	err = p.publicError(a.name, err)
	p.update(func() {
		if l.released {
			return
		}
		l.released = true
		if l.timer != nil {
			l.timer.Stop()
		}
		if a.active.trial == l {
			a.active.trial = nil
		}
		if l.established {
			a.established--
		}
		before, outcome := a.active.failures, OutcomeOf(err)
		if l.isWhole && outcome != Limited {
			outcome = Cancelled
		}
		p.count(a, l.kind, l.at, outcome, err)
		switch {
		case outcome == NotListening:
			if l.counted {
				a.dials.giveBack(l.kind)
			}
		case a.active.failures == before:
		case !l.healthyAt.IsZero():
			a.active.drops++
		case !l.counted && !l.established:
			a.dials.countDial(time.Now(), Active) // it was not known that the address fails
		}
	})
}

// count counts the failure of a request that began at a time. The lock is held.
func (p *Pool) count(a *address, kind Kind, since time.Time, outcome Outcome, err error) {
	if !outcome.isFailure() {
		return
	}
	b, now := a.breaker(kind), time.Now()
	opened := b.fail(now, policy[kind][outcome], &p.config.Times, since, err)
	switch {
	case kind == Active && outcome == BadRequest && b.failures == 0 && !b.isOpen(now):
		b.close() // the service works; it refused only this request
	case kind == Standby:
		a.active.hold(now, err)
	}
	// If there are streams, they decide which address is current.
	if opened && kind == Active || !p.followed && policy[kind][outcome].advances {
		p.advanceFrom(a)
	}
}

// retryAfterOf returns the time until the next request that the service named; 0 if it named none.
func retryAfterOf(err error) time.Duration {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.RetryAfter
	}
	return 0
}
