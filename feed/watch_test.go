package feed

import (
	"context"
	"fmt"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
)

func TestParametersOfStreamRequests(t *testing.T) {
	for _, c := range []struct {
		parties, markets string
		want             []string
	}{
		{"", "", []string{""}},
		{"network", "", []string{"partyId=network"}},
		{"", "bb", []string{"marketId=bb"}},
		{"aa bb", "", []string{"partyId=aa", "partyId=bb"}},
		{"aa network", "cc dd", []string{"partyId=aa", "partyId=network"}},
	} {
		play(t, func(s *trial) {
			s.watch(c.parties, c.markets)
			s.after(5 * time.Second)
			got := s.streams()
			slices.Sort(got)
			got = slices.Compact(got) // audits request the same
			if !slices.Equal(got, c.want) {
				t.Errorf("requested %q, want %q", got, c.want)
			}
			s.isLive()
		})
	}
}

func TestChangedWatchlistKeepsTheOtherStreams(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("aa", "x", 1), held("bb", "x", 2), held("cc", "x", 3))
		s.watch("aa bb", "")
		s.after(time.Second)
		s.watch("bb cc", "")
		s.after(time.Second)
		if got, want := s.streams(), []string{"partyId=aa", "partyId=bb", "partyId=cc"}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("requested %q, want %q", got, want)
		}
		s.rows("bb/x 2", "cc/x 3")
		s.node.Update(held("aa", "x", 10), held("bb", "x", 20))
		s.takeAll()
		s.rows("bb/x 20", "cc/x 3")
		if got := s.node.Counters().StreamsOpen; got != 2 {
			t.Errorf("%d streams are open, want 2", got)
		}
		s.watch("", "")
		s.rows("aa/x 10", "bb/x 20", "cc/x 3")
		if got := s.node.Counters().StreamsOpen; got != 1 {
			t.Errorf("%d streams are open, want 1", got)
		}
	})
}

// TestSubscriptionThatIsWatchedAgainBegins again, and late data of the ended one is dropped.
func TestSubscriptionThatIsWatchedAgainBegins(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("aa", "x", 1))
		s.watch("aa", "")
		s.after(time.Second)
		for range 20 {
			s.watchAgain()
			s.rowCount(0)
			s.watch("aa", "")
			s.rowCount(1)
		}
	})
}

// rowCount asserts how many rows there are for the watched subscriptions.
func (s *trial) rowCount(want int) {
	s.t.Helper()
	if got := s.book.Narrowed(s.watched).Len(); got != want {
		s.t.Errorf("%d rows, want %d", got, want)
	}
}

func TestEachSubscriptionHasItsOwnState(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("aa", "x", 1), held("bb", "x", 2))
		s.watch("aa", "")
		s.after(time.Second)
		s.node.SetStreamResponse(1, sim.Response{Status: 400, Body: `{"message":"no such party"}`})
		s.watch("aa bb", "")
		s.takeAll()
		if a, b := s.links[0].Phase, s.links[1].Phase; a != model.Live || b != model.Refused {
			t.Errorf("the phases are %s and %s, want live and refused", a, b)
		}
		s.node.Update(held("aa", "x", 3))
		s.takeAll()
		s.rows("aa/x 3")
	})
}

func TestResyncAuditsLiveStreams(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("aa", "x", 1))
		s.watch("aa", "")
		s.after(time.Minute)
		s.node.Put(held("aa", "x", 2)) // not sent to any stream
		s.feed.Resync()
		s.after(2 * time.Second)
		s.sameAsService()
		s.isLive()
		if l := s.link(); l.Audits != 1 || l.Auditing {
			t.Errorf("%d audits, want 1", l.Audits)
		}
	})
}

func TestResyncOfManyTakesSeconds(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		for i := range 100 {
			s.node.Put(held(fmt.Sprintf("%04x", i), "b", 1))
		}
		s.watchMany(100)
		s.after(time.Minute)
		s.feed.Resync()
		for range 60 { // a screen takes data more often than once a second
			s.after(100 * time.Millisecond)
		}
		for i := range s.links {
			if s.links[i].Audits != 1 {
				s.t.Fatalf("%s had %d audits, want 1", s.links[i].Party, s.links[i].Audits)
			}
		}
	})
}

// TestCloseEndsEverything closes the feed in every state of its subscriptions. The test fails if a goroutine still
// runs.
func TestCloseEndsEverything(t *testing.T) {
	for _, scene := range []func(*trial){
		func(s *trial) {},
		func(s *trial) { s.node.Silence() },
		func(s *trial) { s.node.HoldSnapshot(1) },
		func(s *trial) { s.listener.Kill() },
		func(s *trial) { s.node.SetStreamResponse(sim.Always, sim.Response{Status: 401}) },
		func(s *trial) { s.feed.Resync(); s.node.HoldSnapshot(1) },
	} {
		play(t, func(s *trial) {
			s.fill(60)
			s.watch("network aa", "bb cc")
			scene(s)
			s.node.Cut()
			s.after(3 * time.Second)
			s.watch("network", "")
			scene(s)
			s.after(10 * time.Second)
			s.feed.Close()
			s.feed.Watch(s.watched) // has no effect any more
			if _, err := s.feed.Next(s.t.Context()); err == nil {
				_, err = s.feed.Next(s.t.Context())
				if err == nil {
					t.Error("a closed feed returns data")
				}
			}
		})
	}
}

// playTwo runs a scene with two services. Each has one position and its margin levels.
func playTwo(t *testing.T, scene func(s *trial, first, second *sim.Listener)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		listeners := make(map[string]*sim.Listener)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 2)
		for _, name := range []string{"first", "second"} {
			node, listener := sim.New(sim.Config{}), sim.Listen()
			listeners[name+".test:80"] = listener
			node.Put(held("network", name, 1))
			node.PutMargins(sim.MarginLevels{Party: "network", Market: name, Asset: "usdt", Maintenance: "1"})
			go func() { ended <- node.Serve(ctx, listener) }()
		}
		f, err := New(Config{
			Service: endpoint.Service{
				BaseURLs: []string{"http://first.test", "http://second.test"},
				Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
					return listeners[address].DialContext(ctx, network, address)
				},
			},
			Times: Times{StreamTimes: follow.StreamTimes{AuditEvery: -1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { f.Close(); stop(); <-ended; <-ended }()
		scene(&trial{t: t, feed: f, book: book.New(0)}, listeners["first.test:80"], listeners["second.test:80"])
	})
}

// TestAddressesAreTriedInTurn: one of two services is down.
func TestAddressesAreTriedInTurn(t *testing.T) {
	playTwo(t, func(s *trial, first, second *sim.Listener) {
		serves := func(address string, rows ...string) {
			t.Helper()
			if got := s.link().Address; got != address {
				t.Errorf("the address is %s, want %s", got, address)
			}
			s.rows(rows...)
			s.isLive()
			page, err := s.feed.Page(s.t.Context(), model.PageRequest{Size: 1})
			if err != nil || page.Block.Height == 0 {
				t.Errorf("a page from %s: %v", address, err)
			}
		}
		first.Kill()
		s.watch("network", "")
		serves("http://second.test", "network/second 1")
		first.Revive()
		s.after(time.Hour)
		serves("http://second.test", "network/second 1")
		second.Kill()
		s.after(time.Second)                                               // the second one is tried once more
		serves("http://first.test", "network/first 1", "network/second 1") // the first one lacks a row
		first.Kill()
		s.after(time.Second)
		s.is(model.Waiting, model.FreshStale)
		s.after(time.Minute)
		second.Revive()
		s.after(time.Minute)
		serves("http://second.test", "network/first 1", "network/second 1")
	})
}

// TestPagesAloneUseTheNextAddress, if there are no streams.
func TestPagesAloneUseTheNextAddress(t *testing.T) {
	playTwo(t, func(s *trial, first, second *sim.Listener) {
		walked := func(market string) {
			t.Helper()
			ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
			defer cancel()
			walked, err := s.feed.Walk(ctx, model.PageRequest{Size: 1}, 0)
			rows := walked.Records
			if err != nil || len(rows) != 1 || rows[0].Market != model.MakeID(market) {
				t.Errorf("a walk returns %v, %v, want the record of %s", rows, err, market)
			}
		}
		walked("first")
		first.Kill()
		walked("second")
		first.Revive()
		walked("second")
		second.Kill()
		walked("first")
	})
}
