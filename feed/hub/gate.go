package hub

import (
	"context"
	"slices"
	"sync"
)

// rank is how soon a list is read.
type rank int

const (
	first rank = iota // it was not read yet, or it is hurried
	usual
)

// gate lets a few in at a time. Of those that wait, one of the first rank and the one that has waited longest come in
// turns, so that all come at last.
type gate struct {
	mu      sync.Mutex
	free    int
	waiting []*waiter // the one that has waited longest first
	isTurn  bool      // of the first rank
}

// waiter waits for a gate.
type waiter struct {
	rank rank
	in   chan struct{} // is closed when it may come in
}

func newGate(room int) *gate { return &gate{free: room} }

// enter waits until there is room, and reports true. Then leave must be called. It reports false if something else is
// closed before. The error is that of ctx, if it ends before.
func (g *gate) enter(ctx context.Context, rank rank, instead <-chan struct{}) (isIn bool, err error) {
	w := &waiter{rank, make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	g.letIn()
	g.mu.Unlock()
	select {
	case <-w.in:
		return true, nil
	case <-instead:
		g.giveUp(w)
		return false, nil
	case <-ctx.Done():
		g.giveUp(w)
		return false, ctx.Err()
	}
}

// giveUp ends the wait of one that does not want to come in any more.
func (g *gate) giveUp(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.in: // it was let in meanwhile
		g.free++
		g.letIn()
	default:
		g.waiting = slices.DeleteFunc(g.waiting, func(other *waiter) bool { return other == w })
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free++
	g.letIn()
}

// letIn lets in those that there is room for. The lock is held.
func (g *gate) letIn() {
	for ; g.free > 0 && len(g.waiting) > 0; g.free-- {
		at := 0
		if g.isTurn = !g.isTurn; g.isTurn {
			at = max(slices.IndexFunc(g.waiting, func(w *waiter) bool { return w.rank == first }), 0)
		}
		close(g.waiting[at].in)
		g.waiting = slices.Delete(g.waiting, at, at+1)
	}
}
