package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui/command/cli"
)

// buffered is a proxy that sends on 8 KiB at a time.
var buffered = sim.Proxy{Buffer: 8 << 10}

// holdings returns positions of a party, in the given number of markets.
func holdings(party string, markets int) (positions []sim.Position) {
	for i := range markets {
		positions = append(positions, sim.Position{Party: party, Market: fmt.Sprintf("%064x", i+1), OpenVolume: int64(i + 1)})
	}
	return positions
}

// beBusy updates other parties all the time, until stop is called.
func beBusy(node *sim.Node) (stop func()) {
	done := make(chan struct{})
	go func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			case <-time.After(time.Second / 4):
				node.Update(holdings(fmt.Sprintf("f%d", i%3), 40)...)
			}
		}
	}()
	return func() { close(done) }
}

// TestPositionsBehindAProxyThatHoldsBack say what helps, whatever the timeout is.
func TestPositionsBehindAProxyThatHoldsBack(t *testing.T) {
	for _, timeout := range []string{"4s", "1m"} {
		withService(t, func(s *service) {
			s.Put(holdings("a1", 30)...)
			s.SetProxy(buffered)
			got := s.run("positions", "--party", "a1", "--timeout", timeout).exits(cli.ExitUnavailable).prints("")
			last := got.errors[strings.LastIndex(strings.TrimSpace(got.errors), "\n")+1:]
			for _, words := range []string{"no complete snapshot within", "a proxy seems to hold back the stream: 8 KiB came", "proxy_buffering off",
				"X-Accel-Buffering: no", "HTTP/1.1", "no gzip", "watch all parties with a filter"} {
				if !strings.Contains(last, words) {
					t.Errorf("the last line is %q, without %q", last, words)
				}
			}
		})
	}
}

// TestTheWholeServiceIsWatchedIfAllStreamsAreHeldBack and feed.watch_all_if_held_back is on. Its rows are narrowed.
func TestTheWholeServiceIsWatchedIfAllStreamsAreHeldBack(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(holdings("a1", 30)...)
		s.Put(holdings("a2", 2)...)
		s.SetProxy(buffered)
		defer beBusy(s.Node)()
		s.configured("[feed]\nwatch_all_if_held_back = true")
		got := s.run("positions", "--party", "a1", "--timeout", "20s", "-o", "csv").exits(0)
		if rows := strings.Count(got.output, "\n") - 1; rows != 30 || strings.Count(got.output, "a1,") != 30 {
			t.Errorf("%d rows in\n%s", rows, got.output)
		}
		if !strings.Contains(got.errors, "the whole service is watched instead") {
			t.Errorf("it wrote %q", got.errors)
		}
	})
	desks := twoDesks()
	desks.options.Scope, desks.options.WatchAllIfHeldBack = model.Scope{Parties: []model.ID{model.MakeID("a1")}}, true
	desks.run(t, func(s *dashboardTest) {
		s.Node.SetProxy(buffered)
		s.Node.Put(holdings("a1", 30)...)
		s.Node.Put(holdings("a2", 2)...)
		s.Node.Cut()
		defer beBusy(s.Node)()
		s.Awaits(time.Minute, "whole service is watched instead")
		s.Awaits(time.Minute, "30 open")
	})
}

// TestHeldBackStreamsAreKeptWithoutTheKey.
func TestHeldBackStreamsAreKeptWithoutTheKey(t *testing.T) {
	desks := twoDesks()
	desks.options.Scope = model.Scope{Parties: []model.ID{model.MakeID("a1")}}
	desks.run(t, func(s *dashboardTest) {
		s.Node.SetProxy(buffered)
		s.Node.Put(holdings("a1", 30)...)
		s.Node.Cut()
		s.Awaits(time.Minute, "roxy")
		s.After(time.Minute).Lacks("whole service")
		for _, request := range s.Node.Requests() {
			if isStream(request) && !strings.Contains(request.URI, "partyId=a1") {
				t.Errorf("%s was requested", request.URI)
			}
		}
	})
}
