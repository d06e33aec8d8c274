package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

func isStream(request sim.Request) bool { return strings.Contains(request.URI, "/stream/positions") }

// TestOnlyGETRequestsAreSent whatever key is pressed, and whatever error occurs.
func TestOnlyGETRequestsAreSent(t *testing.T) {
	tenOnAPage().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		levels(s, 35)
		keys := []string{"tab", "enter", "esc", "space", "up", "down", "left", "right", "\x1b[Z", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x0c"}
		for key := '!'; key <= '~'; key++ {
			if key != 'q' {
				keys = append(keys, string(key))
			}
		}
		for range 2 { // once in the positions, once in the margin levels
			for _, key := range keys {
				s.Type("esc", key, "enter")
			}
			s.Press("esc", "esc", "esc", "tab")
			keys = []string{"up", "down", "left", "right", "g", "G", "o", "+", "-", "y", "r", "p", "m"}
			s.Node.Drop()
			s.Listener.Kill()
			s.After(10 * time.Second)
			s.Listener.Revive()
			s.After(10 * time.Second)
		}
		kinds := map[bool]int{}
		for _, request := range s.Node.Requests() {
			kinds[isStream(request)]++
			if request.Method != "GET" {
				t.Errorf("%s %s", request.Method, request.URI)
			}
		}
		if kinds[true] < 5 || kinds[false] < 10 {
			t.Errorf("only %d streams and %d pages were requested", kinds[true], kinds[false])
		}
	})
}
