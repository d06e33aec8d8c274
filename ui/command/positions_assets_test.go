package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// withUnknownAssets puts positions of four markets, none of which is configured; the records of two name their asset.
func withUnknownAssets(s *service) {
	for _, p := range []sim.Position{
		{Party: "a1", Market: "b4", OpenVolume: 1, UnrealisedPnl: "5", UpdatedAt: 1},
		{Party: "a2", Market: "b4", OpenVolume: 1, UnrealisedPnl: "-900", UpdatedAt: 1},
		{Party: "a1", Market: "b3", OpenVolume: 1, UnrealisedPnl: "7", UpdatedAt: 1},
		{Party: "a1", Market: "b2", OpenVolume: 1, UnrealisedPnl: "-30", UpdatedAt: 1},
		{Party: "a1", Market: "b1", OpenVolume: 1, UnrealisedPnl: "40", UpdatedAt: 1},
		{Party: "a2", Market: "b1", OpenVolume: 1, UnrealisedPnl: "-50", UpdatedAt: 1},
	} {
		s.Put(p)
	}
	for _, market := range []string{"b1", "b2"} {
		s.PutMargins(sim.MarginLevels{Party: "a1", Market: market, Asset: "usd", Maintenance: "1", Timestamp: 1})
	}
}

// TestOrderByAmountsReadsAssets: amounts of several markets compare if margin levels name the same asset; rows of
// markets without an asset are after all others in both directions, and standard error says it.
func TestOrderByAmountsReadsAssets(t *testing.T) {
	const warning = "blotter: --sort unrealised: 2 markets without a known asset: the rows of each are together, after all others\n"
	withService(t, func(s *service) {
		withUnknownAssets(s)
		order := []string{"positions", "-o", "csv", "--columns", "market,unrealised", "--sort", "upnl"}
		s.run(order...).exits(0).printsErrors(warning).
			prints("marketId,unrealisedPnl\nb1,-50\nb2,-30\nb1,40\nb3,7\nb4,-900\nb4,5\n")
		s.run(append(order, "--descending")...).exits(0).printsErrors(warning).
			prints("marketId,unrealisedPnl\nb1,40\nb2,-30\nb1,-50\nb3,7\nb4,5\nb4,-900\n")
		s.run(append(order, "--market", "b1", "--market", "b2")...).exits(0).printsErrors("").
			prints("marketId,unrealisedPnl\nb1,-50\nb2,-30\nb1,40\n")
		before := len(s.Requests())
		s.run(append(order, "--market", "b4")...).exits(0).printsErrors("").prints("marketId,unrealisedPnl\nb4,-900\nb4,5\n")
		for _, request := range s.Requests()[before:] {
			if strings.Contains(request.URI, "margin/levels") {
				t.Errorf("margin levels were read for one market: %s", request.URI)
			}
		}
	})
}

// TestAssetsThatAreNotReadInTime: after three seconds the positions are printed without them, with a warning.
func TestAssetsThatAreNotReadInTime(t *testing.T) {
	withService(t, func(s *service) {
		withUnknownAssets(s)
		s.SetMarginResponse(sim.Always, sim.Response{Delay: time.Minute, Status: 200, Body: "{}"})
		got := s.run("positions", "-o", "csv", "--columns", "market,unrealised", "--sort", "unrealised").exits(0).
			took(3 * time.Second).prints("marketId,unrealisedPnl\nb1,-50\nb1,40\nb2,-30\nb3,7\nb4,-900\nb4,5\n")
		for _, words := range []string{
			"blotter: --sort unrealised: assets were not read: not all margin levels within 3s: no response\n",
			"blotter: --sort unrealised: 4 markets without a known asset: the rows of each are together, after all others\n",
		} {
			if !strings.Contains(got.errors, words) {
				t.Errorf("standard error is %q, want %q in it", got.errors, words)
			}
		}
		s.SetMarginResponse(0, sim.Response{})
		s.SetMarginResponse(sim.Always, sim.Response{Status: 404, Body: "none"})
		got = s.run("positions", "-o", "csv", "--columns", "market", "--sort", "unrealised").exits(0).took(0)
		if !strings.Contains(got.errors, "assets were not read: http://sim.test: the service responded with 404: none") {
			t.Errorf("standard error is %q", got.errors)
		}
		s.SetMarginResponse(0, sim.Response{})
		s.SetMarginResponse(sim.Always, sim.Response{})
		run := s.start("positions", "--sort", "unrealised", "--market", "b1", "--market", "b2")
		s.after(time.Second)
		run.interrupt()
		run.result().exits(130).prints("")
	})
}
