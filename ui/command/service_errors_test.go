package command

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// The dashboard shows each error of a service, and keeps the rows that it has.

// many are positions, each of another party, which take several pages of a snapshot.
func many(n int) []sim.Position {
	var positions []sim.Position
	for i := range n {
		positions = append(positions, sim.Position{Party: fmt.Sprintf("d%d", i), Market: "b1", OpenVolume: int64(1000 + i)})
	}
	return positions
}

func TestRefusedTokenIsShown(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates()
		s.Node.SetStreamResponse(1, sim.Response{Status: 401, Body: `{"code":16,"message":"token expired","details":[]}`})
		s.Node.Cut()
		s.After(10*time.Second).
			Shows("STALE", "Credentials refused (401): token expired; check the token: $BLOTTER_TOKEN", "… Retry 1 in").
			Rows("BTC/USDT desk-1 +1.250")
		before := s.Listener.Dials()
		if s.After(40 * time.Second); s.Listener.Dials() > before {
			t.Errorf("%d tries in 40 s", s.Listener.Dials()-before)
		}
		s.Press("r").After(2 * time.Second).Shows("LIVE").Lacks("refused").Rows("BTC/USDT desk-1 +1.250")
	})
}

func TestStatus204IsNotShownAsARefusal(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates()
		s.Node.SetStreamResponse(1, sim.Response{Status: 204})
		s.Node.Cut()
		s.After(10*time.Second).Shows("STALE", "The service responded with 204 instead of positions: no content. Retry").Lacks("refused")
	})
}

func TestNoRequestDuringABan(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates()
		s.Node.SetStreamResponse(1, sim.Response{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"60"}}})
		s.Node.Cut()
		s.After(5*time.Second).Shows("STALE", "The service limits this address (403). Next try in 5").Rows("BTC/USDT desk-1")
		before := streams(s)
		s.After(50 * time.Second).Shows("The service limits this address (403). Next try in ")
		if sent := streams(s) - before; sent > 0 {
			t.Errorf("%d streams were requested while it was banned", sent)
		}
		s.After(10 * time.Second).Shows("LIVE").Lacks("limits").Rows("BTC/USDT desk-1")
	})
}

// TestResyncKeySendsOneRequestAMinuteDuringABan: the trader may know that the ban is over.
func TestResyncKeySendsOneRequestAMinuteDuringABan(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates()
		s.Node.SetStreamResponse(sim.Always, sim.Response{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		s.Node.Cut()
		s.After(5 * time.Second)
		before := streams(s)
		for range 10 {
			s.Press("r").After(time.Second)
		}
		if sent := streams(s) - before; sent != 1 {
			t.Errorf("%d streams were requested, want 1", sent)
		}
		s.Node.SetStreamResponse(0, sim.Response{})
		s.After(time.Minute).Shows("limits this address")
		s.Press("r").After(time.Second).Shows("LIVE")
	})
}

// streams returns how many streams were requested.
func streams(s *dashboardTest) int {
	n := 0
	for _, request := range s.Node.Requests() {
		if isStream(request) {
			n++
		}
	}
	return n
}

func TestIncompleteSnapshotIsNotShown(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.AwaitUpdates()
		s.Node.Remove(eth.Key())
		s.Node.Put(many(120)...)
		s.Node.HoldSnapshot(2)
		s.Node.Cut()
		s.After(5*time.Second).
			Shows("STALE", "Connection lost", "Loading snapshot: 100 positions, page 2").
			Rows("BTC/USDT desk-1", "ETH/USDT desk-2")
		s.Node.Cut()
		s.After(time.Second).Rows("BTC/USDT desk-1", "ETH/USDT desk-2")
		s.Node.Release()
		s.After(20*time.Second).Shows("121 open").Lacks("STALE", "ETH/USDT", "Loading")
	})
}

func TestOtherRowsAfterAnOutage(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.AwaitUpdates().Rows("BTC/USDT desk-1 +1.250", "ETH/USDT desk-2 -10.000")
		s.Listener.Kill()
		s.After(10 * time.Second).Shows("STALE")
		s.Node.Remove(btc.Key())
		for i, volume := range []int64{5, -77, 999000} {
			s.Node.Put(sim.Position{Party: fmt.Sprintf("e%d", i), Market: "b1", OpenVolume: volume})
		}
		s.Listener.Revive()
		s.After(30 * time.Second).Lacks("STALE").ShowsThePositionsOfTheService()
	})
}

func TestWrongAddressIsShown(t *testing.T) {
	desks := twoDesks()
	desks.feed.Dial = func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "sim.test", IsNotFound: true}
	}
	desks.run(t, func(s *dashboardTest) {
		s.Awaits(5*time.Second, "WAITING", `There is no host "sim.test". Retry`, "r retries now")
	})
}

func TestScopeWithoutPositions(t *testing.T) {
	desks := twoDesks()
	desks.options.Scope = model.Scope{Parties: []model.ID{model.MakeID("a1")}, Markets: []model.ID{model.MakeID("b1")}}
	desks.run(t, func(s *dashboardTest) {
		s.After(time.Second).Shows("LIVE", "No positions.")
		s.After(time.Minute).Shows("QUIET", "verified")
		s.Node.Update(btc)
		s.AwaitUpdates().Shows("LIVE").Rows("BTC/USDT desk-1 +1.250")
	})
}

// TestFreshnessWhereNoCheckIsAllowed: if a service bans requests for pages, a silent stream without audits cannot be
// checked.
func TestFreshnessWhereNoCheckIsAllowed(t *testing.T) {
	ban := sim.Response{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"60"}}}
	desks := twoDesks()
	desks.feed.Times.AuditEvery = -1
	desks.run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates()
		s.Node.SetMarginResponse(1, ban)
		s.After(15 * time.Second).Shows("QUIET 14s, not verified").Lacks("cannot be checked")
		s.After(30*time.Second).Shows("QUIET 44s, not verified", "Next check in 2").Lacks(", verified")
		s.After(22 * time.Second).Shows("QUIET 1m, not verified").Lacks("cannot be checked")
		s.Node.Update(btc)
		s.AwaitUpdates().Shows("LIVE 0s, not verified")
	})
}
