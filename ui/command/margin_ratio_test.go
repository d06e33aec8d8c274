package command

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/view"
)

// maintenance is a margin record of a position.
func maintenance(p sim.Position, amount string) sim.MarginLevels {
	return sim.MarginLevels{
		Party: p.Party, Market: p.Market, Asset: "c1",
		Maintenance: amount, Search: amount, Initial: amount, Release: amount,
	}
}

// TestOrderByTroubleFollowsMarginRecords: a position moves when its margin record changes.
func TestOrderByTroubleFollowsMarginRecords(t *testing.T) {
	desks := twoDesks()
	desks.options.Order = view.Order{Column: view.TroubleColumn}
	desks.run(t, func(s *dashboardTest) {
		small, large := btc, eth
		small.UnrealisedPnl, large.UnrealisedPnl = "-10000", "-44920"
		s.Node.Update(small, large)
		s.Node.PutMargins(maintenance(small, "1000000"))
		s.Node.PutMargins(maintenance(large, "120000"))
		s.After(6*time.Second).Rows("ETH/USDT desk-2 -10.000", "BTC/USDT desk-1 +1.250").Shows("uPnL/MM ▲", "-37.4%", "-1.0%")
		s.Node.PutMargins(maintenance(small, "10000"))
		s.Node.Update(small)
		s.After(6*time.Second).Rows("BTC/USDT desk-1 +1.250", "ETH/USDT desk-2 -10.000").Shows("-100.0%", "-37.4%").Lacks("-1.0%")
		large.UnrealisedPnl = "-240000"
		s.Node.Update(large)
		s.AwaitUpdates().Rows("ETH/USDT desk-2 -10.000", "BTC/USDT desk-1 +1.250").Shows("-200.0%")
	})
}

// TestMarginRatiosOfSeveralParties: the list of each party is read, and read again.
func TestMarginRatiosOfSeveralParties(t *testing.T) {
	desks := twoDesks()
	desks.options.Scope = model.Scope{Parties: []model.ID{model.MakeID(btc.Party), model.MakeID(eth.Party), model.MakeID("a9")}}
	desks.run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.Node.PutMargins(maintenance(btc, "346880"))
		s.Node.PutMargins(maintenance(eth, "120000"))
		s.After(10*time.Second).Shows("+10.0%", "-37.4%")
		s.Node.PutMargins(maintenance(btc, "34688"))
		s.Node.Update(btc)
		s.After(10*time.Second).Shows("+100.0%", "-37.4%")
	})
}

// TestTotalMaintenanceIsOfTheRecordsOfTheRatios, also while the table of margin levels is not shown and not refreshed.
func TestTotalMaintenanceIsOfTheRecordsOfTheRatios(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.Node.PutMargins(maintenance(btc, "346880"))
		s.Node.PutMargins(maintenance(eth, "120000"))
		s.After(10*time.Second).Shows("+10.0%", "-37.4%", "MAINTENANCE", " 4,668.80 ").Press("z")
		s.Node.PutMargins(maintenance(btc, "34688"))
		s.Node.Update(btc)
		s.After(10*time.Second).Shows("+100.0%", "-37.4%", " 1,546.88 ").Lacks(" 4,668.80 ")
	})
}
