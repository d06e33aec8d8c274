package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

var sol = sim.Position{Party: "a3", Market: "b2", OpenVolume: 7000}

// TestOneSubscriptionOfSeveralFails: the worst state is shown, only its rows are marked, and i shows the rest.
func TestOneSubscriptionOfSeveralFails(t *testing.T) {
	desks := twoDesks()
	desks.options.Scope = model.Scope{Parties: []model.ID{model.MakeID("a1"), model.MakeID("a2"), model.MakeID("a3")}}
	desks.run(t, func(s *dashboardTest) {
		s.Shows("LIVE", "desk-1 desk-2 a3")
		s.Node.Update(btc, eth, sol)
		s.AwaitUpdates().Rows("BTC/USDT desk-1", "ETH/USDT a3", "ETH/USDT desk-2")
		s.Node.SetStreamResponse(1, sim.Response{Status: 400, Body: `{"code":3,"message":"that party has moved"}`})
		s.Node.Cut()
		s.After(10*time.Second).Shows("STALE", "(1 of 3)")
		stale := 0
		s.Press("tab") // away from the rows, where the cursor hides the look of one
		for _, line := range s.terminal.lines() {
			if strings.Contains(line, "/USDT  ") && s.isDim(line) {
				stale++
			}
		}
		if stale != 1 {
			t.Errorf("%d rows look stale:\n%s", stale, s.Screen())
		}
		s.Press("i").Shows("─ connection", "LIVE", "STALE", "refused since", "http://sim.test", "stale since  00:00:", "responded with 400: that party has moved", "advice")
		s.Press("esc").Rows("BTC/USDT desk-1", "ETH/USDT a3", "ETH/USDT desk-2")
	})
}

// TestScopeChangesWhileItRuns: the streams of the other parties go on.
func TestScopeChangesWhileItRuns(t *testing.T) {
	desks := twoDesks()
	desks.options.Scope = model.Scope{Parties: []model.ID{model.MakeID("a1")}}
	desks.run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.AwaitUpdates().Rows("BTC/USDT desk-1")
		s.Press("p", "desk-2", "tab", "enter").Rows("BTC/USDT desk-1", "ETH/USDT desk-2")
		s.Press("p", "desk-1", "tab", "enter").Rows("ETH/USDT desk-2")
		sent := 0
		for _, request := range s.Node.Requests() {
			if isStream(request) && strings.HasSuffix(request.URI, "partyId=a1") {
				sent++
			}
		}
		if sent != 2 {
			t.Errorf("the stream of desk-1 was requested %d times, want 2: it and its audit", sent)
		}
	})
}

func TestScopeFromASelectedRow(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.AwaitUpdates().Press("down", "P").Shows("desk-2  ").Rows("ETH/USDT desk-2")
		s.Press("M").Shows("desk-2 in ETH/USDT").Rows("ETH/USDT desk-2")
		s.Press("p", "esc").Rows("ETH/USDT desk-2")
		s.Press("p", "up", "up", "enter").Shows("all parties in ETH/USDT").Rows("ETH/USDT desk-2")
		s.Press("m", "up", "up", "enter").AwaitUpdates().Rows("BTC/USDT desk-1", "ETH/USDT desk-2")
	})
}

// TestPickerAcceptsATypedIdentifier that the configuration does not have.
func TestPickerAcceptsATypedIdentifier(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Put(btc, eth, sol)
		s.Press("p").Shows("desk-1", "desk-2").Press("a3").Shows("as typed").Press("enter").Shows("enter again watches a3").Press("enter")
		s.AwaitUpdates().Rows("ETH/USDT a3 +7.000")
	})
}
