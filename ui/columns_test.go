package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/layout"
)

func TestColumnsDoNotMoveWithEachNumber(t *testing.T) {
	deskScreen(t, func(s *screen) {
		heading := func() string { return s.table()[0] }
		narrow := heading()
		s.publish(updatesOf(all, worse("-4492000000")))
		wide := heading()
		if wide == narrow {
			t.Fatalf("there is no room for the number:\n%s", s.text())
		}
		s.publish(updatesOf(all, worse("-44920")))
		if heading() != wide {
			t.Errorf("the columns have moved:\n%s\n%s", wide, heading())
		}
		s.pass(2 * time.Minute)
		s.press("j", "k")
		if heading() != wide {
			t.Errorf("the columns have moved:\n%s\n%s", wide, heading())
		}
		s.press("c", "c")
		if heading() != narrow {
			t.Errorf("the columns are still wide after other rows were shown:\n%s\n%s", wide, heading())
		}
	})
}

// TestMarketAndPartyAreNeverLeftOut, however wide the numbers are: they identify the position of a row.
func TestMarketAndPartyAreNeverLeftOut(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.publish(updatesOf(all, worse("-1234567890123456789")))
		for width := layout.MinWidth; width <= 200; width++ {
			s.send(tea.WindowSizeMsg{Width: width, Height: 24})
			s.sees("MARKET", "PARTY", "▌ETH/USDT", " desk-1 ")
		}
	})
}

// TestShortNamesLeaveRoomForNumbers: on the narrowest screen a loss of five digits is shown beside its margin ratio.
func TestShortNamesLeaveRoomForNumbers(t *testing.T) {
	onScreen(t, 40, 10, watchAll, func(s *screen) {
		rows := deskRows()
		s.publish(whole(all, changed(0, "-10000", "-1451854", "0"), rows[1], rows[5]))
		s.pass(time.Second)
		s.sees("uPnL/MM", "ETH/USDT  desk-1  -14,518.54  -1,209.9%")
	})
}

// TestColumnsStayWhileTimePasses: a filter of ages makes a new view each second, and does not move the columns.
func TestColumnsStayWhileTimePasses(t *testing.T) {
	filtered := func(o *Options) { watchAll(o); o.Filter = "age<1h" }
	onScreen(t, 120, 40, filtered, func(s *screen) {
		rows := deskRows()
		s.publish(whole(all, rows...))
		before := s.table()[0]
		rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("-44920000000000"))
		s.publish(updatesOf(all, rows[0]))
		wide := s.table()[0]
		rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("-44920"))
		s.publish(updatesOf(all, rows[0]))
		s.pass(3 * time.Second)
		if now := s.table()[0]; now != wide || wide == before {
			t.Errorf("the headings are\n%s\nthen\n%s\nand later\n%s", before, wide, now)
		}
	})
}
