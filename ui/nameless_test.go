package ui

import (
	"strings"
	"testing"

	"blotter/model"
	"blotter/ui/detail"
)

func TestPositionsThatTheServiceDoesNotName(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all,
			position(model.ID{}, btcMarket, "1", "1", "1", "1", model.StatusUnspecified, 0),
			position(desk1, model.ID{}, "1", "1", "2", "1", model.StatusUnspecified, 0)))
		s.sees("▌BTC/USDT    (none)")
		s.press("P")
		s.sees("The service names no party here.")
		s.wantScope(nil, nil)
		s.press("enter", "end")
		s.sees("party id           (none)")
		s.press("esc", "down")
		if line := s.cursorLine(); !strings.HasPrefix(line, "▌(none)      desk-1") {
			t.Errorf("the cursor is on %q", line)
		}
		s.press("M")
		s.sees("The service names no market here.")
		s.wantScope(nil, nil)
		s.press("enter", "end")
		s.sees("market id          (none)")

		before := len(s.source.requests)
		s.pass(detail.RequestDelay)
		s.sees("No margin levels without both a party and a market.")
		if len(s.source.requests) != before {
			t.Errorf("all levels were requested in place of those of one position: %+v", s.source.requests[before:])
		}
	})
}
