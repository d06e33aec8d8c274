package feed

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/model"
	"blotter/model/book"
)

var soakFor = flag.Duration("soak", 0, "how long TestSoak runs; 0 skips it")

// TestSoak follows a service with all faults, over real sockets and in real time. Goroutines, descriptors and memory
// must not grow, and after the last fault the book must get the rows of the service.
func TestSoak(t *testing.T) {
	if *soakFor == 0 {
		t.Skip("takes real time: run it with -soak 1h")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	market := sim.Config{Seed: 1, Parties: 40, Markets: 20, Rate: 2000, Faults: faulty.New(7, nil)}
	stopFaulty := serving(sim.New(market), listener)
	f, err := New(Config{Service: endpoint.Service{BaseURLs: []string{"http://" + address}}, Times: Times{StreamTimes: follow.StreamTimes{AuditEvery: 20 * time.Second}}})
	if err != nil {
		t.Fatal(err)
	}
	subscriptions := model.Scope{}.Subscriptions(nil, 1)
	f.Watch(subscriptions)
	b := book.New(0)

	warm := *soakFor / 5
	b = followFor(t, f, b, warm)
	before := use()
	b = followFor(t, f, b, *soakFor-warm)
	after := use()
	t.Logf("after %s: %s; after %s: %s", warm, before, *soakFor, after)
	if after.goroutines > before.goroutines+50 || after.descriptors > before.descriptors+30 {
		t.Errorf("goroutines or descriptors grow: %s, then %s", before, after)
	}
	if after.heap > 2*before.heap+(32<<20) {
		t.Errorf("memory grows: %s, then %s", before, after)
	}

	stopFaulty()
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	market.Faults, market.Rate, market.Seed = nil, 0, 2
	node := sim.New(market)
	stopHealthy := serving(node, listener)
	defer stopHealthy()
	for deadline := time.Now().Add(time.Minute); ; {
		b = followFor(t, f, b, time.Second)
		if sameRows(node, b) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the rows are not those of the service a minute after it works again")
		}
	}
	f.Close()
}

// serving runs a service until the returned function is called.
func serving(node *sim.Node, listener net.Listener) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = node.Serve(ctx, listener)
	}()
	return func() {
		cancel()
		<-done
	}
}

// followFor takes new data for a time, and returns the book with it.
func followFor(t *testing.T, f *Feed, b *book.Book, d time.Duration) *book.Book {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for {
		delta, err := f.Next(ctx)
		if err != nil {
			return b
		}
		b = applied(b, delta)
	}
}

// applied returns the book with the delta applied.
func applied(b *book.Book, delta book.Delta) *book.Book {
	return noted(b, delta, func(*book.Change) {})
}

// noted does what applied does, and calls note with each change.
func noted(b *book.Book, delta book.Delta, note func(*book.Change)) *book.Book {
	for _, snapshot := range delta.Snapshots {
		for change := range b.SnapshotChanges(&snapshot) {
			note(change)
		}
		b = b.Replaced(snapshot)
	}
	for changes, ok := delta.ApplyTo(b); ok; changes, ok = delta.ApplyTo(b) {
		for i := range changes.Rows {
			note(&changes.Rows[i])
		}
	}
	return b
}

// sameRows reports whether the book has what the service has.
func sameRows(node *sim.Node, b *book.Book) bool {
	positions := node.Positions()
	for _, p := range positions {
		row, ok := b.Find(model.Key{Party: model.MakeID(p.Party), Market: model.MakeID(p.Market)})
		if !ok || row.Number(model.OpenVolume).String() != fmt.Sprint(p.OpenVolume) ||
			row.Number(model.UnrealisedPnl).String() != p.UnrealisedPnl || row.Number(model.UpdatedAt).String() != fmt.Sprint(p.UpdatedAt) {
			return false
		}
	}
	return b.Len() == len(positions)
}

// used has the resources that the process uses.
type used struct {
	goroutines, descriptors int
	heap                    uint64
}

func (u used) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors, %d KiB", u.goroutines, u.descriptors, u.heap>>10)
}

func use() used {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	descriptors, _ := os.ReadDir("/proc/self/fd") // none if there is no such folder
	return used{runtime.NumGoroutine(), len(descriptors), memory.HeapAlloc}
}
