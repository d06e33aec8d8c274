package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/alerts"
	"blotter/ui/layout"
)

// at returns a position with a time of update.
func at(p model.Position, when time.Time) model.Position {
	p.SetNumber(model.UpdatedAt, model.AmountOf(when.UnixNano()))
	return p
}

// incident closes ETH/USDT of desk-1 out, a second for each step. In the block of the close-out a part of the loss goes
// to SOL/USDT of desk-1, and in the next one another part.
func (s *screen) incident() {
	step := func(positions ...model.Position) {
		for i := range positions {
			positions[i] = at(positions[i], time.Now())
		}
		s.publish(updatesOf(all, positions...))
		s.pass(time.Second)
	}
	step(ethOf("-10000", "-10000", "100210", model.StatusUnspecified))
	step(ethOf("-10000", "-45000", "100210", model.StatusUnspecified))
	step(ethOf("-10000", "-50000", "100210", model.StatusDistressed))
	step(ethOf("-10000", "-90000", "100210", model.StatusOrdersClosed))
	step(socialised(deskRows()[1], "1250"), ethOf("0", "0", "-20267", model.StatusClosedOut))
	step(socialised(deskRows()[1], "1350"))
}

// margin is an alert that begins before ETH/USDT of desk-1 is distressed.
func margin(o *Options) {
	watchAll(o)
	o.Alerts = []alerts.Rule{ruleOf("margin", "upnl<-400", "")}
}

// TestGoldenIncidents: the page of alerts says what has happened to a position in trouble, on every size of the screen.
func TestGoldenIncidents(t *testing.T) {
	for _, c := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, c.width, c.height, margin, func(s *screen) {
			s.publish(whole(all, deskRows()[1:]...))
			s.updates(ethOf("-10000", "-10000", "100210", model.StatusUnspecified))
			s.incident()
			s.press("!")
			if c.height < 20 {
				s.press("g", "down")
			}
			if c.width >= 80 {
				s.sees(
					"14:02:10 alert margin", "→ :11 DISTRESSED → :12 ORDERS CLOSED", ":13 CLOSED OUT", "-754.77",
				)
				if words := strings.Join(strings.Fields(s.text()), " "); !strings.Contains(words, "; loss socialised in the same block: SOL/USDT desk-1 +12.50.") {
					t.Errorf("no row has a part of the loss:\n%s", s.text())
				}
			}
			s.sees("CLOSED OUT")
			s.golden(fmt.Sprintf("incidents-%dx%d", c.width, c.height))
		})
	}
}

// TestGoldenRibbon: a large screen has a line with the newest incidents, which is there before there is one.
func TestGoldenRibbon(t *testing.T) {
	onScreen(t, 200, 60, margin, func(s *screen) {
		s.publish(whole(all, deskRows()[1:]...))
		s.sees("\n no incidents since 14:02:07\n")
		parts := s.m.parts()
		top := parts.Of(layout.Positions).Min.Y
		s.updates(ethOf("-10000", "-10000", "100210", model.StatusUnspecified))
		btc := deskRows()[3]
		btc.SetStatus([]byte("4"))
		s.updates(at(btc, time.Now()))
		s.incident()
		s.sees("\n incidents  ETH/USDT desk-1 14:02:12 alert margin", ":15 CLOSED OUT -754.77  LINK/USDT desk-3 14:02:09 DISTRESSED\n")
		if parts = s.m.parts(); parts.Of(layout.Positions).Min.Y != top {
			t.Error("the table has moved")
		}
		s.golden("ribbon-200x60")
	})
}

// TestAnIncidentThatGoesOn says what is known until now, and ends if the position is well for a minute. Trouble that
// follows sooner is the same incident.
func TestAnIncidentThatGoesOn(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...)) // it is in trouble already
		s.updates(ethOf("-10000", "-50000", "100210", model.StatusOrdersClosed))
		s.press("!")
		s.sees("─ incidents", "ETH/USDT", "by 14:02:07 DISTRESSED → :07 ORDERS CLOSED")
		s.updates(at(ethOf("-10000", "50000", "100210", model.StatusUnspecified), time.Now()))
		s.sees("→ :07 ORDERS CLOSED → :09 recovered")
		s.updates(at(ethOf("-10000", "-50000", "100210", model.StatusDistressed), time.Now()))
		s.sees("→ :09 recovered → :11 DISTRESSED")
		well := func() { s.updates(at(ethOf("-10000", "50000", "100210", model.StatusUnspecified), time.Now())) }
		well()
		for range 5 { // updates of the price alone
			s.pass(12 * time.Second)
			well()
		}
		s.sees(":11 DISTRESSED → :13 recovered")
		s.updates(at(ethOf("-10000", "-50000", "100210", model.StatusDistressed), time.Now()))
		s.sees(" 14:03:25 DISTRESSED")
		s.seesNot("recovered", "newest of")
		s.publish(removed(all, "ETH/USDT"))
		s.sees("14:03:25 DISTRESSED → by :27 the service has it no longer")
	})
}

// TestAllIncidents are shown only if that is wanted: the log of alerts is below them.
func TestAllIncidents(t *testing.T) {
	onScreen(t, 80, 24, margin, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		for i, each := range deskRows()[:6] {
			each.SetStatus([]byte("4"))
			each.SetNumber(model.RealisedPnl, model.AmountOf(int64(i)))
			s.updates(each)
			each.SetNumber(model.OpenVolume, model.AmountOf(0))
			each.SetStatus([]byte("2"))
			s.updates(at(each, time.Now()))
		}
		s.press("!")
		s.sees("─ newest of 6 incidents, a all ─")
		if n := strings.Count(s.text(), "CLOSED OUT\n") + strings.Count(s.text(), "CLOSED OUT  "); n < 4 {
			t.Errorf("%d incidents are shown:\n%s", n, s.text())
		}
		s.press("a")
		s.seesNot("newest of")
		s.sees("─ incidents ─")
		s.press("a")
		s.sees("─ newest of 6 incidents, a all ─")
	})
}

// TestOpenAndRewindAnIncident: enter opens its position, w rewinds to where its trouble began, also by a click.
func TestOpenAndRewindAnIncident(t *testing.T) {
	memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 2, 20, 0, time.UTC)}
	onScreen(t, 120, 40, func(o *Options) {
		keepingPast(&memory)(o)
		margin(o)
	}, func(s *screen) {
		s.publish(whole(all, deskRows()[1:]...))
		s.updates(ethOf("-10000", "-10000", "100210", model.StatusUnspecified))
		s.incident()
		s.press("!", "g", "down")
		if line := s.cursorLine(); !strings.Contains(line, "DISTRESSED") {
			t.Fatalf("the cursor is on %q:\n%s", line, s.text())
		}
		for y, line := range s.lines() {
			if strings.HasPrefix(line, " margin") {
				s.clickCell(3, y)
			}
		}
		if line := s.cursorLine(); !strings.Contains(line, "margin  ") {
			t.Errorf("a click on the rule leaves the cursor on %q", line)
		}
		for y, line := range s.lines() {
			if strings.Contains(line, "DISTRESSED →") && strings.HasPrefix(line, " ETH") {
				s.clickCell(3, y)
			}
		}
		s.press("w")
		s.sees("REWIND 14:02:11")
		s.press("esc", "!", "g", "down", "enter")
		s.seesNot("─ incidents")
		s.press("enter")
		s.sees("─ ETH/USDT · desk-1", "CLOSED OUT")
	})
}

// TestIncidentsOfAnotherScope: what is under way is no longer seen, and what has ended stays.
func TestIncidentsOfAnotherScope(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.incident()
		link := deskRows()[3]
		link.SetStatus([]byte("4"))
		s.updates(at(link, time.Now()))
		s.press("!")
		s.sees("CLOSED OUT", " 14:02:13 DISTRESSED")
		s.press("esc", "g", "P")
		s.publish(whole(s.source.watched[len(s.source.watched)-1][0], deskRows()[1]))
		s.press("!")
		s.sees("CLOSED OUT")
		s.seesNot("LINK/USDT")
	})
}
