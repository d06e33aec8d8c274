package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/ui/pane"
)

// reversed returns the texts of the screen that are drawn reversed.
func (s *screen) reversed() []string {
	var texts []string
	on := string(s.m.colours.Styles.Reverse)
	for _, part := range strings.Split(s.m.draw().Content, on)[1:] {
		texts = append(texts, part[:strings.Index(part, "\x1b[")])
	}
	return texts
}

// TestSearchInEveryPageOfText: each place with the text is reversed, up and down go from one line to the next, and the
// table below is not filtered.
func TestSearchInEveryPageOfText(t *testing.T) {
	for page, word := range map[string]string{"?": "BaseLine", "i": "state", "h": "usdt", "enter": "eNtry"} {
		t.Run(page, func(t *testing.T) {
			onScreen(t, 80, 24, watchAll, func(s *screen) {
				s.publish(whole(all, deskRows()...))
				s.pass(time.Second)
				s.press(page, "/")
				s.write(word)
				found := s.reversed()
				if len(found) == 0 || slices.ContainsFunc(found, func(text string) bool { return !strings.EqualFold(text, word) }) {
					t.Fatalf("%q is searched, %q is reversed:\n%s", word, found, s.text())
				}
				s.sees(" / "+word, "line 1 of ")
				s.press("enter")
				s.seesNot(" / " + word)
				if len(s.reversed()) == 0 {
					t.Error("nothing is reversed any more")
				}
				s.press("/", "esc")
				if found := s.reversed(); len(found) > 0 {
					t.Errorf("after esc %q is reversed", found)
				}
				if _, isPage := s.m.steps.topPage().opened.(pane.TextPage); !isPage || s.m.store.Settings().Filter != "" {
					t.Error("the page was left, or the table filtered")
				}
			})
		})
	}
}

// TestSearchGoesFromLineToLine, in a page that is longer than the screen.
func TestSearchGoesFromLineToLine(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("?", "/")
		s.write("baseline")
		_, all := s.m.steps.topPage().opened.(pane.TextPage).AsPage().Found()
		if all < 2 {
			t.Fatalf("%d lines have the text", all)
		}
		for range 2 * all { // it stays at the last one
			s.press("down")
			if len(s.reversed()) == 0 {
				t.Fatalf("the line is not on the screen:\n%s", s.text())
			}
		}
		s.press("up", "down")
		last := s.text()
		s.press("up")
		s.sees(fmt.Sprintf("line %d of ", all-1))
		s.press("down")
		if got := s.text(); got != last {
			t.Errorf("down after up shows\n%s\nnot\n%s", got, last)
		}
		s.write(" is nowhere")
		s.sees("no line has this")
		s.press("esc", "/")
		s.write("Columns")
		s.press("backspace", "enter", "/")
		s.sees(" / column ") // what was searched is still there
	})
}

// TestSearchFromTheSide: the pane with the detail is a page of text too.
func TestSearchFromTheSide(t *testing.T) {
	onScreen(t, 200, 60, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("shift+tab", "/")
		s.write("margin rec")
		s.sees("line 1 of ")
		s.press("esc", "esc", "/")
		s.write("eth")
		s.sees("1 of 10 positions")
	})
}

// TestASearchHidesNoNotice: a notice is beside the text that is typed.
func TestASearchHidesNoNotice(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.press("?", "/")
		s.write("price")
		s.updates(worse("-90000"))
		s.sees(" / price   loss: ETH/USDT desk-1")
		s.pass(5 * time.Second)
		s.sees(" / price ", "line 1 of ")
		s.press("pgup", "y", "backspace")
		s.sees(" / price ", "line 1 of ")
	}, ruleOf("loss", "upnl<-800", ""))
}
