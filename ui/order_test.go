package ui

import (
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
)

func inTrouble(o *Options) { o.Order = view.Order{Column: view.TroubleColumn} }

func troubleScreen(t *testing.T, test func(s *screen)) {
	t.Helper()
	onScreen(t, 80, 24, inTrouble, func(s *screen) {
		s.publish(deskDelta(s))
		test(s)
	})
}

func TestTheWorstIsFirst(t *testing.T) {
	troubleScreen(t, func(s *screen) {
		s.sees("uPnL/MM ▲")
		s.wantMarkets("ETH", "SOL", "BTC", "DOGE", "BTC", "LINK") // those without a margin record are before those that win
		s.press("T")
		s.sees("The worst are first already.")
		s.wantMarkets("ETH", "SOL", "BTC", "DOGE", "BTC", "LINK")
		s.press("s", "u")
		s.sees("uPnL ▲")
		s.press("T")
		s.sees("uPnL/MM ▲", "The worst first: distressed, closed out, then by uPnL/MM.")
		s.press("T")
		s.sees("uPnL ▲")
		s.press("s", "u")
		s.sees("uPnL ▼")
		s.wantMarkets("BTC", "DOGE", "LINK", "BTC", "SOL", "ETH")
	})
}

// TestTheCursorIsOnTheWorstRow until the trader moves it: then it stays on that row.
func TestTheCursorIsOnTheWorstRow(t *testing.T) {
	troubleScreen(t, func(s *screen) {
		sol := func(profit string) {
			s.publish(updatesOf(s.m.store.Subscriptions()[0], position(desk1, solMarket, "42000", "148220", profit, "8841", model.StatusDistressed, 0)))
		}
		sol("-300000")
		s.wantMarkets("SOL", "ETH", "BTC", "DOGE", "BTC", "LINK")
		s.wantCursor("SOL")
		s.press("down")
		s.wantCursor("ETH")
		sol("-1000")
		s.wantMarkets("ETH", "SOL", "BTC", "DOGE", "BTC", "LINK")
		s.wantCursor("ETH")
		sol("-300000")
		s.wantCursor("ETH")
		s.press("g")
		s.wantCursor("SOL")
		sol("-1000")
		s.wantCursor("ETH")
		s.press("enter")
		sol("-300000")
		s.press("esc")
		s.wantCursor("ETH") // its detail was open
	})
}

// TestSortingShowsTheTop: the cursor stays on its row if that is on the first screen, else it is on the first row.
func TestSortingShowsTheTop(t *testing.T) {
	troubleScreen(t, func(s *screen) {
		s.press("s", "r")
		s.wantCursor("LINK")
		s.press("s", "r")
		s.wantCursor("ETH")
		s.press("down")
		s.wantCursor("SOL")
		s.press("s", "u")
		s.wantCursor("SOL")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 10}) // 5 rows
		s.press("s", "u")
		s.wantMarkets("BTC", "DOGE", "LINK", "BTC", "SOL")
		s.wantCursor("SOL")
		s.press("end")
		s.wantCursor("ETH")
		s.press("c")                                            // 10 rows
		for _, key := range []string{"z", "r", "T", "a", "u"} { // each sorts in another way
			if s.press("end"); key != "T" {
				s.press("s")
			}
			s.press(key)
			if rows := s.m.positions.Rows; rows.Top() != 0 || rows.Place() >= rows.Height() {
				t.Errorf("sorted with %s, %d rows are above the screen, and the cursor is on row %d", key, rows.Top(), rows.Place())
			}
		}
	})
}

// TestEachColumnHasALetter in the list of orders, and the same letter again, or the key of the list twice, reverses.
func TestEachColumnHasALetter(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("B")
		s.pass(time.Second)
		letters := make(map[string]bool)
		for _, c := range view.Columns() {
			if !c.IsSortable() {
				continue
			}
			s.press("s")
			at := regexp.MustCompile(`(?m)^[ ▌](\S)  ` + regexp.QuoteMeta(columns.Title(c)) + `(  .*)?$`).FindStringSubmatch(s.text())
			if at == nil || letters[at[1]] {
				t.Fatalf("%s has no letter of its own:\n%s", columns.Title(c), s.text())
			}
			letters[at[1]] = true
			s.press(at[1])
			if order := s.m.store.Settings().Order; order.Column != c && at[1] != "m" {
				t.Errorf("%s sorts by %v", at[1], order)
			}
			before := s.m.store.Settings().Order
			s.press("s", "s")
			if order := s.m.store.Settings().Order; order.Column != before.Column || order.Descending == before.Descending {
				t.Errorf("after %v, the order is %v", before, order)
			}
		}
	})
}

// TestAPositionWithoutAMarginRecordIsMarked once all were read; a closed one is not.
func TestAPositionWithoutAMarginRecordIsMarked(t *testing.T) {
	troubleScreen(t, func(s *screen) {
		s.press("c")
		for _, line := range s.lines() {
			open := strings.Contains(line, "network") || strings.Contains(line, "a3f9…81c2")
			if isRow := strings.Contains(line, "/USDT") && !strings.Contains(line, "─"); isRow && strings.Contains(line+" ", " none ") != open {
				t.Errorf("the row is %q", line)
			}
		}
	})
}

// TestARatioOfAnOldRecordIsMarkedInItsRow, also in the detail: see TestARatioOfAnOldRecordIsMarked.
func TestARatioOfAnOldRecordIsMarkedInItsRow(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.recordedAgo(columns.OldRecord - 2*model.MarginRefresh)
		s.seesNot("old -37.4%")
		s.recordedAgo(columns.OldRecord)
		s.sees("old -37.4%")
	})
}

func (s *screen) wantCursor(market string) {
	s.t.Helper()
	if line := s.cursorLine(); !strings.HasPrefix(line, "▌"+market+"/USDT") {
		s.t.Errorf("the cursor is on %q, want %s", line, market)
	}
}
