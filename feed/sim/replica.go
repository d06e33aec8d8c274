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

	hung chan struct{} // closed when it no longer hangs; nil if it does not

	// stored is what its snapshots show, which is behind; nil if they show its positions.
	stored *replica

	// Of a replica that is not the first one:
	misses  time.Time // it misses changes until then
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

// blockTime returns the time that X-Block-Timestamp has now in a response of the replica. The caller holds the lock.
func (n *Node) blockTime(r *replica) time.Time {
	block := time.Now().Add(-n.script.lag)
	if state := r.blockTime(); state.Before(block) {
		block = state
	}
	return block.Add(n.script.ahead)
}

// change applies the change, now in the main replica and later in those that are behind.
func (b *backends) change(c change) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	b.apply(c)
}

// apply is change for a caller that holds the lock.
func (b *backends) apply(c change) {
	b.applyTo(b.main, c)
	for _, late := range b.late {
		if !time.Now().Before(late.misses) {
			b.applyLater(late, c)
		}
	}
}

// applyTo applies the change to the replica now, and to its snapshots when they show it.
func (b *backends) applyTo(r *replica, c change) {
	r.apply(c)
	if r.stored != nil && !c.unstored {
		b.applyLater(r.stored, c)
	}
}

// applyLater applies the change when it is as old as the replica is behind.
func (b *backends) applyLater(r *replica, c change) {
	if r.behind == 0 {
		b.applyTo(r, c)
		return
	}
	r.pending = append(r.pending, pendingChange{c, time.Now().Add(r.behind)})
	time.AfterFunc(r.behind, func() {
		b.open.lock.Lock()
		defer b.open.lock.Unlock()
		b.applyDue(r, time.Now())
	})
}

func (b *backends) applyDue(r *replica, now time.Time) {
	for len(r.pending) > 0 && !r.pending[0].due.After(now) {
		b.applyTo(r, r.pending[0].change)
		r.pending = r.pending[1:]
	}
}
