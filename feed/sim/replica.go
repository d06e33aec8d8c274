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
			s.push(command{kind: sendRows, rows: rows})
		}
	}
}

// group returns the rows for the subscribers of each key.
func (r *replica) group(rows []*market.Row) map[Key][]*market.Row {
	groups := map[Key][]*market.Row{}
	var byParty, byMarket, byBoth bool // a row is looked up only in ways that a stream uses
	for key := range r.subscribers {
		switch {
		case key == Key{}:
			groups[key] = rows
		case key.Market == "":
			byParty = true
		case key.Party == "":
			byMarket = true
		default:
			byBoth = true
		}
	}
	if !byParty && !byMarket && !byBoth {
		return groups
	}
	add := func(key Key, row *market.Row) {
		if _, subscribed := r.subscribers[key]; subscribed {
			groups[key] = append(groups[key], row)
		}
	}
	for _, row := range rows {
		key := row.Key()
		if byParty && key.Party != "" {
			add(Key{Party: key.Party}, row)
		}
		if byMarket && key.Market != "" {
			add(Key{Market: key.Market}, row)
		}
		if byBoth && key.Party != "" && key.Market != "" {
			add(key, row)
		}
	}
	return groups
}

// lateReplica is a replica that is behind the main one.
type lateReplica struct {
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

// blockTime returns the time of the state that it shows now.
func (late *lateReplica) blockTime() time.Time {
	if state := time.Now().Add(-late.behind); state.After(late.since) {
		return state
	}
	return late.since
}

// StartReplica adds a second node to the service's address, one that is behind. Streams and margin requests from now
// on reach it: it shows the state of this moment until that is as old as given, and then every change so much later.
// X-Block-Timestamp is that time. Streams that are open already stay with the first node, as do Positions and Margins.
// The changes that the second node does not show yet are kept in memory.
func (n *Node) StartReplica(behind time.Duration) {
	n.StopReplica()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.late = &lateReplica{
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
	late := n.late
	if late == nil {
		return
	}
	n.late = nil
	if late.timer != nil {
		late.timer.Stop()
	}
	for _, p := range late.pending {
		late.apply(p.change)
	}
	for s := range n.streams {
		if s.replica != late.replica {
			continue
		}
		subscribed := late.unsubscribe(s)
		if s.replica = n.main; subscribed {
			n.main.subscribe(s)
		}
	}
}

// reached returns the replica that a new request reaches. The caller holds the lock.
func (n *Node) reached() *replica {
	if n.late != nil {
		return n.late.replica
	}
	return n.main
}

// blockTime returns the time that X-Block-Timestamp has now.
func (n *Node) blockTime() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	block := time.Now().Add(-n.script.lag)
	if late := n.late; late != nil && late.blockTime().Before(block) {
		return late.blockTime()
	}
	return block
}

// change applies the change, now in the main replica and later in the one that is behind.
func (n *Node) change(c change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.apply(c)
}

// apply is change for a caller that holds the lock.
func (n *Node) apply(c change) {
	n.main.apply(c)
	late := n.late
	if late == nil {
		return
	}
	late.pending = append(late.pending, pendingChange{c, time.Now().Add(late.behind)})
	if late.timer == nil {
		late.timer = time.AfterFunc(late.behind, func() { n.applyDue(late) })
	}
}

// applyDue applies the changes of the late replica that are due.
func (n *Node) applyDue(late *lateReplica) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.late != late {
		return // StopReplica was called before
	}
	now := time.Now()
	for len(late.pending) > 0 && !late.pending[0].due.After(now) {
		late.apply(late.pending[0].change)
		late.pending = late.pending[1:]
	}
	if late.timer = nil; len(late.pending) > 0 {
		late.timer = time.AfterFunc(late.pending[0].due.Sub(now), func() { n.applyDue(late) })
	}
}
