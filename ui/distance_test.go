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
			s.press(":")
			s.write("sort by column ≈ to -100%")
			s.press("enter")
			s.sees("≈ TO -100% ▲")
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

// TestGoldenGrid: what each party would have if all mark prices changed, and how many positions are beyond a limit
// then. ETH of desk-1 needs +0.4%, SOL -2.3%, BTC of desk-2 -2.9% and LINK -3.1% for -50%.
func TestGoldenGrid(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}} {
		onScreen(t, size[0], size[1], nil, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(3 * time.Second)
			s.press("x")
			s.pass(4 * time.Second)
			s.golden("grid-" + name)
			s.fits(size[0], size[1])
		})
	}
}

// TestTheGridInAWhatIf has what is and what would be: a grid would change prices that were changed.
func TestTheGridInAWhatIf(t *testing.T) {
	memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 12, 0, 0, time.UTC)}
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, changed(0, "-10000", "-50000", "100210")))
		s.pass(10 * time.Minute)
		s.press("x")
		s.write("all +2%")
		s.press("enter")
		s.pass(4 * time.Second)
		s.sees("WHAT IF ETH/USDT +2%", "ΔuPnL", "-691.00", "-1,140.20", "-95.0%") // 10 × 3,455.02 × 2 %
		s.press("x")
		s.pass(4 * time.Second)
		s.sees(
			" NAME                   uPnL    ≈ WOULD BE    ≈ CHANGE    uPnL/MM    ≈ WOULD BE",
			" total               -449.20     -1,140.20     -691.00",
			" -50% or less              0             1",
			" -100% or less             0             0",
			" desk-1              -449.20     -1,140.20     -691.00",
			" ETH/USDT desk-1     -449.20     -1,140.20     -691.00     -37.4%        -95.0%",
		)
		s.press("esc", "esc")
		s.seesNot("ΔuPnL") // the change is no baseline of the service
		s.press("x")
		s.pass(4 * time.Second)
		s.sees("─ [what if] · ", " uPnL · USDT", "+2,960.10")
	})
}
