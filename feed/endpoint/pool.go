package endpoint

import (
	"context"
	"net/url"
	"sync"
	"time"
)

// Pool has the addresses of one service. Its methods may be called by any goroutine.
type Pool struct {
	config Config
	client *client

	ctx   context.Context
	stop  context.CancelFunc
	tasks sync.WaitGroup

	nextPage chan struct{} // holds one token: for the background page that is requested next

	mu        sync.Mutex // guards what follows, and all that addresses and leases have
	closing   bool
	addresses []*address
	current   int  // the address that is used, or is tried next
	followed  bool // a stream was requested: streams decide which address is current
	pacer     pacer
	changed   chan struct{} // closed and replaced if waiting may be over
}

// address is the state of one base address.
type address struct {
	base *url.URL
	name string // base as text

	active, standby, pages breaker
	dials                  dialBudget
	contentless            *allowance // of connections for pages

	reopenings   []time.Time // when streams that a proxy has closed are opened again, in order
	reopenedAt   time.Time   // when the last of them was
	opening      int         // streams that are being opened
	established  int         // active streams whose response has begun
	extraAuditAt time.Time   // when the last audit began that did not count in the budget of dials
	auditedAt    time.Time   // when a standby stream last began with a message
	underWay     int         // requests for pages
	unanswered   int         // of those, begun since the last response

	newest             Node // the response that named the newest block
	ages               blockAges
	serviceClock       serviceClock
	check, streamCheck *check // the last ones
}

// New checks the configuration. It sends no request.
func New(config Config) (*Pool, error) {
	config, bases, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	config.hideHeaders()
	p := &Pool{config: config, nextPage: make(chan struct{}, 1), changed: make(chan struct{})}
	for _, base := range bases {
		p.addresses = append(p.addresses, &address{base: base, name: base.String(), contentless: newAllowance(&config)})
	}
	p.client = newClient(&p.config, bases)
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p, nil
}

// Close ends all requests and streams, and waits for the goroutines of the pool.
func (p *Pool) Close() {
	p.update(func() { p.closing = true })
	p.stop()
	p.tasks.Wait()
	p.client.close()
}

// Retry is a retry by hand: every backoff ends now. A time that the service named is ignored once a minute. The limit
// of six dials a minute stays.
func (p *Pool) Retry() {
	p.update(func() {
		now := time.Now()
		for _, a := range p.addresses {
			for _, b := range []*breaker{&a.active, &a.standby, &a.pages} {
				b.endBackoff(now)
			}
		}
	})
}

// find returns the address of this name; nil if none has it.
func (p *Pool) find(name string) *address {
	for _, a := range p.addresses {
		if a.name == name {
			return a
		}
	}
	return nil
}

func (a *address) breaker(kind Kind) *breaker {
	switch kind {
	case Active:
		return &a.active
	case Standby:
		return &a.standby
	}
	return &a.pages
}

// advanceFrom makes the next address the current one, if this one was.
func (p *Pool) advanceFrom(failed *address) {
	if p.addresses[p.current] == failed {
		p.current = (p.current + 1) % len(p.addresses)
	}
}

// update changes the state under the lock, and wakes all who wait; of those who wait for the pacer, only the first.
func (p *Pool) update(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	close(p.changed)
	p.changed = make(chan struct{})
	p.pacer.wakeFirst(time.Now())
}

// spawn runs a task that ends when the pool is closed. It reports false if the pool is closed already.
func (p *Pool) spawn(task func(ctx context.Context)) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return false
	}
	p.tasks.Go(func() {
		defer p.config.Guard()
		task(p.ctx)
	})
	return true
}
