package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// wantSelected checks the first words of the row under the cursor.
func (s *screen) wantSelected(when, want string) {
	s.t.Helper()
	if line := strings.TrimLeft(s.cursorLine(), "▌▸▾[]x ?"); !strings.HasPrefix(strings.Join(strings.Fields(line), " "), want) {
		s.t.Errorf("%s, the cursor is on %q, want %q:\n%s", when, line, want, s.text())
	}
}

// filter types a filter in place of the one before, and keeps it.
func (s *screen) filter(text string) {
	s.press("/", "ctrl+u")
	s.write(text)
	s.press("enter")
}

// manyMarkets are 40 positions of desk-1, in markets MKT00 to MKT39 without names. Those whose number is a multiple of
// 3 have a loss.
func manyMarkets() []model.Position {
	var positions []model.Position
	for i := range 40 {
		unrealised := "500"
		if i%3 == 0 {
			unrealised = "-500"
		}
		positions = append(positions, position(desk1, model.MakeID(fmt.Sprintf("MKT%02d", i)), "10", "100", unrealised, "0", model.StatusUnspecified, 1))
	}
	return positions
}

// TestTheCursorStaysOnItsRowUnderAFilter: if the filter hides the row, the cursor is on the next one that matches, else
// on the one before. Without the filter it is on the row again.
func TestTheCursorStaysOnItsRowUnderAFilter(t *testing.T) {
	byMarket := func(o *Options) { watchAll(o); o.Order.Column = view.MarketColumn }
	onScreen(t, 100, 24, byMarket, func(s *screen) {
		s.publish(whole(all, manyMarkets()...))
		for range 10 {
			s.press("down")
		}
		s.wantSelected("moved", "MKT10")
		for _, c := range []struct{ filter, want string }{
			{"upnl<0", "MKT12"}, {"", "MKT10"}, {"MKT0", "MKT09"}, {"MKT3", "MKT30"}, {"", "MKT10"}, {"MKT10|MKT35", "MKT10"}, {"nothing", ""},
			{"MKT2", "MKT20"}, {"", "MKT10"},
		} {
			s.filter(c.filter)
			s.wantSelected("under "+c.filter, c.want)
		}
		s.filter("MKT3")
		s.press("/")
		s.write("|2") // more rows match, also some between its own row and the one that is selected
		s.wantSelected("under a wider filter", "MKT12")
		s.press("enter")
		s.filter("upnl<0")
		s.press("down")
		s.filter("")
		s.wantSelected("moved under a filter", "MKT15")
		s.filter("upnl>0")
		s.press("enter", "esc") // its detail: it is chosen
		s.filter("")
		s.wantSelected("chosen under a filter", "MKT16")
	})
}

// TestTheCursorStaysOnItsRowWhenItIsClosed: while it is hidden the next row is selected, whatever comes.
func TestTheCursorStaysOnItsRowWhenItIsClosed(t *testing.T) {
	eth := func(size string) model.Position {
		return position(desk1, ethMarket, size, "341010", "-44920", "100210", model.StatusUnspecified, 0)
	}
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("down", "up")
		s.updates(eth("-10000"))
		s.pass(2 * time.Minute) // it is no longer in trouble: else its row stays for a minute
		s.publish(updatesOf(all, eth("0")))
		s.wantSelected("closed and hidden", "SOL/USDT desk-1")
		worse := position(desk3, linkMarket, "25000", "14118", "-20000", "-104402", model.StatusUnspecified, 0)
		s.publish(updatesOf(all, worse)) // it comes before the row that is selected meanwhile
		s.wantSelected("with another row before", "SOL/USDT desk-1")
		s.press("c")
		s.wantSelected("with closed rows", "ETH/USDT desk-1")
		s.press("c")
		s.publish(updatesOf(all, eth("-5000")))
		s.wantSelected("open again", "ETH/USDT desk-1")
	})
}

// TestTheCursorStaysOnItsGroup and on the row of a group, in each order of groups.
func TestTheCursorStaysOnItsGroup(t *testing.T) {
	for _, order := range []view.Column{view.UnrealisedColumn, view.PartyColumn} {
		onScreen(t, 100, 30, func(o *Options) { watchAll(o); o.Order.Column, o.Group = order, view.GroupByParty }, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("g")
			for range 30 {
				if line := s.cursorLine(); strings.Contains(line, "desk-1") {
					break
				}
				s.press("down")
			}
			next := s.groupAfter("desk-1")
			for _, c := range []struct {
				moves  []string
				row    string
				hidden string
			}{
				{[]string{"down"}, "ETH/USDT", s.rowAfter(next)}, {[]string{"down"}, "SOL/USDT", s.rowAfter(next)}, {[]string{"up", "up"}, "desk-1", next},
			} {
				s.press(c.moves...)
				s.wantSelected("at first", c.row)
				s.filter("!party:desk-1")
				s.wantSelected("with its group hidden", c.hidden)
				s.filter("")
				s.wantSelected("without the filter", c.row)
			}
			s.press("down", "space")
			s.wantSelected("folded", "desk-1")
			s.press("space")
			s.wantSelected("unfolded", "ETH/USDT")
			s.filter("party:desk-2")
			s.wantSelected("under another party", "BTC/USDT")
			s.filter("")
			next = s.groupAfter("network") // network has one row
			if next == "" {
				next = "desk-3"
			}
			for _, c := range []struct{ move, hidden string }{{"down", s.rowAfter(next)}, {"up", next}} {
				s.press("g")
				for range 30 {
					if strings.Contains(s.cursorLine(), "network") {
						break
					}
					s.press("down")
				}
				if c.move == "down" {
					s.press("down")
				}
				s.publish(updatesOf(all, position(network, btcMarket, "0", "0", "0", "0", model.StatusUnspecified, 0)))
				s.wantSelected("with its group closed", c.hidden)
				s.publish(updatesOf(all, position(network, btcMarket, "-31", "639900", "-1265", "0", model.StatusUnspecified, 0)))
			}
		})
	}
}

// groupAfter returns the name of the group after another one.
func (s *screen) groupAfter(name string) string {
	isNext := false
	for _, line := range s.lines() {
		if line = strings.TrimLeft(line, "▌ "); strings.HasPrefix(line, "▾") {
			group := strings.Fields(strings.TrimPrefix(line, "▾"))[0]
			if isNext {
				return group
			}
			isNext = group == name
		}
	}
	return ""
}

// rowAfter returns the market and the size of the first row of a group.
func (s *screen) rowAfter(group string) string {
	lines := s.lines()
	for i, line := range lines {
		if strings.Contains(line, "▾"+group) {
			return strings.Join(strings.Fields(strings.TrimLeft(lines[i+1], "▌ "))[:2], " ")
		}
	}
	return ""
}

// TestTheCursorStaysOnItsRecord of margin levels, and on its event, under a filter.
func TestTheCursorStaysOnItsRecord(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("tab", "z", "down")
		s.wantSelected("moved", "BTC/USDT")
		for _, c := range []struct{ filter, want string }{{"!BTC", "LINK/USDT"}, {"ETH", "ETH/USDT"}, {"", "BTC/USDT"}} {
			s.filter(c.filter)
			s.press("tab")
			s.wantSelected("under "+c.filter, c.want)
		}
		s.filter("SOL")
		s.press("/")
		s.write("|L")
		s.press("enter", "tab")
		s.wantSelected("under a wider filter", "LINK/USDT")
	})
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		aBusyDay(s)
		s.press("e", "down", "down", "down")
		s.wantSelected("moved", "14:02:07 BTC/USDT desk-2 grown")
		for _, c := range []struct{ filter, want string }{
			{"!BTC", "14:02:07 SOL/USDT desk-1 flipped"}, {"event:reduced", "14:02:08 BTC/USDT desk-2 reduced"}, {"", "14:02:07 BTC/USDT desk-2 grown"},
		} {
			s.filter(c.filter)
			s.wantSelected("under "+c.filter, c.want)
		}
		s.filter("event:opened")
		s.press("/")
		s.write("|fl")
		s.wantSelected("under a wider filter", "14:02:07 SOL/USDT desk-1 flipped")
	})
}

// TestTheCursorStaysOnItsRowInAPicker: a typed text puts it on the best match, unless the trader has moved it to a row
// that still matches. Without the text it is on its own row again. A name that is typed whole wins.
func TestTheCursorStaysOnItsRowInAPicker(t *testing.T) {
	parties := func(o *Options) {
		watchAll(o)
		var all []model.Party
		for i := range 12 {
			all = append(all, model.Party{ID: model.MakeID(fmt.Sprintf("%064x", i)), Name: fmt.Sprintf("acct-%d", i+1)})
		}
		o.Instruments = model.NewInstruments(all, nil, nil)
	}
	onScreen(t, 100, 30, parties, func(s *screen) {
		s.press("p", "down", "down", "down")
		s.wantSelected("moved", "acct-3")
		for _, c := range []struct{ typed, want string }{
			{"acct", "acct-3"}, {"-1", "acct-1 "}, {"1", "acct-11"}, {"", "acct-3"}, {"zz", "zz"}, {"", "acct-3"},
		} {
			if c.typed == "" {
				s.press("ctrl+u")
			}
			s.write(c.typed)
			s.wantSelected("with "+c.typed, c.want)
		}
		s.write("acct-1")
		s.press("down")
		s.wantSelected("moved among the matches", "acct-10")
		s.press("backspace")
		s.wantSelected("with fewer letters", "acct-10")
		s.write("1")
		s.wantSelected("with the whole name of another", "acct-1 ")
	})
	onScreen(t, 100, 30, watchAll, func(s *screen) {
		s.press(":", "down", "down")
		line := s.cursorLine()
		s.write("theme")
		s.press("ctrl+u")
		if s.cursorLine() != line {
			t.Errorf("in the palette the cursor is on %q, want %q", s.cursorLine(), line)
		}
	})
}

// TestTheCursorComesBackAfterASnapshotWithoutItsRow, and keeps its place meanwhile.
func TestTheCursorComesBackAfterASnapshotWithoutItsRow(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("down")
		s.wantSelected("moved", "SOL/USDT desk-1")
		rows := deskRows()
		s.publish(book.Delta{Snapshots: []book.Snapshot{{AsIs: true, Subscription: all, Rows: rowsOf(append(rows[:1:1], rows[2:]...))}}})
		s.wantSelected("without its row", "BTC/USDT network")
		s.publish(whole(all, deskRows()...))
		s.wantSelected("with its row", "SOL/USDT desk-1")
	})
}
