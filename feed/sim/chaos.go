package sim

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"
)

// chaos strikes a node with one fault after another, in an order and at times
// that its seed decides.
type chaos struct {
	node   *Node
	random *rand.Rand
	log    *slog.Logger
}

// fault is one way to fail. It lasts no longer than its strike, and leaves
// nothing behind: the service is well again when it returns.
type fault struct {
	name   string
	strike func(*chaos, context.Context)
}

// Between two faults the service is well for so long. All faults come up
// within a few minutes.
const (
	shortestPeace = 4 * time.Second
	longestPeace  = 16 * time.Second
)

func newChaos(n *Node) *chaos {
	log := n.config.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &chaos{n, rand.New(rand.NewPCG(n.config.Chaos, 0x6368616f73)), log}
}

// run strikes until the context ends. Each fault comes up once before any
// comes up again.
func (c *chaos) run(ctx context.Context) {
	for {
		for _, i := range c.random.Perm(len(faults)) {
			if sleep(ctx, c.span(shortestPeace, longestPeace)) != nil {
				return
			}
			c.log.InfoContext(ctx, "fault", "kind", faults[i].name)
			faults[i].strike(c, ctx)
		}
	}
}

// span returns a time between two others.
func (c *chaos) span(least, most time.Duration) time.Duration {
	return least + time.Duration(c.random.Int64N(int64(most-least)))
}

// wait lets a fault last, unless the context ends first.
func (c *chaos) wait(ctx context.Context, least, most time.Duration) {
	_ = sleep(ctx, c.span(least, most)) // the caller heals either way
}

// some returns a few rows of the truth, if there are any. The caller holds the
// node's lock.
func (c *chaos) some() []*row {
	rows := c.node.world.rows
	first := c.random.IntN(len(rows))
	few := slices.Clone(rows[first:min(len(rows), first+1+c.random.IntN(8))])
	return slices.DeleteFunc(few, func(r *row) bool { return r == nil })
}

// message is a true message of updates, without its newline.
func (c *chaos) message() []byte {
	c.node.mu.Lock()
	defer c.node.mu.Unlock()
	text := updatePage(nil, c.some())
	return text[:len(text)-1]
}

// half is a message that stops anywhere.
func (c *chaos) half() []byte {
	text := c.message()
	return text[:1+c.random.IntN(len(text)-1)]
}
