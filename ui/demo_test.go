package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/ui/keys"
)

// TestHintsOfTheDemo: one after the other in the second line, each with the keys as they are set and whole at 80
// columns, until a key is pressed or two minutes are over.
func TestHintsOfTheDemo(t *testing.T) {
	demo := func(o *Options) { watchAll(o); o.Demo = true }
	onScreen(t, 80, 24, demo, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		seen := make(map[string]bool)
		for range 10 {
			hint := s.lines()[1]
			if seen[hint] || hint == "" || strings.ContainsAny(hint, "{}…") {
				t.Errorf("the hint is %q", hint)
			}
			seen[hint] = true
			s.pass(12 * time.Second)
		}
		if line := s.lines()[1]; line != "" {
			t.Errorf("after two minutes: %q", line)
		}
	})
	onScreen(t, 80, 24, func(o *Options) { demo(o); o.Keys = keys.Settings{"detail": {"d"}} }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.sees("Any key ends these hints.")
		s.pass(25 * time.Second)
		s.sees(" d: all of a position")
		s.press("down")
		s.pass(5 * time.Second)
		s.seesNot("all of a position", "{")
	})
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.seesNot("hints")
	})
}
