package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
)

// ethOf is ETH/USDT of desk-1 with a size, unrealised and realised PnL, and a status.
func ethOf(size, unrealised, realised string, status model.Status) model.Position {
	return position(desk1, ethMarket, size, "341010", unrealised, realised, status, 0)
}

// wellRows are deskRows with ETH/USDT of desk-1 before it is in trouble.
func wellRows() []model.Position {
	return append([]model.Position{ethOf("-10000", "-10000", "100210", model.StatusUnspecified)}, deskRows()[1:]...)
}

// closeOut makes ETH/USDT of desk-1 distressed, worse, and closed out. Before it is in trouble its uPnL is -100.00 and
// its rPnL +1,002.10; it ends with an rPnL of -202.67: realised are -1,204.77, and -1,104.77 with the uPnL.
func (s *screen) closeOut() {
	for _, p := range []model.Position{
		ethOf("-10000", "-50000", "100210", model.StatusDistressed),
		ethOf("-10000", "-90000", "100210", model.StatusOrdersClosed), ethOf("0", "0", "-20267", model.StatusClosedOut),
	} {
		s.publish(updatesOf(all, p))
		s.pass(time.Second)
	}
}

// TestGoldenCloseOut: the row stays for a minute, dim, with its story after its status, and line 2 says it once, on
// every size of the screen.
func TestGoldenCloseOut(t *testing.T) {
	for _, c := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, c.width, c.height, watchAll, func(s *screen) {
			s.publish(whole(all, wellRows()...))
			s.pass(8 * time.Second)
			s.press("g", "down")
			s.closeOut()
			s.sees("CLOSED OUT: ETH/USDT desk-1, was")
			if c.width >= 80 {
				s.sees("was -10.000, realised -1,204.77 USDT, -1,104.77")
			}
			s.press("L")
			row := ""
			for _, line := range s.lines() {
				if strings.Contains(line, "3,410.10") && strings.Contains(line, "CLOSED OUT") && (c.width < 80 || strings.Contains(line, "-1,204.77")) {
					row = line
				}
			}
			if row == "" {
				t.Errorf("no row has what it cost:\n%s", s.text())
			}
			if !s.dimLine(strings.TrimSpace(strings.TrimLeft(row, "▌"))) && !strings.Contains(styledLine(s, strings.Trim(row, "▌ ")), string(s.m.colours.Styles.Table().StaleCursor)) {
				t.Errorf("the row is not dim: %q", styledLine(s, strings.Trim(row, "▌ ")))
			}
			s.golden(fmt.Sprintf("close-out-%dx%d", c.width, c.height))
			s.pass(50 * time.Second)
			s.sees("CLOSED OUT")
			s.seesNot("CLOSED OUT: ")
			s.pass(11 * time.Second)
			for _, line := range s.lines() {
				if c.width < 80 && strings.Contains(line, "CLOSED OUT") || strings.Contains(line, "CLOSED OUT -1,204.77") || strings.Contains(line, "ago, realised -1,204.77") {
					t.Errorf("the row is still there: %q", line)
				}
			}
		})
	}
}

// TestManyCloseOutsAreToldTogether in one line.
func TestManyCloseOutsAreToldTogether(t *testing.T) {
	onScreen(t, 200, 60, watchAll, func(s *screen) {
		s.publish(whole(all, wellRows()...))
		s.pass(8 * time.Second)
		s.publish(updatesOf(all,
			ethOf("0", "0", "0", model.StatusClosedOut), position(desk1, solMarket, "0", "0", "0", "0", model.StatusClosedOut, 0)))
		s.sees("2 positions CLOSED OUT: ETH/USDT desk-1, realised -1,002.10 USDT; SOL/USDT desk-1, realised -88.41 USDT.")
	})
}

// TestTheDetailStaysWithItsPosition when it is closed out, and when a filter or the scope leaves it out, until the
// trader goes to another row.
func TestTheDetailStaysWithItsPosition(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, wellRows()...))
		s.pass(8 * time.Second)
		s.press("g", "down", "enter")
		s.sees("─ ETH/USDT · desk-1")
		s.closeOut()
		s.pass(2 * time.Minute)
		s.sees("─ ETH/USDT · desk-1", "CLOSED OUT", "was -10.000, realised -1,204.77 USDT", "closed: its row is hidden", "2m ago")
		s.press("J")
		s.seesNot("─ ETH/USDT · desk-1", "CLOSED OUT")
	})
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(8 * time.Second)
		s.filter("upnl<-400")
		s.press("enter")
		s.publish(updatesOf(all, ethOf("-10000", "5000", "100210", model.StatusUnspecified)))
		s.sees("─ ETH/USDT · desk-1", "its row is hidden: the filter leaves it out", "+50.00")
		s.press("esc")
		s.filter("")
		s.press("g", "enter")
		s.sees("─ SOL/USDT · desk-1")
		s.publish(removed(all, "SOL/USDT"))
		s.sees("─ SOL/USDT · desk-1", "the service has it no longer")
	})
}

// removed is a snapshot without the rows of a market.
func removed(of model.Subscription, market string) book.Delta {
	var rows []model.Position
	for _, p := range deskRows() {
		if deskInstruments().Market(p.Market).Name != market {
			rows = append(rows, p)
		}
	}
	return whole(of, rows...)
}

// TestTheDetailOfAPositionThatIsOpenedAgain still has its close-out, without a warning.
func TestTheDetailOfAPositionThatIsOpenedAgain(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, wellRows()...))
		s.pass(8 * time.Second)
		s.press("g", "down")
		s.closeOut()
		s.sees("─ ETH/USDT · desk-1", " CLOSED OUT 14:02:15 CET, ") // below the table
		s.press("enter")
		s.updates(ethOf("5000", "-1000", "-20267", model.StatusUnspecified))
		s.sees("─ ETH/USDT · desk-1", "closed out         14:02:15 CET, ", "was -10.000, realised -1,204.77 USDT, -1,104.77 USDT since before the trouble;", "opened again", "+5.000   long")
		s.seesNot("CLOSED OUT")
		s.send(tea.WindowSizeMsg{Width: 40, Height: 10}) // no room for it before the numbers
		s.sees("uPnL               -10.00", "size               +5.000   long")
		s.seesNot("closed out")
		s.press("esc")
		s.seesNot("CLOSED OUT")
	})
}

// TestARowThatIsKeptObeysTheFilter as it is now, and line 2 and the page of alerts tell what has happened anyway.
func TestARowThatIsKeptObeysTheFilter(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, wellRows()...))
		s.pass(8 * time.Second)
		s.filter("upnl<-80")
		s.closeOut()
		s.sees("CLOSED OUT: ETH/USDT desk-1", "1 of 10 positions") // its uPnL is 0
		s.seesNot("CLOSED OUT -1,204.77")
		s.filter("upnl<80")
		s.sees("CLOSED OUT -1,204.77")
		s.filter("/zzz")
		s.seesNot("CLOSED OUT -1,204.77")
		s.press("!")
		s.sees("ETH/USDT", "CLOSED OUT")
	})
}

// TestACloseOutInPlainWords says what it cost, and at once that the position is closed.
func TestACloseOutInPlainWords(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.publish(whole(all, wellRows()...))
		r.written = nil
		r.publish(updatesOf(all, ethOf("-10000", "-10000", "100210", model.StatusUnspecified)))
		r.pass(2 * time.Second)
		r.publish(updatesOf(all, ethOf("0", "0", "-20267", model.StatusClosedOut)))
		r.pass(2 * time.Second)
		written := strings.Join(r.written, "\n")
		for _, want := range []string{"CLOSED OUT: ETH/USDT desk-1, was -10.000, realised -1,204.77 USDT, -1,104.77 USDT since before the trouble.", "Closed, ETH/USDT desk-1, CLOSED OUT."} {
			if !strings.Contains(written, want) {
				t.Errorf("%q is not in\n%s", want, written)
			}
		}
	})
}

// TestACloseOutThatASnapshotHasShown happened at some time before.
func TestACloseOutThatASnapshotHasShown(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, wellRows()...))
		s.pass(8 * time.Second)
		rows := deskRows()
		rows[0] = ethOf("0", "0", "-20267", model.StatusClosedOut)
		s.publish(whole(all, rows...))
		s.sees("CLOSED OUT: ETH/USDT desk-1, was -10.000, PnL -1,104.77 USDT since it was")
		s.press("/")
		s.write("eth desk-1")
		s.press("enter", "enter")
		s.sees("by 14:02:15 CET", "PnL -1,104.77 USDT", "since it was last seen, 14:02:07")
	})
}

// TestAPositionThatIsOpenedAgain after its close-out, and then closed by a trade, has no row of a close-out.
func TestAPositionThatIsOpenedAgain(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, wellRows()...))
		s.closeOut()
		s.sees("CLOSED OUT -1,204.77")
		s.updates(ethOf("5000", "-1000", "-20267", model.StatusUnspecified))
		s.updates(ethOf("0", "0", "-21267", model.StatusUnspecified))
		s.pass(time.Second)
		s.seesNot("-1,204.77")
		s.wantMarkets("SOL", "BTC", "LINK", "DOGE", "BTC")
	})
}
