package ui

import (
	"strings"
	"testing"
	"time"
)

// TestASCIIOnTheScreen: keys have words in place of arrows, and the help has no character outside ASCII.
func TestASCIIOnTheScreen(t *testing.T) {
	onScreen(t, 120, 60, func(o *Options) { o.Looks.ASCII = true }, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(time.Second)
		s.sees(">ETH/USDT  desk-1 ", "uPNL ^", "* MARK", "- Margin levels | newest first", " a3f9~81c2 ")
		s.press("?")
		s.sees(" up/k ", " left ", "pgdown/ctrl+f")
		if text := s.text(); strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
			t.Error(text)
		}
	})
}
