package endpoint

import (
	"context"
	"time"
)

// Inspection sends requests to one address, to find what is wrong with it: it does not wait for a backoff and does not
// use another address. The limit of dials and a time that the service named still count.
type Inspection struct {
	pool    *Pool
	address *address
}

// Inspections returns one Inspection for each address, in the order of the configuration. No request is sent yet.
func (p *Pool) Inspections() []Inspection {
	all := make([]Inspection, len(p.addresses))
	for i, a := range p.addresses {
		all[i] = Inspection{p, a}
	}
	return all
}

// Address returns the base address.
func (i Inspection) Address() string { return i.address.name }

// IsEncrypted reports whether requests to the address use TLS.
func (i Inspection) IsEncrypted() bool { return i.address.base.Scheme == "https" }

// IsLocal reports whether the address is on this machine.
func (i Inspection) IsLocal() bool { return isLoopback(i.address.base.Hostname()) }

// ClockOffset returns the service's clock minus this machine's, by the responses so far, and false if none had a time.
func (i Inspection) ClockOffset() (time.Duration, bool) {
	i.pool.mu.Lock()
	defer i.pool.mu.Unlock()
	return i.address.serviceClock.offset(), i.address.serviceClock.known
}

// SendsToken reports whether a token is sent.
func (i Inspection) SendsToken() bool { return i.pool.config.Token != nil }

// HasCertificate reports whether there is a certificate to show to a service that requires one.
func (i Inspection) HasCertificate() bool {
	return i.pool.config.TLS != nil && len(i.pool.config.TLS.Certificates) > 0
}

// Page requests a page of one margin record. An httptrace.ClientTrace of ctx is called for its connection. The error is
// a *PostponedError if no request may be sent.
func (i Inspection) Page(ctx context.Context) (*Page, error) {
	p, a := i.pool, i.address
	p.mu.Lock()
	b, now := &a.pages, time.Now()
	if b.byService && b.isOpen(now) {
		p.mu.Unlock()
		return nil, a.postponed(b.cause, b.openUntil, true)
	}
	r := p.newPageLease(a, UserPage, now)
	p.mu.Unlock()
	return r.send(ctx, p.client.pages, PageQuery{Size: 1}.query(), p.config.Times.Page)
}

// Lease gives a lease for a stream. It waits while ten are being opened, and if the limit of dials allows no other
// while streams are open that may still show that the address works. The error is a *PostponedError if no stream may be
// opened now for another reason, or the cause of the end of ctx.
func (i Inspection) Lease(ctx context.Context) (*Lease, error) {
	for {
		lease, until, changed, err := i.tryLease()
		if lease != nil || err != nil {
			return lease, err
		}
		if err := Pause(ctx, until, changed); err != nil {
			return nil, err
		}
	}
}

// tryLease returns a lease or why there is none; if neither, until when to wait at most, zero if that is not known, and
// a channel that is closed when to try again.
func (i Inspection) tryLease() (lease *Lease, until time.Time, changed <-chan struct{}, err error) {
	p, a := i.pool, i.address
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	works := a.active.closed || a.pages.closed && a.pages.failures == 0 && a.active.cause == nil
	free := a.dials.freeAt(now, Active, dialsPerMinute)
	switch {
	case a.active.byService && a.active.isOpen(now):
		return nil, time.Time{}, nil, a.postponed(a.active.cause, a.active.openUntil, true)
	case a.opening >= DialsAtOnce:
		return nil, time.Time{}, p.changed, nil
	case works || !free.After(now):
		return p.admit(a, Active, now), time.Time{}, nil, nil
	case a.active.trial != nil || a.established > 0:
		return nil, free, p.changed, nil
	}
	return nil, time.Time{}, nil, a.postponed(a.active.cause, free, false)
}
