package sim

import (
	"net/http"
	"sync"
	"time"
)

// Node is a trading data service: an http.Handler, the world that it tells
// of, and the script that bends both. All its methods may be called at any
// time from any goroutine.
type Node struct {
	config   Config
	exchange *exchange // nil where there is no market
	born     time.Time

	counters counters

	connections connections

	mu       sync.Mutex
	main     *replica
	follower *follower // nil but between StartReplica and StopReplica
	streams  map[*stream]struct{}
	limiter  limiter
	script   script
	chaos    *runningChaos // nil where there is none
}

// New returns a service. Its market, if it has one, is there at once and
// stands still until Serve runs.
func New(config Config) *Node {
	config.Limits = config.Limits.withDefaults(config.Rate)
	n := &Node{
		config:  config,
		born:    time.Now(),
		main:    newReplica(newWorld(), newLedger()),
		streams: map[*stream]struct{}{},
		limiter: limiter{limits: config.Limits},
	}
	if config.Parties > 0 && config.Markets > 0 {
		n.exchange = newExchange(config)
		n.exchange.begin(n)
	}
	return n
}

// The paths of the two operations.
const (
	streamPath = "/api/v2/stream/positions"
	marginPath = "/api/v2/margin/levels"
)

// ServeHTTP answers as the service does.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.record(r)
	out := newReply(w, r)
	defer out.close()
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

// Positions returns the truth: what a snapshot of everything would say now.
// The rows are in no order.
func (n *Node) Positions() []Position {
	n.mu.Lock()
	defer n.mu.Unlock()
	rows := n.main.positions.find(filter{})
	positions := make([]Position, len(rows))
	for i, r := range rows {
		positions[i] = r.position()
	}
	return positions
}

// Margins returns the margin levels records, newest first.
func (n *Node) Margins() []MarginLevels {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.main.margins.all()
}

// Instruments returns the names of what the market trades. It is empty where
// there is no market.
func (n *Node) Instruments() Instruments {
	if n.exchange == nil {
		return Instruments{}
	}
	return n.exchange.instruments
}
