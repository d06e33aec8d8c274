package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestAFilterThatCannotBeUnderstood is an error beside what is typed, and not only an empty table.
func TestAFilterThatCannotBeUnderstood(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.sees("/  words, or party: market: asset: side: status:", "6 rows of 10  esc clears")
		s.write("statis:d")
		const words = `unknown field "statis"; fields: party market asset side status`
		s.sees(" / statis:d", words+"\n", "No position matches. Esc clears the filter.\n")
		s.press("enter") // kept, so that nothing else says it
		s.sees(words)
		s.press("esc", "/")
		s.write("xrp")
		s.sees("No position matches; esc clears", "No position matches. Esc clears the filter.")
		s.seesNot("unknown field")
	})
}

// TestEscTwiceAtOnce: a terminal sends that as another key.
func TestEscTwiceAtOnce(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("xrp")
		s.seesNot("6 of 10 positions")
		s.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
		s.sees("6 of 10 positions")
		s.press("p")
		s.sees("all parties", "[ ]")
		s.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
		s.seesNot("[ ]")
	})
}

// TestAKeptFilterIsOnTheFirstLine, because nothing else says why rows are missing.
func TestAKeptFilterIsOnTheFirstLine(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("side:long")
		s.seesNot("[side:long]")
		s.press("enter")
		for width := 44; width <= 160; width++ {
			s.send(tea.WindowSizeMsg{Width: width, Height: 24})
			if line := s.lines()[0]; !strings.Contains(line, "[side:long]") {
				t.Errorf("%d wide: %s", width, line)
			}
		}
		s.press("esc")
		s.seesNot("[side:long]")
	})
}
