package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestFieldsOfAFilterAreTold(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.sees("/  words, or party: market: asset: side: status:", "6 rows of 10  esc clears")
		s.write("size:1")
		s.sees(`Nothing matches "size:1". Esc clears the filter.`, "size: is no field. There are party: market: asset: side: status:")
		s.press("esc", "/")
		s.write("xrp")
		s.seesNot("is no field")
	})
}

// TestEscTwiceAtOnce: a terminal tells of that as of another key.
func TestEscTwiceAtOnce(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("xrp")
		s.seesNot("6 rows")
		s.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
		s.sees("6 rows")
		s.press("p")
		s.sees("all parties", "[ ]")
		s.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
		s.seesNot("[ ]")
	})
}
