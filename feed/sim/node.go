package sim

import (
	"net/http"
	"sync"
	"time"

	"blotter/feed/sim/market"
)

// Node is a trading data service: an http.Handler, the state that it shows, and the script that changes both. All its
// methods may be called at any time from any goroutine.
type Node struct {
	config   Config
	exchange *market.Exchange // nil if there is no market
	born     time.Time

	counting sync.Mutex // guards the counters
	counters Counters

	// Their methods are those of the Node too. They use its lock.
	scriptedStreams
	backends
	scripted

	mu      sync.Mutex
	limiter limiter
	grown   []MarginKey // the records of GrowMargins
}

// New returns a service. Its market, if it has one, does not change until Serve runs.
func New(config Config) *Node {
	config.Limits = config.Limits.withDefaults(config.Rate)
	n := &Node{
		config:  config,
		born:    time.Now(),
		limiter: limiter{limits: config.Limits},
	}
	n.scriptedStreams = scriptedStreams{&n.mu, make(map[*stream]struct{})}
	n.backends = backends{open: &n.scriptedStreams, main: newReplica(newPositions(), newMarginList())}
	n.scripted = scripted{open: &n.scriptedStreams}
	if config.Parties > 0 && config.Markets > 0 {
		n.exchange = market.New(market.Config{
			Seed: config.Seed, Parties: config.Parties, Markets: config.Markets, Dense: config.Dense, Rate: config.Rate,
		})
		n.applyBlock(n.exchange.Start(time.Now()))
	}
	return n
}

// The paths of the two operations.
const (
	streamPath = "/api/v2/stream/positions"
	marginPath = "/api/v2/margin/levels"
)

// ServeHTTP responds as the service does.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.record(r)
	out := newResponseWriter(w, r, n.current().proxy)
	defer out.close()
	out.clockAhead = n.current().ahead
	switch {
	case r.URL.Path != streamPath && r.URL.Path != marginPath:
		out.refuse(notFound)
	case r.Method != http.MethodGet:
		out.refuse(methodNotAllowed)
	case r.URL.Path == streamPath:
		n.observePositions(out, r)
	default:
		n.listMarginLevels(out, r)
	}
}

// Positions returns the state: what a snapshot of all positions would show now. The rows are in no order.
func (n *Node) Positions() []Position {
	n.mu.Lock()
	defer n.mu.Unlock()
	rows := n.main.positions.all()
	positions := make([]Position, len(rows))
	for i, r := range rows {
		positions[i] = r.Position()
	}
	return positions
}

// Margins returns the margin levels records, newest first.
func (n *Node) Margins() []MarginLevels {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.main.margins.all()
}

// Instruments returns the names of what the market trades. It is empty if there is no market.
func (n *Node) Instruments() Instruments {
	if n.exchange == nil {
		return Instruments{}
	}
	return n.exchange.Instruments()
}

// applyBlock applies a block of the market to the state, and sends it to the streams.
func (n *Node) applyBlock(b market.Block) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range b.Rows {
		r.UpdatedAt += int64(n.script.ahead)
		if n.script.clock != nil {
			r.UpdatedAt = n.script.clock(time.Unix(0, r.UpdatedAt))
		}
	}
	for _, record := range b.Margins {
		record.Timestamp += int64(n.script.ahead)
	}
	n.apply(change{Block: b})
}

// Counters are what a service has done so far.
type Counters struct {
	// StreamsOpen is how many streams are open now, StreamsOpened how many ever were.
	StreamsOpen, StreamsOpened int64

	// SnapshotRowsSent and UpdatesSent are how many positions were written to streams, in snapshots and in updates.
	SnapshotRowsSent, UpdatesSent int64

	// BlockedWrites is how often a write to a stream had to wait for its reader, and BlockedUpdates how often what
	// waited was updates: a snapshot is written as fast as it is read.
	BlockedWrites, BlockedUpdates int64

	// StreamsDropped is how many streams ended because their reader was too slow.
	StreamsDropped int64

	// MarginPages is how many pages of margin levels were sent.
	MarginPages int64
}

// Counters returns what the service has done so far.
func (n *Node) Counters() Counters {
	n.counting.Lock()
	defer n.counting.Unlock()
	return n.counters
}

func (n *Node) count(counter *int64, more int) {
	n.counting.Lock()
	defer n.counting.Unlock()
	*counter += int64(more)
}
