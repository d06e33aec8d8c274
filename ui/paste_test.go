package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// TestAPastedColumnOfParties marks each of them besides what is marked, and asks before it watches unknown ones.
func TestAPastedColumnOfParties(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1} }, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("p")
		s.send(tea.PasteMsg{Content: " desk-2\r\n\r\ndesk-3\ndesk-2\nnobody\nno one\n"})
		s.sees("5 marks, 2 not known here.", "[x] desk-1", "[x] desk-2", "[x] desk-3", "enter watches desk-1, desk-2, desk-3, nobody, no one")
		s.press("enter")
		s.sees("enter again watches nobody and another one, which are not known here.")
		s.press("enter")
		s.wantScope([]model.ID{desk1, desk2, desk3, model.MakeID("nobody"), model.MakeID("no one")}, nil)
	})
}

// TestAPastedRowIsText: with one line, or if it is cut at the end of the line.
func TestAPastedRowIsText(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("p")
		s.send(tea.PasteMsg{Content: "desk-2\n"})
		s.sees(" parties: desk-2", "[ ] desk-2")
		s.press("esc", "/")
		s.send(tea.PasteMsg{Content: "desk-2\teth\n"})
		s.sees(" / desk-2 eth")
	})
}

// TestAPastedColumnInAFilter is one term after a question.
func TestAPastedColumnInAFilter(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		column := tea.PasteMsg{Content: "desk-2\r\ndesk-3\r\nBTC:USDT\r\n"}
		s.press("/")
		s.write("side:long")
		s.send(column)
		s.sees(" / side:long", "3 lines pasted: enter for any of them, esc for none")
		s.press("esc")
		s.sees(" / side:long", "3 rows of 10")
		s.seesNot("pasted")
		s.send(column)
		s.press("enter")
		s.sees(` / side:long desk-2|desk-3|"BTC:USDT"`)
		s.sees("2 rows of 10")
		s.press("ctrl+u")
		s.write("party:")
		s.send(column)
		s.write("x") // what is typed is in place of an answer
		s.seesNot("pasted", "desk-3|")
		s.press("backspace")
		s.send(column)
		s.press("enter")
		s.sees(`/ party:desk-2|desk-3|"BTC:USDT"`)
		s.press("enter", "e", "/")
		s.send(column)
		s.press("enter")
		s.sees(`desk-2|desk-3|"BTC:USDT"`)
	})
}

// TestALongPastedColumn is refused as a whole, not cut.
func TestALongPastedColumn(t *testing.T) {
	var column strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&column, "acct-%d\n", i)
	}
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.send(tea.PasteMsg{Content: column.String()})
		s.sees("1,001 lines were pasted, more than a filter has room for")
		s.seesNot("acct-")
		s.press("esc", "p")
		s.send(tea.PasteMsg{Content: column.String()})
		s.sees("Nothing is marked: 1,001 lines were pasted, and 1,000 are the most.", "[x] all parties")
	})
}
