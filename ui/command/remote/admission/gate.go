// Package admission decides which connections of clients may begin a handshake.
//
//	connected ─> silent ──identification line──> waits for its address ──> has a place ──key──> signed in
//	             2 s                             10 s                                           has no place any more
//	             256, 128 of an address          256, 64 of an address     100, 8 of an address
//
// A silent connection costs only a descriptor: if there are too many, the one that has been silent for longest is
// closed for the new one. A connection waits, in order, while others of its address have eight places. One that need
// not wait is dropped with a chance: 30 % if ten places are taken, 100 % at a hundred. Four of the places are for the
// addresses from which traders have signed in lately.
//
// An IPv6 address counts as its network of 64 bits, because one client has all of it.
package admission

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// The limits.
const (
	silentTime         = 2 * time.Second // until the identification line has come
	maxSilent          = 256
	maxSilentOfAddress = 128

	waitTime            = 10 * time.Second // for a place of the address
	maxWaiting          = 256
	maxWaitingOfAddress = 64

	maxPlaces          = 100
	maxPlacesOfAddress = 8
	knownPlaces        = 4  // of maxPlaces, for known addresses only
	dropFrom           = 10 // places that are taken
	dropChance         = 0.3

	maxKnown  = 1000
	knownTime = 24 * time.Hour
)

// Why a connection gets no place.
var (
	errPlaces  = errors.New("too many connections without a key")
	errWaiting = errors.New("too many connections wait")
	errWaited  = errors.New("waited too long for other connections of the same address")
)

// Gate has the connections that are not signed in.
type Gate struct {
	random func() float64 // from 0 to 1, without 1

	mu      sync.Mutex
	silent  []*Entry // those that came first are first
	waiting []*Entry // in order
	placed  []*Entry
	known   map[netip.Prefix]time.Time // when a trader signed in last
}

// NewGate returns a gate without connections. The function returns random numbers from 0 to 1, without 1.
func NewGate(random func() float64) *Gate {
	return &Gate{random: random, known: make(map[netip.Prefix]time.Time)}
}

// Entry is a connection.
type Entry struct {
	gate       *Gate
	address    netip.Prefix
	close      func()
	isReserved bool          // its place is one of knownPlaces
	hasPlace   chan struct{} // closed when it has a place
}

// Enter adds a connection, which is silent. The function closes it without waiting, and is called if it is silent for
// too long or too many are.
func (g *Gate) Enter(address netip.Addr, close func()) *Entry {
	e := &Entry{gate: g, address: Network(address), close: close, hasPlace: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch ofAddress := e.sameAddress(g.silent); {
	case len(ofAddress) == maxSilentOfAddress:
		ofAddress[0].expire()
	case len(g.silent) == maxSilent:
		g.silent[0].expire()
	}
	g.silent = append(g.silent, e)
	time.AfterFunc(silentTime, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		e.expire()
	})
	return e
}

// expire closes a connection if it is still silent.
func (e *Entry) expire() {
	if remove(&e.gate.silent, e) {
		e.close()
	}
}

// Identified says that the identification line has come. It waits for a place, and returns an error if there is none.
func (e *Entry) Identified(ctx context.Context) error {
	if mustWait, err := e.enter(); !mustWait {
		return err
	}
	late := time.NewTimer(waitTime)
	defer late.Stop()
	select {
	case <-e.hasPlace:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return errWaited
	}
}

// enter takes a place, or begins to wait, or returns why neither is possible.
func (e *Entry) enter() (mustWait bool, err error) {
	g := e.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	remove(&g.silent, e)
	queue := e.sameAddress(g.waiting)
	switch {
	case len(queue) == 0 && len(e.sameAddress(g.placed)) < maxPlacesOfAddress:
		if !e.takePlace(g.isDropped()) {
			return false, errPlaces
		}
		return false, nil
	case len(queue) == maxWaitingOfAddress, len(g.waiting) == maxWaiting:
		return false, errWaiting
	}
	g.waiting = append(g.waiting, e)
	return true, nil
}

// isDropped reports whether a connection that comes now is dropped by chance.
func (g *Gate) isDropped() bool {
	taken := len(g.placed)
	if taken < dropFrom {
		return false
	}
	return g.random() < dropChance+(1-dropChance)*float64(taken-dropFrom)/(maxPlaces-dropFrom)
}

// takePlace takes a place: one of those for known addresses if the others are taken or refused. It reports whether
// there is one.
func (e *Entry) takePlace(isRefused bool) bool {
	g := e.gate
	reserved := 0
	for _, each := range g.placed {
		if each.isReserved {
			reserved++
		}
	}
	if isRefused || len(g.placed)-reserved == maxPlaces-knownPlaces {
		if !g.isKnown(e.address) || reserved == knownPlaces {
			return false
		}
		e.isReserved = true
	}
	g.placed = append(g.placed, e)
	close(e.hasPlace)
	return true
}

// SignedIn says that the client is a trader. The connection leaves, and its address is known from now on.
func (e *Entry) SignedIn() {
	e.gate.know(e.address)
	e.Leave()
}

// Leave removes the connection. It may be called again. Those that wait for its place get one.
func (e *Entry) Leave() {
	g := e.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	remove(&g.silent, e)
	remove(&g.waiting, e)
	if !remove(&g.placed, e) {
		return
	}
	for _, next := range slices.Clone(g.waiting) {
		if len(next.sameAddress(g.placed)) < maxPlacesOfAddress && next.takePlace(false) {
			remove(&g.waiting, next)
		}
	}
}

// know adds an address to those that are known. The one that was seen longest ago makes room.
func (g *Gate) know(address netip.Prefix) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known[address] = time.Now()
	if len(g.known) <= maxKnown {
		return
	}
	oldest := address
	for each, at := range g.known {
		if at.Before(g.known[oldest]) {
			oldest = each
		}
	}
	delete(g.known, oldest)
}

// isKnown reports whether a trader has signed in from an address in the last day.
func (g *Gate) isKnown(address netip.Prefix) bool {
	at, ok := g.known[address]
	return ok && time.Since(at) <= knownTime
}

func (e *Entry) sameAddress(entries []*Entry) []*Entry {
	var same []*Entry
	for _, each := range entries {
		if each.address == e.address {
			same = append(same, each)
		}
	}
	return same
}

// remove removes an entry, and reports whether it was there.
func remove(entries *[]*Entry, e *Entry) bool {
	i := slices.Index(*entries, e)
	if i < 0 {
		return false
	}
	*entries = slices.Delete(*entries, i, i+1)
	return true
}

// Network returns what counts as one address: an IPv4 address, or the network of 64 bits that an IPv6 address is in.
func Network(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	prefix, _ := address.Prefix(min(address.BitLen(), 64)) // the zero value for the zero address
	return prefix
}
