package sim

import "time"

// replica is the state of one node behind the service's address: its positions, its margin levels, and who is
// subscribed to them. The node's lock guards it.
type replica struct {
	positions *world
	margins   *ledger
	audiences map[Key]*audience
}

func newReplica(positions *world, margins *ledger) *replica {
	return &replica{positions: positions, margins: margins, audiences: map[Key]*audience{}}
}

// change is what happens to a replica at one moment.
type change struct {
	rows           []*row
	margins        []*levels
	removed        []Key
	removedMargins []MarginKey

	untold bool // the rows become the state, and the streams are not told
	untrue bool // the streams are told of the rows, and the state stays
}

// apply makes the change, and sends it to the subscribed streams.
func (r *replica) apply(c change) {
	if !c.untrue {
		for _, row := range c.rows {
			r.positions.put(row)
		}
	}
	for _, key := range c.removed {
		r.positions.remove(key)
	}
	for _, record := range c.margins {
		r.margins.put(record)
	}
	for _, key := range c.removedMargins {
		r.margins.remove(key)
	}
	if !c.untold {
		r.tell(c.rows)
	}
}

// follower is a replica that is behind the main one.
type follower struct {
	*replica
	since   time.Time
	behind  time.Duration
	pending []pendingChange // oldest first
	timer   *time.Timer     // runs while there are pending changes
}

type pendingChange struct {
	change
	due time.Time
}

// shows returns the time of the state that the follower shows now.
func (f *follower) shows() time.Time {
	if state := time.Now().Add(-f.behind); state.After(f.since) {
		return state
	}
	return f.since
}

// StartReplica adds a second node to the service's address, one that is behind. Streams and margin requests from now
// on reach it: it shows the state of this moment until that is as old as given, and then every change so much later.
// X-Block-Timestamp says so. Streams that are open already stay with the first node, as do Positions and Margins.
// The changes that the second node does not show yet are kept in memory.
func (n *Node) StartReplica(behind time.Duration) {
	n.StopReplica()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.follower = &follower{
		replica: newReplica(n.main.positions.clone(), n.main.margins.clone()),
		since:   time.Now(),
		behind:  behind,
	}
}

// StopReplica lets the second node catch up at once: its streams are sent each change that it had not shown, and are
// from then on as current as the others.
func (n *Node) StopReplica() {
	n.mu.Lock()
	defer n.mu.Unlock()
	f := n.follower
	if f == nil {
		return
	}
	n.follower = nil
	if f.timer != nil {
		f.timer.Stop()
	}
	for _, p := range f.pending {
		f.apply(p.change)
	}
	for s := range n.streams {
		if s.replica != f.replica {
			continue
		}
		subscribed := f.unsubscribe(s)
		if s.replica = n.main; subscribed {
			n.main.subscribe(s)
		}
	}
}

// reached returns the replica that a new request reaches. The caller holds the lock.
func (n *Node) reached() *replica {
	if n.follower != nil {
		return n.follower.replica
	}
	return n.main
}

// apply makes the change, now in the main replica and later in the one that is behind. The caller holds the lock.
func (n *Node) apply(c change) {
	n.main.apply(c)
	f := n.follower
	if f == nil {
		return
	}
	f.pending = append(f.pending, pendingChange{c, time.Now().Add(f.behind)})
	if f.timer == nil {
		f.timer = time.AfterFunc(f.behind, func() { n.advance(f) })
	}
}

// advance makes the follower's changes that are due.
func (n *Node) advance(f *follower) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.follower != f {
		return // StopReplica was quicker
	}
	now := time.Now()
	for len(f.pending) > 0 && !f.pending[0].due.After(now) {
		f.apply(f.pending[0].change)
		f.pending = f.pending[1:]
	}
	if f.timer = nil; len(f.pending) > 0 {
		f.timer = time.AfterFunc(f.pending[0].due.Sub(now), func() { n.advance(f) })
	}
}
