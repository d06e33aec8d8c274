package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/ui/topics"
)

// TestTopicsOnTheScreen: each topic is a page that esc closes. ? has two of them below the keys, and lists the others.
func TestTopicsOnTheScreen(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		for _, topic := range topics.All() {
			s.start(s.m.show(topicKind + topic.Name))
			s.pass(time.Second)
			s.sees("─ help: " + topic.Title)
			s.press("esc")
			s.seesNot("─ help: ")
		}
		s.press("?")
		var page strings.Builder
		for range 40 {
			page.WriteString(s.text())
			s.press("pgdown")
		}
		for _, words := range []string{"filters the rows after each key", "old data", "What if", ": help alerts", ": help troubleshooting"} {
			if !strings.Contains(page.String(), words) && !strings.Contains(page.String(), strings.ToUpper(words)) {
				t.Errorf("help does not say %q", words)
			}
		}
	})
}

// TestHelpBeginsWithTheKeysOfADay: twenty lines with a heading, whatever keys do nothing now.
func TestHelpBeginsWithTheKeysOfADay(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.press("?")
		lines := s.lines()
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, " the keys of a day") })
		if at < 0 || lines[at+20] != "" {
			t.Fatalf("help does not begin with twenty lines:\n%s", s.text())
		}
		for i, key := range strings.Fields("/ p m T s b enter tab x h w B ! i a O D esc :") {
			if words := strings.Fields(lines[at+1+i]); len(words) < 2 || words[0] != key || strings.HasPrefix(words[1], "(") {
				t.Errorf("line %d of help is not about %s: %q", i+2, key, lines[at+1+i])
			}
		}
	})
}

// TestTitlesOfTopicsOnANarrowScreen are whole.
func TestTitlesOfTopicsOnANarrowScreen(t *testing.T) {
	onScreen(t, 40, 10, watchAll, func(s *screen) {
		s.press("?", "/")
		s.write("language of filters")
		s.press("enter")
		s.sees("ARE SHOWN:", "THE LANGUAGE OF FILTERS")
	})
}
