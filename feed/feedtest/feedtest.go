// Package feedtest connects the tests of package feed, and of the packages below it, to simulated services. It can
// write into these connections what the services do not send.
package feedtest

import (
	"context"
	"net"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"blotter/feed/sim"
)

// Network connects to simulated services. It keeps the time of each try to connect.
type Network struct {
	hosts     []string
	listeners []*sim.Listener // by host

	mu      sync.Mutex
	dials   []time.Time
	refused bool
}

// Listen returns a listener for a host. Connections to hosts without one go to the first.
func (n *Network) Listen(host string) *sim.Listener {
	l := sim.Listen()
	n.hosts, n.listeners = append(n.hosts, host), append(n.listeners, l)
	return l
}

// Dial connects to the listener of a host.
func (n *Network) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	n.dials = append(n.dials, time.Now())
	refused := n.refused
	n.mu.Unlock()
	if refused {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
	host, _, _ := net.SplitHostPort(address)
	return n.listeners[max(0, slices.Index(n.hosts, host))].DialContext(ctx, network, address)
}

// RefuseConnections sets whether new connections are refused. Open ones stay.
func (n *Network) RefuseConnections(refused bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.refused = refused
}

// Dials returns the times of all tries to connect so far.
func (n *Network) Dials() []time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.dials)
}

// CheckDialLimit fails a test if there were more than six tries to connect within a minute since a time.
func (n *Network) CheckDialLimit(t testing.TB, since time.Time) {
	t.Helper()
	dials := slices.DeleteFunc(n.Dials(), func(at time.Time) bool { return at.Before(since) })
	for i, at := range dials {
		if i >= 6 && at.Sub(dials[i-6]) < time.Minute {
			t.Fatalf("seven tries to connect within %s: %v", at.Sub(dials[i-6]), dials[i-6:i+1])
		}
	}
}
