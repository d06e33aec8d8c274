package ui

import (
	"testing"
	"time"

	"blotter/model"
)

// TestColumnsThatAreHiddenAtFirst are shown while the rows are sorted by them.
func TestColumnsThatAreHiddenAtFirst(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(3 * time.Second)
		s.seesNot("% ENTRY", "LEVERAGE", " MM ▲", "TODAY ▲")
		s.press("s", "n")
		s.sees(" MM ▲ ")
		s.rowHas("ETH/USDT", "1,200.00")
		s.press("s", "E")
		s.sees(" % ENTRY ▲ ")
		s.rowHas("ETH/USDT", "-1.3%") // -449.20 of 10 × 3,410.10
		s.press("s", "l")
		s.seesNot("LEVERAGE", " MM ▲", "% ENTRY") // no margin is isolated, so the column is empty
		first := deskRows()[3]
		first.SetNumber(model.RealisedPnl, model.ParseAmount("-110402"))
		s.publish(updatesOf(s.m.store.Subscriptions()[2], first))
		s.press("s", "d")
		s.sees(" TODAY ▲ ")
		s.rowHas("▌LINK/USDT", " -60.00 ")
		s.press("s", "s")
		s.sees(" TODAY ▼ ")
	})
}
