package endpoint

import "time"

// TryStandby returns a lease for a second stream at an address of the pool if an active one is open. It never waits:
// the error is a *PostponedError if there is no lease now.
func (p *Pool) TryStandby(name string) (*Lease, error) { return p.tryStandby(name, false) }

// TryWhole returns what TryStandby does, for a stream of all positions. A service may refuse or not send that one
// alone, so its failures do not count, except for a limit. It tries the address although others got no message: each of
// them may have reached a node that hangs.
func (p *Pool) TryWhole(name string) (*Lease, error) {
	lease, err := p.tryStandby(name, true)
	if err == nil {
		lease.isWhole = true
	}
	return lease, err
}

// tryStandby returns a lease for TryStandby, or for TryWhole if isWhole is true.
func (p *Pool) tryStandby(name string, isWhole bool) (*Lease, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return nil, ErrClosed
	}
	a, now := p.find(name), time.Now()
	switch free := a.dials.freeAt(now, Standby, dialsShared); {
	case a.standby.isOpen(now) && !(isWhole && OutcomeOf(a.standby.cause) == NoResponse):
		return nil, a.postponed(a.standby.cause, a.standby.openUntil, a.standby.byService)
	case a.active.byService && a.active.isOpen(now), a.established == 0:
		until, byService := a.nextTrial(now)
		return nil, a.postponed(a.active.cause, until, byService)
	case !a.active.closed && free.After(now):
		return p.tryExtraAudit(a, now, free)
	case a.opening >= DialsAtOnce:
		return nil, a.postponed(nil, now.Add(openingRetry), false)
	}
	return p.admit(a, Standby, now), nil
}

// When an audit may begin although the budget of dials is spent.
const (
	extraAuditEvery = 10 * time.Second
	auditsWorkFor   = 20 * time.Second // after one has got a message: at any time
)

// AuditsWork reports whether an audit at an address has got a message in the last seconds, whatever else fails there.
func (p *Pool) AuditsWork(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.find(name)
	return a != nil && a.auditsWork(time.Now())
}

func (a *address) auditsWork(now time.Time) bool { return now.Sub(a.auditedAt) < auditsWorkFor }

// tryExtraAudit returns a lease for a standby stream although the budget is spent until free. A stream that is open
// again after a failure has missed what changed between its snapshot and its updates, and only an audit finds that.
// While audits work, one of several nodes may fail: the streams of the others are audited as before.
func (p *Pool) tryExtraAudit(a *address, now, free time.Time) (*Lease, error) {
	if a.auditsWork(now) {
		return p.newLease(a, Standby, now), nil
	}
	if !a.active.trial.isHealthy() {
		return nil, a.postponed(a.active.cause, free, false)
	}
	if next := a.extraAuditAt.Add(extraAuditEvery); next.After(now) {
		return nil, a.postponed(a.active.cause, earlier(next, free), false)
	}
	a.extraAuditAt = now
	return p.newLease(a, Standby, now), nil
}

// Promote makes the stream of a standby lease the active one, in place of the stream of another lease, which it
// releases. The stream must be healthy.
func (l *Lease) Promote(inPlaceOf *Lease) {
	l.pool.update(func() {
		l.kind, l.established = Active, true
		l.address.established++
		if l.address.active.trial == inPlaceOf {
			l.address.active.trial = l
		}
		l.prove(time.Now())
	})
	inPlaceOf.Release(nil)
}
