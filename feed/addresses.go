package feed

import (
	"context"
	"net/url"
	"sync"
	"time"
)

// How many connections may be opened.
const (
	dialsAtOnce    = 10 // to an address that is healthy
	dialsPerMinute = 6  // to an address that fails, audits and tries by hand included
)

// firstProbation is how long the first stream after a failure must stay before others may follow.
const firstProbation = time.Second

// addresses decide when and where a connection may be opened. Where an address fails, one subscription
// tries it for all, ever more slowly; how slowly is forgotten when a stream has stayed healthy for long, not
// when one merely opened.
type addresses struct {
	times   Times
	mu      sync.Mutex
	list    []*address
	current int           // the address that serves, or is tried next
	trying  bool          // one subscription is trying for all
	changed chan struct{} // closed and replaced when waiting may be over
}

// address is what is known of one base address.
type address struct {
	base      *url.URL
	failures  int         // in a row
	drops     int         // of those, streams that opened before they broke
	failedAt  time.Time   // the last of them
	notBefore time.Time   // the next try
	banned    bool        // the service named notBefore
	dials     []time.Time // the latest, no more than dialsPerMinute
	opening   int         // connections being opened
	proven    bool        // a stream has stood its probation since the last failure
}

// pass is the permission to open one connection. It is given back by healthy, or by failed, or by over.
type pass struct {
	*address
	owner   *addresses
	at      time.Time
	leads   bool // tries a failing address for all
	opening bool
}

// verdict says when a connection may be opened. Where it is now and none may, another is being opened.
type verdict struct {
	at      time.Time
	banned  bool
	attempt int
	address *address
}

func newAddresses(bases []*url.URL, times Times) *addresses {
	a := &addresses{times: times, changed: make(chan struct{})}
	for _, base := range bases {
		a.list = append(a.list, &address{base: base})
	}
	return a
}

// serving is the address that requests for pages go to.
func (a *addresses) serving() *url.URL {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.list[a.current].base
}

// enter waits until a connection may be opened, and tells by waiting why it waits. It returns an error only when
// ctx ends.
func (a *addresses) enter(ctx context.Context, waiting func(verdict)) (*pass, error) {
	for {
		p, v, changed := a.ask()
		if p != nil {
			return p, nil
		}
		waiting(v)
		var timer <-chan time.Time
		if wait := time.Until(v.at); wait > 0 {
			timer = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timer:
		case <-changed:
		}
	}
}

// ask gives a pass, or says when to ask again. Addresses are tried in turn, from the one that served last.
func (a *addresses) ask() (*pass, verdict, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	serving := a.list[a.current]
	if serving.serves() && serving.opening < dialsAtOnce {
		return serving.admit(a, now), verdict{}, nil
	}
	if serving.serves() || a.trying {
		return nil, serving.verdict(now), a.changed
	}
	var soonest verdict
	for i := range a.list {
		at := (a.current + i) % len(a.list)
		v := a.list[at].verdict(now)
		if !v.at.After(now) {
			a.current = at
			return a.list[at].admit(a, now), v, nil
		}
		if soonest.address == nil || v.at.Before(soonest.at) {
			soonest = v
		}
	}
	return nil, soonest, a.changed
}

// serves tells whether the address is dialled as needed, or by one for all.
func (a *address) serves() bool { return a.failures == 0 || a.proven }

// verdict is when the address may be dialled by one for all.
func (a *address) verdict(now time.Time) verdict {
	v := verdict{address: a, attempt: a.failures + 1, banned: a.banned, at: a.notBefore}
	if len(a.dials) == dialsPerMinute && a.dials[0].Add(time.Minute).After(v.at) {
		v.at = a.dials[0].Add(time.Minute)
	}
	if v.at.Before(now) {
		v.at = now
	}
	return v
}

func (a *address) admit(owner *addresses, now time.Time) *pass {
	if len(a.dials) == dialsPerMinute {
		a.dials = a.dials[1:]
	}
	a.dials = append(a.dials, now)
	a.opening++
	p := &pass{address: a, owner: owner, at: now, opening: true, leads: !a.serves()}
	owner.trying = owner.trying || p.leads
	return p
}

// opened says that the connection stands and the service answers.
func (p *pass) opened() { p.update(p.settle) }

// proven says that the stream has stayed for so long since it was opened, and returns how long to wait before
// saying so again; zero when there is nothing left to prove.
func (p *pass) proven(stayed time.Duration) time.Duration {
	var again time.Duration
	p.update(func() {
		a := p.address
		probation := min(firstProbation<<min(a.drops, 10), p.owner.times.HealthyAfter)
		switch {
		case stayed >= p.owner.times.HealthyAfter:
			if a.failedAt.Before(p.at) {
				a.failures, a.drops = 0, 0
			}
			p.letOthers()
			return
		case stayed >= probation:
			p.letOthers()
			again = p.owner.times.HealthyAfter - stayed
		default:
			again = probation - stayed
		}
	})
	return again
}

// letOthers ends the time in which this connection alone tries the address. The failures are remembered.
func (p *pass) letOthers() {
	p.address.proven = true
	p.stopLeading()
}

func (p *pass) stopLeading() {
	if p.leads {
		p.leads, p.owner.trying = false, false
	}
}

// settle ends the opening of the connection.
func (p *pass) settle() {
	if p.opening {
		p.opening = false
		p.address.opening--
	}
}

// over gives the pass back where the connection is no longer wanted.
func (p *pass) over() {
	p.update(func() {
		p.settle()
		p.stopLeading()
	})
}

// failed says that the connection could not be opened or broke, and how long the service asked to be left alone
// (0 where it did not).
func (p *pass) failed(wasOpen bool, retryAfter time.Duration) {
	p.update(func() {
		p.settle()
		p.stopLeading()
		a, now := p.address, time.Now()
		a.proven = false
		// Many connections that break at once are one failure.
		if a.failures == 0 || a.failedAt.Before(p.at) {
			a.failures++
			if wasOpen {
				a.drops++
			}
			a.notBefore = now.Add(backoff(p.owner.times.FirstBackoff, p.owner.times.MaxBackoff, a.failures))
			a.banned = false
			p.owner.current = (p.owner.index(a) + 1) % len(p.owner.list)
		}
		a.failedAt = now
		if until := now.Add(retryAfter); retryAfter > 0 && until.After(a.notBefore) {
			a.notBefore, a.banned = until, true
		}
	})
}

func (p *pass) update(do func()) {
	p.owner.mu.Lock()
	defer p.owner.mu.Unlock()
	do()
	p.owner.wake()
}

func (a *addresses) index(of *address) int {
	for i, candidate := range a.list {
		if candidate == of {
			return i
		}
	}
	return 0
}

// wake has everybody ask again.
func (a *addresses) wake() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// hurry lets what waits for a backoff try now. A time that the service named stands.
func (a *addresses) hurry() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, address := range a.list {
		if !address.banned {
			address.notBefore = time.Time{}
		}
	}
	a.wake()
}
