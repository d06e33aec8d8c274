package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/ui/topics"
)

// TestTopicsOnTheScreen: each topic is a page that esc closes, and ? has those about the screen below the keys.
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
		for range 30 {
			page.WriteString(s.text())
			s.press("pgdown")
		}
		for _, words := range []string{"filters the rows after each key", "old data", "An alert begins", "What if", "blotter doctor"} {
			if !strings.Contains(page.String(), words) && !strings.Contains(page.String(), strings.ToUpper(words)) {
				t.Errorf("help does not say %q", words)
			}
		}
	})
}
