package ui

import (
	"fmt"
	"strings"
	"testing"
)

// TestMarkedRowsAreCopied in the order of the table, whatever the cursor is on, and those that a filter hides are said.
func TestMarkedRowsAreCopied(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("a", "down", "down", "a")
		s.sees("2 rows marked: y copies, X copies as CSV, O makes a group, u unmarks all.", "*ETH/USDT", "*BTC/USDT")
		s.press("down", "y")
		s.sees("Sent to the terminal's clipboard: 2 marked rows below a heading.")
		s.wantCopied("market\tmarket id", "ETH/USDT\t", "BTC/USDT\t")
		s.press("X")
		s.sees("Sent to the terminal's clipboard: 2 marked rows as CSV.")
		s.wantCopied("party,market,", "desk-1,ETH/USDT,", "network,BTC/USDT,")
		s.press("/")
		s.write("eth")
		s.press("enter", "y")
		s.sees("1 marked row below a heading, 1 not shown.")
		s.press("u")
		s.sees("No row is marked.")
		s.seesNot("*ETH")
		s.press("X")
		s.sees("Sent to the terminal's clipboard: 1 row as CSV.")
	})
}

// wantCopied checks how the lines begin that were copied last.
func (s *screen) wantCopied(want ...string) {
	s.t.Helper()
	lines := strings.Split(strings.TrimSpace(fmt.Sprint(s.sent[len(s.sent)-1])), "\n")
	for i, line := range lines {
		if len(lines) != len(want) || !strings.HasPrefix(line, want[i]) {
			s.t.Errorf("line %d is %q; want %q", i, line, want)
		}
	}
}
