package hub_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/endpoint"
	"blotter/feed/feedtest"
	"blotter/feed/hub"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
)

// trader has a session, and takes what comes until it leaves.
type trader struct {
	*hub.Session
	watched []model.Subscription
	leave   func()

	mu    sync.Mutex
	book  *book.Book
	links []model.Link
	end   error
}

func join(t *testing.T, h *hub.Hub, parties []string) *trader {
	t.Helper()
	session, err := h.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := &trader{Session: session, book: book.New(0)}
	var scope model.Scope
	for _, party := range parties {
		scope.Parties = append(scope.Parties, model.MakeID(party))
	}
	of.watched = scope.Subscriptions(nil, 1)
	of.Watch(of.watched)
	of.WatchMargins(scope)
	var tasks sync.WaitGroup
	tasks.Go(func() { of.end = of.follow(t.Context()) })
	of.leave = func() { of.Close(); tasks.Wait() }
	return of
}

func (of *trader) follow(ctx context.Context) error {
	for {
		delta, err := of.Next(ctx)
		if err != nil {
			return err
		}
		of.mu.Lock()
		if delta.Links != nil {
			of.links = delta.Links
		}
		for _, snapshot := range delta.Snapshots {
			of.book = of.book.Replaced(snapshot)
		}
		for _, ok := delta.ApplyTo(of.book); ok; _, ok = delta.ApplyTo(of.book) {
		}
		of.mu.Unlock()
	}
}

// differs returns how the rows of a trader differ from those of the service; empty if they do not.
func (of *trader) differs(node *sim.Node) string {
	of.mu.Lock()
	defer of.mu.Unlock()
	n := 0
	for _, p := range node.Positions() {
		key := model.Key{Party: model.MakeID(p.Party), Market: model.MakeID(p.Market)}
		if !slices.ContainsFunc(of.watched, func(s model.Subscription) bool { return s.Covers(key) }) {
			continue
		}
		n++
		row, is := of.book.Find(key)
		if got := row.Number(model.OpenVolume); !is || got != model.AmountOf(p.OpenVolume) {
			return fmt.Sprintf("%s/%s has %s, want %d", p.Party, p.Market, got, p.OpenVolume)
		}
	}
	if n != of.book.Len() {
		return fmt.Sprintf("%d rows, want %d", of.book.Len(), n)
	}
	return ""
}

// TestDesk: thirty traders with lists of parties that overlap come, change, cut off and leave, while positions change
// and streams break. The service never has more streams than parties are watched or linger, and the streams of audits.
// At the end each trader has the rows of the service.
func TestDesk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network feedtest.Network
		node := sim.New(sim.Config{Seed: 4, Parties: 20, Markets: 6})
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		listener := network.Listen("sim.test")
		go func() { served <- node.Serve(ctx, listener) }()
		defer func() { stop(); <-served }()
		f, err := feed.New(feed.Config{Service: endpoint.Service{BaseURLs: []string{"http://sim.test"}, Dial: network.Dial}})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		h := hub.New(f, hub.Options{
			Limits: hub.Limits{Linger: 20 * time.Second, Backlog: 5000},
			Report: func(reason any, trace []byte) { t.Errorf("%v\n%s", reason, trace) },
		})
		defer h.Close()
		var parties []string
		for _, p := range node.Positions() {
			if !slices.Contains(parties, p.Party) {
				parties = append(parties, p.Party)
			}
		}
		random := rand.New(rand.NewPCG(9, 9))
		some := func() []string {
			random.Shuffle(len(parties), func(i, j int) { parties[i], parties[j] = parties[j], parties[i] })
			return slices.Clone(parties[:1+random.IntN(8)])
		}
		var traders []*trader
		for step := range 150 {
			switch at := random.IntN(max(len(traders), 1)); {
			case len(traders) < 30 && random.IntN(3) == 0:
				traders = append(traders, join(t, h, some()))
			case len(traders) > 20 && random.IntN(4) == 0:
				traders[at].leave()
				if end := traders[at].end; !errors.Is(end, hub.ErrClosed) {
					t.Fatalf("the session has ended with %v", end)
				}
				traders = slices.Delete(traders, at, at+1)
			case random.IntN(40) == 0:
				node.Cut()
			case random.IntN(10) == 0 && len(traders) > 0:
				traders[at].Resync()
			}
			for range 10 {
				all := node.Positions()
				p := all[random.IntN(len(all))]
				p.OpenVolume, p.UpdatedAt = random.Int64N(1000), time.Now().UnixNano()
				node.Update(p)
			}
			time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
			stats := h.Stats()
			if open := int(node.Counters().StreamsOpen); stats.Streams > len(parties) || open > 2*stats.Streams {
				t.Fatalf("step %d: %d streams are open for %d parties; %+v", step, open, len(parties), stats)
			}
		}
		if len(traders) < 20 {
			t.Fatalf("only %d traders", len(traders))
		}
		time.Sleep(30 * time.Second)
		synctest.Wait()
		for i, of := range traders {
			if how := of.differs(node); how != "" {
				t.Errorf("trader %d: %s", i, how)
			}
			for _, link := range of.links {
				if !link.Committed || link.Address != "http://sim.test" || link.MayBeOutOfDate(time.Now()) {
					t.Errorf("trader %d: %+v", i, link)
				}
			}
			of.leave()
		}
		time.Sleep(time.Minute)
		if open := node.Counters().StreamsOpen; open != 0 {
			t.Errorf("%d streams are open for nobody", open)
		}
	})
}
