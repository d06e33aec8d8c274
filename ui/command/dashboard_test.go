package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed"
	"blotter/feed/sim"
	"blotter/ui"
)

var (
	btc = sim.Position{Party: "a1", Market: "b1", OpenVolume: 1250, AverageEntryPrice: "641205", UnrealisedPnl: "34688", RealisedPnl: "1200"}
	eth = sim.Position{Party: "a2", Market: "b2", OpenVolume: -10000, AverageEntryPrice: "341010", UnrealisedPnl: "-44920", RealisedPnl: "100202"}
)

func twoDesks() setup { return setup{options: ui.Options{Instruments: testInstruments()}} }

func TestSnapshotAndUpdatesAreShown(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Shows("LIVE", "No positions.")
		s.Node.Update(btc, eth)
		s.AwaitUpdates().Rows("BTC/USDT desk-1 +1.250", "ETH/USDT desk-2 -10.000").Shows("2 open")
		changed := btc
		changed.OpenVolume, changed.UnrealisedPnl = 2500, "-100"
		s.Node.Update(changed)
		s.AwaitUpdates().Rows("BTC/USDT desk-1 +2.500", "ETH/USDT desk-2 -10.000").Shows("-1.00").Lacks("+346.88")
	})
}

func TestOutageIsShown(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.AwaitUpdates().Shows("LIVE")
		s.Listener.Kill()
		s.After(20*time.Second).Shows("STALE", "Connection refused", "Retry", "r retries now").Rows("BTC/USDT", "ETH/USDT")
		s.Node.Remove(eth.Key())
		s.Listener.Revive()
		s.Awaits(feed.DefaultTimes().MaxBackoff+11*time.Second, "1 in doubt").Lacks("STALE").Rows("BTC/USDT", "ETH/USDT")
		s.After(5 * time.Minute).Rows("BTC/USDT") // audits lack it, too
		s.Node.Update(btc)
		s.AwaitUpdates().Shows("LIVE").Rows("BTC/USDT")
	})
}

func TestFilterIsTypedAndCleared(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.AwaitUpdates().Press("/", "e", "t", "h").Rows("ETH/USDT").Shows("eth")
		s.Press("z", "z").Shows("No position matches; esc clears the filter.")
		s.Press("esc", "esc").Rows("BTC/USDT", "ETH/USDT")
	})
}

func TestPickerChangesTheSubscription(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Put(btc, eth)
		s.Press("p").Shows("desk-1", "desk-2")
		s.Press("d", "e", "s", "k", "-", "2", "enter").Rows("ETH/USDT desk-2")
		var sent bool
		for _, request := range s.Node.Requests() {
			sent = sent || strings.HasSuffix(request.URI, "/stream/positions?partyId=a2")
		}
		if !sent {
			t.Errorf("the service was never sent for desk-2 alone: %v", s.Node.Requests())
		}
	})
}
