package feed

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"blotter/model"
)

// How many connections may be opened.
const (
	dialsAtOnce    = 10 // to an address that is healthy
	dialsPerMinute = 6  // to an address that fails or was never tried, audits, pages and tries by hand included
)

// How long the first stream to an address must stay before others may follow: where nothing has failed so far,
// and after a failure. Each stream that breaks doubles the latter.
const (
	freshProbation = 100 * time.Millisecond
	firstProbation = time.Second
)

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
	failures  int            // in a row
	drops     int            // of those, streams that opened before they broke
	failedAt  time.Time      // the last of them
	problem   *model.Problem // what the last of them was
	notBefore time.Time      // the next try
	banned    bool           // the service named notBefore
	dials     []time.Time    // by one for all: the latest, no more than dialsPerMinute
	opening   int            // connections being opened
	streams   int            // that are connected
	proven    bool           // a stream has stood its probation since the last failure
	followed  bool           // some stream was asked for
	pages     pages
}

// pass is the permission to open one connection. It is given back by over, by refused or by failed.
type pass struct {
	*address
	owner    *addresses
	at       time.Time
	standing bool
	stands   time.Time // since when the connection is as good as it has to be
	answered bool      // the service spoke on it
	leads    bool      // tries an address for all
	opening  bool
}

// verdict says when a connection may be opened. Where it is now and none may, another is being opened.
type verdict struct {
	at      time.Time
	banned  bool
	attempt int
	base    *url.URL
	problem *model.Problem // what the last failure was
	proven  bool           // it is only for others that are being opened
}

func newAddresses(bases []*url.URL, times Times) *addresses {
	a := &addresses{times: times, changed: make(chan struct{})}
	for _, base := range bases {
		a.list = append(a.list, &address{base: base})
	}
	return a
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
	if serving.proven && serving.opening < dialsAtOnce {
		return serving.admit(a, now), verdict{}, nil
	}
	if serving.proven || a.trying {
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
		if soonest.base == nil || v.at.Before(soonest.at) {
			soonest = v
		}
	}
	return nil, soonest, a.changed
}

// verdict is when the address may be dialled by one for all.
func (a *address) verdict(now time.Time) verdict {
	v := verdict{base: a.base, problem: a.problem, proven: a.proven, attempt: a.failures + 1, banned: a.banned, at: a.notBefore}
	v.at = later(v.at, freeAt(a.spent(), dialsPerMinute))
	if v.at.Before(now) {
		v.at = now
	}
	return v
}

// admit gives a pass. An address that is proven is dialled as needed; another one by one for all.
func (a *address) admit(owner *addresses, now time.Time) *pass {
	a.opening++
	a.followed = true
	p := &pass{address: a, owner: owner, at: now, opening: true, leads: !a.proven}
	if p.leads {
		owner.trying = true
		if len(a.dials) == dialsPerMinute {
			a.dials = a.dials[1:]
		}
		a.dials = append(a.dials, now)
	}
	return p
}

// connected says that the request went out on a connection that stands. Where nothing has failed so far, that is
// good enough for a beginning: a service may have nothing to say.
func (p *pass) connected() {
	p.update(func() {
		p.settle()
		if !p.standing {
			p.standing = true
			p.address.streams++
		}
		if p.failures == 0 {
			p.stands = time.Now()
		}
	})
}

// opened says that the service answers.
func (p *pass) opened() {
	p.update(func() {
		p.settle()
		p.pages.forgive()
		p.answered = true
		if p.stands.IsZero() {
			p.stands = time.Now()
		}
	})
}

// prove takes note of how long the stream has stood, and since when nothing failed. It returns how long to wait
// before doing so again; zero when there is nothing to prove.
func (p *pass) prove() (again time.Duration) {
	p.update(func() {
		a, times, since := p.address, p.owner.times, p.stands
		if since.IsZero() {
			return
		}
		if a.failedAt.After(since) {
			since = a.failedAt
		}
		stayed := time.Since(since)
		probation := freshProbation
		if a.failures > 0 {
			probation = min(firstProbation<<min(a.drops, 10), times.HealthyAfter)
		}
		switch {
		case stayed >= times.HealthyAfter:
			a.failures, a.drops, a.problem = 0, 0, nil
			p.letOthers()
		case stayed >= probation:
			p.letOthers()
			again = times.HealthyAfter - stayed
		default:
			again = probation - stayed
		}
	})
	return again
}

// succeed says that the stream goes on in place of another, which was as good.
func (p *pass) succeed(first *pass) {
	p.update(func() {
		if p.address == first.address {
			p.stands = first.stands
		}
	})
}

// letOthers ends the time in which this connection alone tries the address. The failures are remembered.
func (p *pass) letOthers() {
	p.proven = true
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
func (p *pass) over() { p.update(p.end) }

// end takes the connection off the address.
func (p *pass) end() {
	p.settle()
	p.stopLeading()
	if p.standing {
		p.standing = false
		p.address.streams--
	}
}

// refused gives the pass back where the service said no. One that says no to what was asked for is there; one that
// says no to who asks, or where, says so to everybody, and the others had better take their time.
func (p *pass) refused(problem *model.Problem) {
	p.update(func() {
		p.end()
		switch {
		case problem.Status == http.StatusBadRequest && p.failures == 0:
			p.address.proven = true
		case !p.address.proven:
			p.address.problem = problem
		}
	})
}

// failed says that the connection could not be opened or broke, why, and how long the service asked to be left
// alone (0 where it did not).
func (p *pass) failed(problem *model.Problem, retryAfter time.Duration) {
	p.update(func() {
		p.end()
		a, now := p.address, time.Now()
		// Many connections that break at once are one failure.
		if a.failures == 0 || a.failedAt.Before(p.at) {
			a.failures++
			if p.answered {
				a.drops++
			}
			a.failedAt, a.problem, a.proven = now, problem, false
			a.notBefore = now.Add(backoff(p.owner.times.FirstBackoff, p.owner.times.MaxBackoff, a.failures))
			a.banned = false
			p.owner.turnFrom(a)
		}
		if until := now.Add(retryAfter); retryAfter > 0 && until.After(a.notBefore) {
			a.notBefore, a.banned, a.problem, a.proven = until, true, problem, false
		}
	})
}

func (p *pass) update(do func()) {
	p.owner.mu.Lock()
	defer p.owner.mu.Unlock()
	do()
	p.owner.wake()
}

// turnFrom has the next address tried, where this one was.
func (a *addresses) turnFrom(failed *address) {
	if a.list[a.current] == failed {
		a.current = (a.current + 1) % len(a.list)
	}
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
