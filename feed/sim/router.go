package sim

import (
	"context"
	"math/rand/v2"
	"net"
	"slices"
	"time"
)

// router decides which node behind the service's address a request reaches. The lock of Node guards it.
type router struct {
	replicas               []*replica // those of StartReplicas
	streamTurns, pageTurns []*replica // which the next requests of each kind reach
	random                 *rand.Rand // chooses a node for each connection, in place of the turns; nil if it does not
}

// backends are the nodes behind the service's address. Their methods are those of the Node too.
type backends struct {
	open *scriptedStreams
	main *replica   // its state is that of the service
	late []*replica // those of StartReplicas beside it
	router
}

// connection is a connection of a client, with the node that its requests reach. The lock of Node guards it.
type connection struct{ replica *replica }

type connectionKey struct{}

// withConnection adds a new connection to the context of its requests.
func withConnection(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, &connection{})
}

// reached returns the node that a new request of one kind reaches: that of its connection, or the first of the turns,
// which becomes the last. It returns nil if there are no nodes of StartReplicas.
func (r *router) reached(ctx context.Context, turns *[]*replica) *replica {
	if len(r.replicas) == 0 {
		return nil
	}
	if r.random != nil {
		c, known := ctx.Value(connectionKey{}).(*connection)
		if !known {
			c = &connection{} // another server than that of Serve
		}
		if !slices.Contains(r.replicas, c.replica) {
			c.replica = r.replicas[r.random.IntN(len(r.replicas))]
		}
		return c.replica
	}
	first := (*turns)[0]
	*turns = append(slices.Clone((*turns)[1:]), first)
	return first
}

// turns returns the nodes with these indexes.
func (r *router) turns(indexes []int) (some []*replica) {
	for _, i := range indexes {
		some = append(some, r.replicas[i])
	}
	return some
}

// StartReplicas puts several nodes behind the service's address, one for each of these lags; the first one with a lag
// of 0 is the node that is there already. Each request for a stream reaches the next one in turn, and so does each for
// a page: see Route and RouteConnections. A node that is behind shows the state of this moment until that is as old as
// its lag, and then every change later by its lag. X-Block-Timestamp is that time. Streams that are open already stay
// with the node that is there already, as do Positions and Margins. The changes that a node does not show yet are kept
// in memory.
func (b *backends) StartReplicas(behind ...time.Duration) {
	b.StopReplicas()
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	for _, lag := range behind {
		reached := b.main
		if lag > 0 || slices.Contains(b.replicas, b.main) {
			reached = newReplica(b.main.positions.clone(), b.main.margins.clone())
			reached.behind, reached.since = lag, time.Now()
			b.late = append(b.late, reached)
		}
		b.replicas = append(b.replicas, reached)
	}
	b.streamTurns, b.pageTurns = b.replicas, b.replicas
}

// Route decides which nodes of StartReplicas, counted from 0, requests for streams and those for pages reach from now
// on, in turn.
func (b *backends) Route(streams, pages []int) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	b.random, b.streamTurns, b.pageTurns = nil, b.turns(streams), b.turns(pages)
}

// RouteConnections makes each new connection reach one of the nodes of StartReplicas, at random, with all of its
// requests: as a load balancer of connections does.
func (b *backends) RouteConnections(seed uint64) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	b.random = rand.New(rand.NewPCG(seed, 0x62616c616e6365))
}

// HangReplica makes a node of StartReplicas hang, counted from 0: its connections stay open, it accepts others, and
// sends nothing on any. When StopReplicas ends that, its streams are sent all that they were not sent.
func (b *backends) HangReplica(i int) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	if r := b.replicas[i]; r.hung == nil {
		r.hung = make(chan struct{})
	}
}

// EmptyReplica makes a node of StartReplicas, counted from 0, lose everything that it has stored. From then on it has
// what changes. The node that was there already cannot: its state is that of the service.
func (b *backends) EmptyReplica(i int) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	r := b.beside(b.main, i)
	clear(r.positions.rows)
	r.margins = newMarginList()
}

// SkipChanges makes a node of StartReplicas, counted from 0, miss what changes in this time. Its store is then older
// than that of the others: it has a row that it missed only once that changes again. The node that was there already
// cannot miss anything.
func (b *backends) SkipChanges(i int, lasts time.Duration) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	b.beside(b.main, i).misses = time.Now().Add(lasts)
}

// beside returns a node of StartReplicas that must not be the given one.
func (r *router) beside(main *replica, i int) *replica {
	if r.replicas[i] == main {
		panic("sim: this node has the state of the service")
	}
	return r.replicas[i]
}

// StopReplicas lets all nodes catch up at once: their streams are sent each change that they had not shown, and are
// from then on as current as the others.
func (b *backends) StopReplicas() {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	for _, r := range b.replicas {
		if r.hung != nil {
			close(r.hung)
			r.hung = nil
		}
	}
	for _, late := range b.late {
		b.catchUp(late)
	}
	b.late, b.router = nil, router{}
	for s := range b.open.streams {
		s.signal()
	}
}

// catchUp applies what is pending to the replica, and moves its streams to the main one. The caller holds the lock.
func (b *backends) catchUp(late *replica) {
	b.applyDue(late, time.Now().Add(late.behind))
	for s := range b.open.streams {
		if s.replica != late {
			continue
		}
		subscribed := late.unsubscribe(s)
		if s.replica = b.main; subscribed {
			b.main.subscribe(s)
		}
	}
}

// AgeSnapshots makes the snapshots of streams older by a duration than the updates that the service has sent, as if it
// stored changes that much later than it sends them. Snapshots show the state of this moment until that is as old. It
// concerns the nodes that are there now; 0 ends it.
func (b *backends) AgeSnapshots(by time.Duration) {
	b.open.lock.Lock()
	defer b.open.lock.Unlock()
	for _, r := range append([]*replica{b.main}, b.late...) {
		if r.stored = nil; by > 0 {
			r.stored = newReplica(r.positions.clone(), newMarginList())
			r.stored.behind = by
		}
	}
}
