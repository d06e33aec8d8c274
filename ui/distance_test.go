package ui

import (
	"strings"
	"testing"
	"time"
)

// TestGoldenDistances: the nearest position is first. Its detail says at which changes of the price uPnL/MM is at the
// limits.
func TestGoldenDistances(t *testing.T) {
	for size, cells := range map[string][2]int{"-80x24": {80, 24}, "-120x40": {120, 40}} {
		onScreen(t, cells[0], cells[1], nil, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(3 * time.Second)
			s.press(":")
			s.write("distance")
			s.press("enter", "g")
			s.golden("distance" + size)
		})
	}
}

// TestAPassedLimit, and a filter that finds the positions near to it.
func TestAPassedLimit(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(3 * time.Second)
		s.publish(updatesOf(s.m.store.Subscriptions()[0], worse("-60000")))
		s.press(":")
		s.write("distance")
		s.press("enter", "g", "enter")
		s.sees("≈ price to limits  ETH/USDT -50% passed, +1.7% → -100%; balances are not known")
		s.press("esc", "/")
		s.write("to50<1")
		s.press("enter")
		s.sees("1 of 10 positions", "▌ETH/USDT")
		s.press("/", "ctrl+u")
		s.write("to50<-1")
		if !strings.Contains(s.text(), "to50 has no sign") {
			t.Errorf("a negative distance is taken:\n%s", s.text())
		}
	})
}
