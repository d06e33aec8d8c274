package ui

import (
	"testing"
	"time"

	"blotter/ui/persist"
)

// TestAQuietAlert rings no bell and calls no program when it begins, for fifteen minutes, also in the next run. It is
// counted and marked as before, and its program gets the end of what it knows.
func TestAQuietAlert(t *testing.T) {
	well := worse("60000")
	well.SetStatus([]byte("0"))
	rule := ruleOf("distress", "status:distressed", "")
	var state persist.State
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		wantText(t, "the command", events(), "+distress 1")
		s.raised()
		s.press("!", "s") // on the newest line of the log, which is of that rule
		s.sees("Alert distress is quiet until 14:17:09: no bell, notification or program.")
		s.logHas("distress status:distressed quiet until 14:17:09; 1 now, 1 began")
		s.updates(well)
		wantText(t, "the command", events(), "-distress 1")
		s.updates(worse("-60000"))
		wantText(t, "the command", events(), "")
		wantText(t, "the terminal", s.raised(), "")
		s.press("esc")
		s.sees("ALERT distress 1, 1 new ", "\n!ETH/USDT  desk-1")
		state = s.m.State()
	}, rule)
	alertScreen(t, func(o *Options) { o.Use(&state, func(string) bool { return false }) }, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		wantText(t, "the command in the next run", events(), "")
		s.press("!", "g", "s")
		s.sees("Alert distress is heard again.")
		s.updates(well)
		s.updates(worse("-60000"))
		wantText(t, "the command", events(), "+distress 1, -distress 1")
		s.press("s")
		s.publish(updatesOf(all, well))
		s.pass(16 * time.Minute)
		s.raised()
		s.updates(worse("-60000"))
		if s.raised() == "" {
			t.Error("after fifteen minutes nothing rings")
		}
	}, rule)
}
