package sim

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"blotter/feed/sim/market"
)

// chaos injects one fault of the table in faults.go after another into a node, in an order and at times that its seed
// decides.
type chaos struct {
	node   *Node
	random *rand.Rand
	stop   context.CancelFunc
	ended  chan struct{}
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

func newChaos(n *Node) *chaos {
	return &chaos{node: n, random: rand.New(rand.NewPCG(n.config.Chaos, 0x6368616f73)), ended: make(chan struct{})}
}

// run injects faults until the context ends. Each occurs once before any occurs again.
func (c *chaos) run(ctx context.Context) {
	for {
		for _, i := range c.random.Perm(len(faults)) {
			if sleep(ctx, c.within(healthy)) != nil {
				return
			}
			c.inject(ctx, faults[i])
		}
	}
}

// inject injects one fault, and ends it before it returns.
func (c *chaos) inject(ctx context.Context, f fault) {
	c.node.config.Log.InfoContext(ctx, "fault", "kind", f.name)
	f.begin(c)
	if f.lasts != atOnce {
		_ = sleep(ctx, c.within(f.lasts)) // the fault ends either way
	}
	c.node.heal(f.cuts)
}

// within returns a random duration of the range.
func (c *chaos) within(s span) time.Duration {
	return s.least + time.Duration(c.random.Int64N(int64(s.most-s.least)))
}

// some returns a few rows of the state, if there are any. The caller holds the node's lock.
func (c *chaos) some() []*market.Row {
	rows := c.node.main.positions.rows
	first := c.random.IntN(len(rows))
	few := slices.Clone(rows[first:min(len(rows), first+1+c.random.IntN(8))])
	return slices.DeleteFunc(few, func(r *market.Row) bool { return r == nil })
}

// update returns a correct message of updates, without its newline.
func (c *chaos) update() []byte {
	c.node.mu.Lock()
	defer c.node.mu.Unlock()
	text := appendUpdates(nil, c.some())
	return text[:len(text)-1]
}

// halfUpdate returns a message of updates that is cut at a random place.
func (c *chaos) halfUpdate() []byte {
	text := c.update()
	return text[:1+c.random.IntN(len(text)-1)]
}

// token returns the Authorization value that came last.
func (c *chaos) token() string {
	for _, request := range slices.Backward(c.node.Requests()) {
		if token := request.Header.Get("Authorization"); token != "" {
			return token
		}
	}
	return "none"
}

func (n *Node) startChaos(ctx context.Context, work *sync.WaitGroup) {
	c := newChaos(n)
	ctx, c.stop = context.WithCancel(ctx)
	n.mu.Lock()
	n.chaos = c
	n.mu.Unlock()
	work.Go(func() {
		defer close(c.ended)
		c.run(ctx)
	})
}

// StopChaos ends the chaos of Serve: the current fault ends at once, and no other follows. The service has no fault
// when it returns.
func (n *Node) StopChaos() {
	n.mu.Lock()
	running := n.chaos
	n.mu.Unlock()
	if running != nil {
		running.stop()
		<-running.ended
	}
}
