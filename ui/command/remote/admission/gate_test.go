package admission

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// never is a random number with which nothing is dropped, and always one with which all is dropped that can be.
func never() float64  { return 0.9999999 }
func always() float64 { return 0 }

func address(text string) netip.Addr { return netip.MustParseAddr(text) }

// other returns one of many addresses.
func other(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 1, byte(i / 256), byte(i % 256)}) }

// client is a connection of a test.
type client struct {
	*Entry
	closed atomic.Bool
}

func enter(g *Gate, address netip.Addr) *client {
	c := new(client)
	c.Entry = g.Enter(address, func() { c.closed.Store(true) })
	return c
}

// takes takes a place, and reports whether there was one within a second.
func (c *client) takes(t *testing.T) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if c.Identified(ctx) != nil {
		c.Leave()
		return false
	}
	return true
}

// stall takes places of n different addresses.
func stall(t *testing.T, g *Gate, n int) (all []*client) {
	t.Helper()
	for i := range n {
		c := enter(g, other(i))
		if !c.takes(t) {
			t.Fatalf("place %d is refused", i)
		}
		all = append(all, c)
	}
	return all
}

func TestSilentSocketsThatReopenLockNobodyOut(t *testing.T) {
	for _, trader := range []string{"192.0.2.1", "192.0.2.9"} { // of the attacker, and another one
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(always)
			open := make(chan struct{})
			attacker := func() {
				for {
					closed := make(chan struct{})
					e := g.Enter(address("192.0.2.1"), func() { close(closed) })
					select {
					case <-closed:
					case <-open:
						e.Leave()
						return
					}
				}
			}
			var all sync.WaitGroup
			for range 64 {
				all.Go(attacker)
			}
			in := 0
			for range 10 {
				time.Sleep(900 * time.Millisecond)
				c := enter(g, address(trader))
				time.Sleep(50 * time.Millisecond) // the line is on its way
				if !c.closed.Load() && c.takes(t) {
					in++
					c.SignedIn()
				}
			}
			if in < 9 {
				t.Errorf("%d of 10 from %s", in, trader)
			}
			close(open)
			all.Wait()
		})
	}
}

func TestASilentSocketIsClosedAfterTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(never)
		silent, speaks := enter(g, address("192.0.2.1")), enter(g, address("192.0.2.2"))
		time.Sleep(silentTime - time.Millisecond)
		if !speaks.takes(t) || silent.closed.Load() {
			t.Error("closed too early")
		}
		time.Sleep(time.Second)
		if !silent.closed.Load() || speaks.closed.Load() {
			t.Errorf("silent: %v, one with a line: %v", silent.closed.Load(), speaks.closed.Load())
		}
	})
}

func TestTooManySilentSocketsCloseTheOldest(t *testing.T) {
	for name, test := range map[string]struct {
		most int
		of   func(i int) netip.Addr
	}{
		"of an address":         {maxSilentOfAddress, func(int) netip.Addr { return other(0) }},
		"of a network of IPv6":  {maxSilentOfAddress, func(i int) netip.Addr { return address(fmt.Sprintf("2001:db8::%x", i+1)) }},
		"of different networks": {maxSilent, func(i int) netip.Addr { return address(fmt.Sprintf("2001:db8:0:%x::1", i+1)) }},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(never)
			stranger := enter(g, address("198.51.100.1"))
			var all []*client
			for i := range test.most - 1 {
				all = append(all, enter(g, test.of(i)))
			}
			if test.most == maxSilentOfAddress {
				all = append(all, enter(g, test.of(test.most)))
			} else {
				all = append([]*client{stranger}, all...)
			}
			closed := func() (n int) {
				for _, each := range all {
					if each.closed.Load() {
						n++
					}
				}
				return n
			}
			if closed() != 0 {
				t.Errorf("%s: %d are closed too early", name, closed())
			}
			all = append(all, enter(g, test.of(test.most+1)))
			if !all[0].closed.Load() || closed() != 1 || stranger.closed.Load() != (stranger == all[0]) {
				t.Errorf("%s: %d are closed, the oldest: %v, the stranger: %v", name, closed(), all[0].closed.Load(), stranger.closed.Load())
			}
		})
	}
}

// TestThirtyTradersBehindOneGatewayGetIn in order, also if all that can be dropped is dropped once they wait.
func TestThirtyTradersBehindOneGatewayGetIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drops atomic.Bool
		g := NewGate(func() float64 {
			if drops.Load() {
				return always()
			}
			return never()
		})
		stall(t, g, 40)
		begin := time.Now()
		var mu sync.Mutex
		var order []int
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				c := enter(g, address("192.0.2.1"))
				time.Sleep(time.Duration(i) * time.Millisecond)
				if err := c.Identified(t.Context()); err != nil {
					t.Errorf("trader %d: %v", i, err)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				time.Sleep(time.Second + time.Duration(i)*time.Millisecond)
				c.SignedIn()
			})
		}
		time.Sleep(500 * time.Millisecond)
		drops.Store(true)
		all.Wait()
		if took := time.Since(begin); len(order) != 30 || !slices.IsSorted(order) || took > waitTime {
			t.Errorf("after %s the order is %v", took, order)
		}
	})
}

func TestConnectionsThatStallKeepOnlyTheirOwnAddressOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(always)
		results := make(chan error, 100)
		for range maxPlacesOfAddress + maxWaitingOfAddress {
			c := enter(g, address("192.0.2.1"))
			go func() { results <- c.Identified(t.Context()) }()
		}
		synctest.Wait()
		if err := enter(g, address("192.0.2.1")).Identified(t.Context()); err != errWaiting {
			t.Errorf("one more of the address: %v", err)
		}
		for i := range 10 {
			if c := enter(g, address("192.0.2.9")); !c.takes(t) {
				t.Errorf("try %d from another address is refused", i)
			} else {
				c.SignedIn()
			}
		}
		time.Sleep(waitTime)
		synctest.Wait()
		waited := 0
		for range len(results) {
			if <-results == errWaited {
				waited++
			}
		}
		if waited != maxWaitingOfAddress {
			t.Errorf("%d are closed after they have waited", waited)
		}
	})
}

func TestTheQueuesOfAllAddressesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(never)
		refused := 0
		for i := range 6 {
			for range maxPlacesOfAddress + maxWaitingOfAddress {
				c := enter(g, other(i))
				go func() {
					if c.Identified(t.Context()) == errWaiting {
						refused++
					}
				}()
				synctest.Wait()
			}
		}
		if want := 6*maxWaitingOfAddress - maxWaiting; refused != want {
			t.Errorf("%d are refused, want %d", refused, want)
		}
		time.Sleep(waitTime)
	})
}

func TestTheChanceToBeDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chance := 0.0
		g := NewGate(func() float64 { return chance })
		for _, test := range []struct {
			taken  int
			random float64
			gets   bool
		}{
			{dropFrom - 1, 0, true}, {dropFrom, 0.29, false}, {dropFrom, 0.31, true}, {55, 0.64, false}, {55, 0.66, true},
			{95, 0.95, false}, {95, 0.97, true}, {96, 0.99, false},
		} {
			chance = 0.9999
			all := stall(t, g, test.taken)
			chance = test.random
			c := enter(g, address("192.0.2.9"))
			if gets := c.takes(t); gets != test.gets {
				t.Errorf("%d places are taken, random number %v: %v", test.taken, test.random, gets)
			}
			c.Leave()
			for _, each := range all {
				each.Leave()
			}
		}
	})
}

func TestPlacesOfKnownAddressesAreNotTakenByAStranger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(never)
		for _, known := range []string{"192.0.2.1", "2001:db8::1"} {
			enter(g, address(known)).SignedIn()
		}
		stall(t, g, maxPlaces-knownPlaces)
		if enter(g, address("192.0.2.9")).takes(t) {
			t.Error("a stranger gets a place of known addresses")
		}
		var in []*client
		for _, known := range []string{"192.0.2.1", "2001:db8::99", "::ffff:192.0.2.1", "192.0.2.1"} {
			c := enter(g, address(known))
			if !c.takes(t) {
				t.Errorf("%s is refused", known)
			}
			in = append(in, c)
		}
		if enter(g, address("192.0.2.1")).takes(t) {
			t.Error("there are more than four places for known addresses")
		}
		in[0].Leave()
		if !enter(g, address("192.0.2.1")).takes(t) {
			t.Error("a place that was left is not free")
		}
		in[1].Leave()
		time.Sleep(knownTime + time.Second)
		if enter(g, address("192.0.2.1")).takes(t) {
			t.Error("an address is known for more than a day")
		}
	})
}

func TestOnlyTheLastThousandAddressesAreKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(never)
		for i := range maxKnown + 1 {
			enter(g, other(i)).SignedIn()
			time.Sleep(time.Second)
		}
		for i, want := range map[int]bool{0: false, 1: true, maxKnown: true} {
			if got := g.isKnown(Network(other(i))); got != want {
				t.Errorf("address %d is known: %v", i, got)
			}
		}
	})
}

func TestAConnectionThatWaitsEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(never)
		for range maxPlacesOfAddress {
			enter(g, other(1)).takes(t)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- enter(g, other(1)).Identified(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-ended; err != context.Canceled {
			t.Error(err)
		}
	})
}
