package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/model/modeltest"
)

// lastLine is the line of the keys.
func (s *dashboardTest) lastLine() string {
	lines := s.terminal.lines()
	return strings.TrimRight(lines[len(lines)-1], " ")
}

// placesOfKeys are the parts of the screen that keys act on, each with the keys that lead to it: every pane, page and
// overlay, and what can be selected in them.
var placesOfKeys = []struct{ name, keys string }{
	{"positions", ""}, {"first rows", "g"}, {"selected row", "down down"}, {"marked row", "down a"}, {"heading", "b"}, {"row of a group", "b down"},
	{"margin levels", "tab"}, {"full screen", "z"}, {"filtered", "/ u p n l < 0 enter"}, {"nothing matches", "/ x r p enter"}, {"frozen", "f"},
	{"detail", "enter"}, {"detail of a group", "b enter"}, {"session", "h"}, {"exposure", "x tab"}, {"matrix", "x tab tab"}, {"table of what if", "x down"},
	{"days", "x tab tab tab"}, {"events", "e"}, {"event", "e down"}, {"alerts", "!"}, {"line of alerts", "! down down"}, {"connection", "i"}, {"help", "?"},
	{"filter", "/"}, {"parties", "p"}, {"markets", "m"}, {"orders", "s"}, {"columns", "C"}, {"column", "C down down"}, {"views", "v"}, {"view", "v down"},
	{"what if", "x"}, {"names", "down n"}, {"palette", ":"}, {"search", "? /"}, {"baseline", "B B"}, {"export", "D"}, {"rule", "! n"}, {"rewind", "w"}, {"time", "w w"},
}

// TestTheLastLineStaysWhileDataComes: in each place it has the same keys during a minute of a service with faults, or a
// fifth of it if the tests are not thorough. From 120 cells on, it has those of the pages that are used most, unless
// text is typed or a dialog takes all keys.
func TestTheLastLineStaysWhileDataComes(t *testing.T) {
	sizes := [][2]int{{120, 40}, {80, 24}}
	for i, place := range placesOfKeys {
		for j, size := range sizes {
			if !modeltest.IsThorough && i%len(sizes) != j {
				continue
			}
			t.Run(fmt.Sprintf("%s %dx%d", place.name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				on := setup{width: size[0], height: size[1],
					service: sim.Config{Seed: 3, Parties: 3, Markets: 3, Rate: 3, Faults: faulty.New(uint64(i)+1, nil)}}
				on.run(t, func(s *dashboardTest) {
					s.After(3 * time.Second).Type(strings.Fields(place.keys)...)
					s.checkLastLine(size[0])
				})
			})
		}
	}
}

// checkLastLine checks the last line for a minute, or for a fifth of it.
func (s *dashboardTest) checkLastLine(width int) {
	s.t.Helper()
	s.AwaitUpdates()
	first := s.lastLine()
	for range modeltest.Times(60) {
		if now := s.After(time.Second).lastLine(); now != first {
			s.t.Errorf("the last line was\n%s\nand is\n%s\n%s", first, now, s.Screen())
			return
		}
	}
	wanted := []string{"?"}
	if width >= 120 {
		wanted = []string{"x", "h", "w", "!", "?"}
	}
	words := strings.Fields(first)
	for _, key := range wanted {
		if strings.Contains(first, "quit") && !slices.Contains(words, key) {
			s.t.Errorf("%s is not in the last line %q", key, first)
		}
	}
}
