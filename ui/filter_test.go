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
		s.write("sol statis:d")
		const words = `unknown field "statis"; fields: party market asset side status`
		s.sees(" / sol statis:d   " + words + "\n")
		s.wantMarkets("SOL") // the rows are as before the word that is not understood
		s.press("enter")
		s.sees(" / sol statis:d   " + words) // still open
		s.press("ctrl+c")
		s.sees(" / sol statis:d   ctrl+c again quits.")
		s.press("esc", "/")
		s.write("xrp")
		s.sees("No position matches; esc clears the filter\n", "No position matches; esc clears the filter.\n")
		s.seesNot("unknown field")
	})
}

// TestTheFirstFilterMayNotBeUnderstood: it comes from the configuration.
func TestTheFirstFilterMayNotBeUnderstood(t *testing.T) {
	change := func(o *Options) {
		watchAll(o)
		o.Filter = "sol statis:d"
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.wantMarkets("SOL")
		s.sees("[sol]", `Filter: unknown field "statis"`)
	})
}

// TestTheWordsOfAnEmptyTableAreTrue: esc clears the filter only where the filter is the latest step.
func TestTheWordsOfAnEmptyTableAreTrue(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("xrp")
		s.press("enter")
		s.sees("No position matches; esc clears the filter.")
		s.press("tab")
		s.sees("No position matches; / and esc clears the filter.")
		s.press("esc", "esc")
		s.seesNot("No position matches")
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
