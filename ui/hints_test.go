package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
	"blotter/ui/alerts"
)

// TestTheLastLineHasOnlyKeysThatDoSomething: wherever the trader is, each key of the last line changes the screen or
// ends the program.
func TestTheLastLineHasOnlyKeysThatDoSomething(t *testing.T) {
	rows := func(s *screen) { s.publish(whole(all, deskRows()...)) }
	empty := func(s *screen) { s.publish(whole(all)) }
	for _, size := range [][2]int{{80, 24}, {200, 60}}[:modeltest.Times(2)] {
		for _, place := range []struct {
			name  string
			shown func(*screen)
			keys  string
		}{
			{"positions", rows, ""}, {"nothing", empty, ""}, {"no rows yet", func(*screen) {}, ""}, {"frozen", rows, "f"}, {"grouped", rows, "b"},
			{"closed", rows, "c"}, {"margins", rows, "tab"}, {"no margins", empty, "tab"}, {"full screen", rows, "z"}, {"events", rows, "e"},
			{"alerts", rows, "!"}, {"connection", rows, "i"}, {"session", rows, "h"}, {"nothing in the session", empty, "h"}, {"help", rows, "?"},
			{"detail", rows, "enter"}, {"no detail", empty, "tab tab"}, {"side", rows, "shift+tab"}, {"palette", rows, ":"},
			{"nothing in the palette", rows, ": x x q"}, {"parties", rows, "p"}, {"markets", rows, "m d o g e"}, {"columns", rows, "C"}, {"market column", rows, "C down"},
			{"views", rows, "v"}, {"view 1", rows, "v down"}, {"filter", rows, "/"}, {"half a word", rows, "/ s t"}, {"what if", rows, "x"}, {"names", rows, "n"},
			{"baseline", rows, "B B"}, {"rewind", rows, "w"}, {"time", rows, "w w"}, {"search", rows, "? /"}, {"one line", rows, "? / u n a u d"}, {"many lines", rows, "? / b a c k"}, {"stale", brokenLink(model.Waiting, 0, "connection lost"), ""},
			{"nothing matches", rows, "/ x r p enter"}, {"naming a view", rows, "v down s"},
		} {
			t.Run(fmt.Sprintf("%s %dx%d", place.name, size[0], size[1]), func(t *testing.T) {
				var memory fakeMemory
				in := func(test func(*screen)) {
					onScreen(t, size[0], size[1], func(o *Options) {
						keepingPast(&memory)(o)
						o.Alerts = []alerts.Rule{distress}
					}, func(s *screen) {
						place.shown(s)
						s.pass(time.Second)
						s.press(strings.Fields(place.keys)...)
						test(s)
					})
				}
				var hinted []string
				in(func(s *screen) {
					for _, h := range s.m.hints() {
						if !strings.HasPrefix(h.Name, "replay_") { // the past of this test does not move
							hinted = append(hinted, h.Key)
						}
					}
				})
				for _, key := range hinted {
					in(func(s *screen) {
						before, settings := s.text(), s.m.store.Settings()
						s.press(key)
						now := s.m.store.Settings()
						isSet := !now.Equal(&settings) // for rows that come
						if s.text() == before && !isSet && !s.sentMsg("QuitMsg") {
							t.Errorf("%s does nothing:\n%s", key, before)
						}
					})
				}
			})
		}
	}
}
