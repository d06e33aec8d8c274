// Package faulty has what a simulated service can do wrong, one fault at a time or all of them at random, for tests and
// for those who want to see what blotter does then.
package faulty

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"blotter/feed/sim"
)

// Chaos injects one fault of the table in faults.go after another into a service, in an order and at times that its
// seed decides. It is the Faults of a sim.Config.
type Chaos struct {
	random *rand.Rand
	log    *slog.Logger
	node   *sim.Node

	mu    sync.Mutex
	stop  context.CancelFunc // nil before Run
	ended chan struct{}
}

// New returns the faults of a seed for one service. The log receives a line for each fault; nil discards.
func New(seed uint64, log *slog.Logger) *Chaos {
	return &Chaos{random: rand.New(rand.NewPCG(seed, 0x6368616f73)), log: cmp.Or(log, slog.New(slog.DiscardHandler))}
}

// span is a range of durations.
type span struct{ least, most time.Duration }

func seconds(least, most int) span {
	return span{time.Duration(least) * time.Second, time.Duration(most) * time.Second}
}

// atOnce is how long a fault lasts that is over when it has begun.
var atOnce = span{}

// healthy is how long the service has no fault between two faults. Each fault occurs within about ten minutes.
var healthy = seconds(2, 4)

// Run injects faults until the context ends or Stop is called. Each occurs once before any occurs again.
func (c *Chaos) Run(ctx context.Context, node *sim.Node) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c.mu.Lock()
	c.node, c.stop, c.ended = node, stop, make(chan struct{})
	c.mu.Unlock()
	defer close(c.ended)
	for {
		for _, i := range c.random.Perm(len(faults)) {
			if !sleep(ctx, c.within(healthy)) {
				return
			}
			c.inject(ctx, faults[i])
		}
	}
}

// Stop ends Run: the current fault ends at once, and no other follows. The service has no fault when it returns.
func (c *Chaos) Stop() {
	c.mu.Lock()
	stop, ended := c.stop, c.ended
	c.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}

// inject injects one fault, and ends it before it returns.
func (c *Chaos) inject(ctx context.Context, f fault) {
	c.log.InfoContext(ctx, "fault", "kind", f.name)
	f.begin(c)
	if f.lasts != atOnce {
		sleep(ctx, c.within(f.lasts)) // the fault ends either way
	}
	c.node.Heal(f.cuts)
}

// sleep waits, and reports whether the context has not ended before.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// within returns a random duration of the range.
func (c *Chaos) within(s span) time.Duration {
	return s.least + time.Duration(c.random.Int64N(int64(s.most-s.least)))
}

// update returns a correct message of updates, without its newline.
func (c *Chaos) update() []byte {
	text := c.node.Message(c.node.Some(c.random)...)
	return text[:len(text)-1]
}

func (c *Chaos) halfUpdate() []byte {
	text := c.update()
	return text[:1+c.random.IntN(len(text)-1)]
}

// token returns the Authorization value that came last.
func (c *Chaos) token() string {
	for _, request := range slices.Backward(c.node.Requests()) {
		if token := request.Header.Get("Authorization"); token != "" {
			return token
		}
	}
	return "none"
}
