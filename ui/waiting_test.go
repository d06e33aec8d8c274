package ui

import (
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/spinner"
)

// TestASpinnerTurnsWhileDataIsAwaited, and no longer: each turn draws a frame.
func TestASpinnerTurnsWhileDataIsAwaited(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		turns := func() (n int) {
			for _, msg := range s.sent {
				if _, is := msg.(spinner.TickMsg); is {
					n++
				}
			}
			return n
		}
		seen := make(map[string]bool)
		for range 10 {
			time.Sleep(100 * time.Millisecond)
			s.drain()
			for _, line := range s.lines() {
				if mark, _, is := strings.Cut(strings.TrimSpace(line), " Connecting"); is {
					seen[mark] = true
				}
			}
		}
		if len(seen) < 5 {
			t.Errorf("within a second the spinner was %v", seen)
		}
		s.publish(deskDelta(s))
		s.pass(time.Second)
		before := turns()
		s.pass(10 * time.Second)
		if after := turns(); before == 0 || after != before {
			t.Errorf("it turned %d times until the data was there, and %d times after", before, after-before)
		}
	})
}
