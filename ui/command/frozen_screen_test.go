package command

import (
	"testing"
	"time"
)

// TestFrozenScreen: its rows do not change, but an outage is shown.
func TestFrozenScreen(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates().Press("f").Shows("FROZEN")
		changed := btc
		changed.OpenVolume = 9000
		s.Node.Update(changed, eth)
		s.After(5*time.Second).Rows("BTC/USDT desk-1 +1.250").Shows("LIVE 4s, not verified  FROZEN ", "s, 2 changes wait")
		s.Node.Cut() // an outage is shown on a frozen screen too
		s.Listener.Kill()
		s.After(5*time.Second).Rows("BTC/USDT desk-1 +1.250").Shows("FROZEN", "STALE")
		s.Listener.Revive()
		s.After(30*time.Second).Press("f").Lacks("FROZEN", "STALE").ShowsThePositionsOfTheService()
	})
}

// TestThePastOfAFrozenScreen has what came while the rows were frozen.
func TestThePastOfAFrozenScreen(t *testing.T) {
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc)
		s.AwaitUpdates().Press("f").After(10 * time.Second)
		changed := btc
		changed.OpenVolume = 9000
		s.Node.Update(changed)
		s.After(10 * time.Second).Rows("BTC/USDT desk-1 +1.250").Press("w").Shows("was QUIET 10s").Rows("BTC/USDT desk-1 +9.000")
		s.Press("esc").Shows("FROZEN", "QUIET 10s").Rows("BTC/USDT desk-1 +1.250").Press("f").Rows("BTC/USDT desk-1 +9.000")
		s.After(5*time.Second).Press("w").Rows("BTC/USDT desk-1 +9.000").Lacks("STALE", "frozen")
		s.Press("w").Press("-10s", "enter").Rows("BTC/USDT desk-1 +9.000").Lacks("STALE", "frozen")
		s.Press("w").Press("-10s", "enter").Rows("BTC/USDT desk-1 +1.250").Lacks("STALE", "frozen")
	})
}
