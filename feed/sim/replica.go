package sim

import (
	"slices"
	"time"

	"blotter/feed/sim/market"
)

// replica is the state of one node behind the service's address: its positions, its margin levels, and the streams that
// are subscribed to them. The lock of Node guards it.
type replica struct {
	positions   *positions
	margins     *marginList
	subscribers map[Key][]*stream // by party and market: an empty one means all

	// Of a replica that is behind the first one:
	behind  time.Duration
	since   time.Time       // it shows the state of that moment until behind has passed
	pending []pendingChange // what it does not show yet, oldest first
}

func newReplica(positions *positions, margins *marginList) *replica {
	return &replica{positions: positions, margins: margins, subscribers: map[Key][]*stream{}}
}

// change is what happens to a replica at one moment.
type change struct {
	market.Block
	removed []Key

	unsent   bool // the rows become the state, but are not sent to the streams
	unstored bool // the rows are sent to the streams, but the state stays
}

// apply applies the change, and sends it to the subscribers.
func (r *replica) apply(c change) {
	if !c.unstored {
		for _, row := range c.Rows {
			r.positions.put(row)
		}
	}
	for _, key := range c.removed {
		r.positions.remove(key)
	}
	for _, record := range c.Margins {
		r.margins.put(record)
	}
	for _, key := range c.RemovedMargins {
		r.margins.remove(key)
	}
	if !c.unsent && len(c.Rows) > 0 {
		r.publish(c.Rows)
	}
}

// subscribe makes the stream receive what changes from now on.
func (r *replica) subscribe(s *stream) {
	key := s.filter.key()
	r.subscribers[key] = append(r.subscribers[key], s)
}

// unsubscribe ends it, and reports whether the stream was subscribed.
func (r *replica) unsubscribe(s *stream) bool {
	key := s.filter.key()
	streams := r.subscribers[key]
	i := slices.Index(streams, s)
	if i < 0 {
		return false
	}
	if r.subscribers[key] = slices.Delete(streams, i, i+1); len(streams) == 1 {
		delete(r.subscribers, key)
	}
	return true
}

// publish passes a block of changed rows to the streams that subscribed to them. Each stream writes the rows itself,
// into a buffer that stays in the processor's cache: that is cheaper than bytes that are shared by all and wait in
// memory.
func (r *replica) publish(rows []*market.Row) {
	for key, rows := range r.group(rows) {
		for _, s := range r.subscribers[key] {
			s.push(command{kind: sendRows, rows: s.withoutLost(rows)})
		}
	}
}

// group returns the rows for the subscribers of each key.
func (r *replica) group(rows []*market.Row) map[Key][]*market.Row {
	groups := map[Key][]*market.Row{{}: rows}
	if _, all := r.subscribers[Key{}]; all && len(r.subscribers) == 1 {
		return groups // without looking up each row: see BenchmarkUpdates
	}
	for _, row := range rows {
		key := row.Key()
		for _, selected := range []Key{key, {Party: key.Party}, {Market: key.Market}} {
			if _, subscribed := r.subscribers[selected]; subscribed {
				groups[selected] = append(groups[selected], row)
			}
		}
	}
	return groups
}

type pendingChange struct {
	change
	due time.Time
}

// blockTime returns the time of the state that the replica shows now.
func (r *replica) blockTime() time.Time {
	now := time.Now()
	if r.behind == 0 {
		return now
	}
	if state := now.Add(-r.behind); state.After(r.since) {
		return state
	}
	return r.since
}

// reached returns the replica that a new request of one kind reaches: the first of its turns, which becomes the last,
// or the main one if there are no turns. The caller holds the lock.
func (n *Node) reached(turns *[]*replica) *replica {
	if len(*turns) == 0 {
		return n.main
	}
	first := (*turns)[0]
	*turns = append(slices.Clone((*turns)[1:]), first)
	return first
}

// StartReplicas puts several nodes behind the service's address, one for each of these lags; a lag of 0 is the node
// that is there already. Each request for a stream reaches the next one in turn, and so does each for a page: see
// Route. A node that is behind shows the state of this moment until that is as old as its lag, and then every change so
// much later. X-Block-Timestamp is that time. Streams that are open already stay with the first node, as do Positions
// and Margins. The changes that a node does not show yet are kept in memory.
func (n *Node) StartReplicas(behind ...time.Duration) {
	n.StopReplicas()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, lag := range behind {
		reached := n.main
		if lag > 0 {
			reached = newReplica(n.main.positions.clone(), n.main.margins.clone())
			reached.behind, reached.since = lag, time.Now()
			n.late = append(n.late, reached)
		}
		n.replicas = append(n.replicas, reached)
	}
	n.streamTurns, n.pageTurns = n.replicas, n.replicas
}

// Route decides which nodes of StartReplicas, counted from 0, requests for streams and those for pages reach from now
// on, in turn.
func (n *Node) Route(streams, pages []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.streamTurns, n.pageTurns = n.turns(streams), n.turns(pages)
}

func (n *Node) turns(indexes []int) (some []*replica) {
	for _, i := range indexes {
		some = append(some, n.replicas[i])
	}
	return some
}

// StopReplicas lets all nodes catch up at once: their streams are sent each change that they had not shown, and are
// from then on as current as the others.
func (n *Node) StopReplicas() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, late := range n.late {
		n.catchUp(late)
	}
	n.late, n.replicas, n.streamTurns, n.pageTurns = nil, nil, nil, nil
}

// catchUp applies what is pending to the replica, and moves its streams to the main one. The caller holds the lock.
func (n *Node) catchUp(late *replica) {
	late.applyDue(time.Now().Add(late.behind))
	for s := range n.streams {
		if s.replica != late {
			continue
		}
		subscribed := late.unsubscribe(s)
		if s.replica = n.main; subscribed {
			n.main.subscribe(s)
		}
	}
}

// blockTime returns the time that X-Block-Timestamp has now in a response of the replica. The caller holds the lock.
func (n *Node) blockTime(r *replica) time.Time {
	block := time.Now().Add(-n.script.lag)
	if state := r.blockTime(); state.Before(block) {
		block = state
	}
	return block.Add(n.script.ahead)
}

// change applies the change, now in the main replica and later in those that are behind.
func (n *Node) change(c change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.apply(c)
}

// apply is change for a caller that holds the lock.
func (n *Node) apply(c change) {
	n.main.apply(c)
	for _, late := range n.late {
		late.pending = append(late.pending, pendingChange{c, time.Now().Add(late.behind)})
		time.AfterFunc(late.behind, func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			late.applyDue(time.Now())
		})
	}
}

// applyDue applies the pending changes that are due.
func (r *replica) applyDue(now time.Time) {
	for len(r.pending) > 0 && !r.pending[0].due.After(now) {
		r.apply(r.pending[0].change)
		r.pending = r.pending[1:]
	}
}
