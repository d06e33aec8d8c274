package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/modeltest"
	"blotter/ui/alerts"
	"blotter/ui/draw"
	"blotter/ui/layout"
	"blotter/ui/persist"
	"blotter/ui/views"
)

// cell returns where a text is on the screen, from the top.
func (s *screen) cell(text string) (x, y int) {
	s.t.Helper()
	box, hasBox := s.box()
	for y, line := range s.lines() {
		if before, _, found := strings.Cut(line, text); found {
			if hasBox && y >= box.Min.Y && y < box.Max.Y {
				return box.Min.X + draw.Width(before), y
			}
			return draw.Width(before), y
		}
	}
	s.t.Errorf("the screen does not say %q:\n%s", text, s.text())
	return -1, -1
}

// clickCell clicks a cell of the screen.
func (s *screen) clickCell(x, y int) {
	s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// click clicks a text on the screen.
func (s *screen) click(text string) {
	s.t.Helper()
	s.clickCell(s.cell(text))
}

// wheel turns the wheel over a text.
func (s *screen) wheel(over string, button tea.MouseButton, turns int) {
	s.t.Helper()
	x, y := s.cell(over)
	for range turns {
		s.send(tea.MouseWheelMsg{X: x, Y: y, Button: button})
	}
}

func withMouse(o *Options) { o.Appearance.Mouse = true }

// manyRows are n positions of desk-1, in markets without names.
func manyRows(n int) []model.Position {
	var rows []model.Position
	for i := range n {
		market := model.MakeID(fmt.Sprintf("m%02d", i))
		rows = append(rows, position(desk1, market, "10", "100", fmt.Sprint(i), "0", model.StatusUnspecified, 1))
	}
	return rows
}

// TestMouseIsOptIn: without it the terminal keeps its own selection.
func TestMouseIsOptIn(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Options)
		want   tea.MouseMode
	}{"as it is": {nil, tea.MouseModeNone}, "with the option": {withMouse, tea.MouseModeCellMotion}} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 80, 24, c.change, func(s *screen) {
				if got := s.m.View().MouseMode; got != c.want {
					t.Errorf("the mode is %d, want %d", got, c.want)
				}
			})
		})
	}
}

func TestClickSelectsAPosition(t *testing.T) {
	for _, size := range [][2]int{{50, 20}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			onScreen(t, size[0], size[1], withMouse, func(s *screen) {
				s.publish(deskDelta(s))
				s.pass(time.Second)
				for _, market := range []string{"LINK", "SOL", "BTC"} {
					s.click(market)
					if got := s.cursorLine(); !strings.Contains(got, market) {
						t.Errorf("after a click on %s the cursor is on %q", market, got)
					}
				}
			})
		})
	}
}

// TestClickSortsByAHeading: a second click reverses the order, one beside the columns does nothing.
func TestClickSortsByAHeading(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		onScreen(t, size[0], size[1], withMouse, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(time.Second)
			s.click("SIZE")
			s.sees("SIZE ▲")
			if got := s.markets(); got[0] != "DOGE" {
				t.Error("by size, first is", got)
			}
			s.click("SIZE")
			s.sees("SIZE ▼")
			x, y := s.cell("MARKET")
			s.clickCell(x+len("MARKE"), y)
			s.sees("MARKET ▲")
			s.clickCell(0, y-1)
			s.clickCell(size[0]-1, 0)
			s.sees("MARKET ▲")
		})
	}
	onScreen(t, 120, 40, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.click("≈ MARK")
		s.sees("Rows cannot be sorted by ≈ MARK.")
	})
}

func TestClickInTheMarginLevels(t *testing.T) {
	onScreen(t, 120, 40, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(time.Second)
		_, top := s.cell("Margin levels")
		s.clickCell(3, top+3)
		if s.m.layout.Focus != layout.Margins {
			t.Error("the margin levels do not have the focus")
		}
		if got := s.lines()[top+3]; !strings.HasPrefix(got, "▌") {
			t.Errorf("the cursor is not on %q", got)
		}
		s.click("LINK")
		if s.m.layout.Focus != layout.Positions {
			t.Error("the positions do not have the focus")
		}
	})
}

// TestWheelScrollsWhatIsUnderIt: the rows move, and the cursor only if it would leave the screen.
func TestWheelScrollsWhatIsUnderIt(t *testing.T) {
	onScreen(t, 80, 24, withMouse, func(s *screen) {
		s.publish(whole(s.m.store.Subscriptions()[0], manyRows(60)...))
		s.pass(time.Second)
		s.press("down", "down", "down", "down")
		under := s.cursorLine()
		s.wheel("m05", tea.MouseWheelDown, 1)
		s.seesNot("m00", "m02")
		s.sees("m03")
		if got := s.cursorLine(); got != under {
			t.Errorf("the cursor went from %q to %q", under, got)
		}
		s.wheel("m05", tea.MouseWheelDown, 50)
		s.sees("m59")
		s.wheel("m59", tea.MouseWheelUp, 50)
		s.sees("m00")
		s.press("?")
		s.wheel("esc back", tea.MouseWheelDown, 2)
		s.sees("lines 7–")
		s.wheel("esc back", tea.MouseWheelUp, 9)
		s.sees("lines 1–")
	})
}

// TestWheelOverRowsThatFit: it does not count as a move of the cursor, which stays on the first row.
func TestWheelOverRowsThatFit(t *testing.T) {
	onScreen(t, 80, 24, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.wheel("ETH", tea.MouseWheelDown, 3)
		s.press("s", "u")
		if got := s.cursorLine(); strings.Contains(got, "ETH") {
			t.Errorf("the cursor followed its row: %q", got)
		}
	})
}

func TestDragMovesTheSplit(t *testing.T) {
	onScreen(t, 120, 40, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(time.Second)
		x, y := s.cell("Margin levels")
		drag := func(to int) int {
			s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			s.send(tea.MouseMotionMsg{X: x, Y: to, Button: tea.MouseLeft})
			s.send(tea.MouseReleaseMsg{X: x, Y: to, Button: tea.MouseLeft})
			_, y = s.cell("Margin levels")
			return y
		}
		for _, to := range []int{y - 5, y + 4} {
			if got := drag(to); got != to {
				t.Errorf("dragged to line %d it is on line %d", to, got)
			}
		}
		if parts, got := s.m.parts(), drag(0); got != layout.TopHeight+parts.Headline+layout.MinPane+parts.Selected {
			t.Errorf("dragged to the top it is on line %d", got)
		}
		if got := drag(39); got != 40-2-layout.MinPane {
			t.Errorf("dragged to the bottom it is on line %d", got)
		}
		s.send(tea.MouseMotionMsg{X: x, Y: 20, Button: tea.MouseLeft}) // nothing is dragged now
		if _, got := s.cell("Margin levels"); got != y {
			t.Errorf("the split followed the mouse to line %d", got)
		}
	})
}

// TestClickInLists: a click chooses the row, one on its box also marks it.
func TestClickInLists(t *testing.T) {
	onScreen(t, 80, 24, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("p")
		s.click("3cd3")
		s.sees("▌[x] desk-3")
		_, y := s.cell("2bd2")
		s.clickCell(2, y)
		s.sees("▌[ ] desk-2")
		s.press("enter")
		if got := s.m.store.Settings().Scope.Parties; len(got) != 4 {
			t.Error("watches", got)
		}
		s.press("C")
		_, y = s.cell("] SIZE")
		s.clickCell(2, y)
		s.sees("▌[ ] SIZE")
	})
	onScreen(t, 80, 14, withMouse, func(s *screen) { // a list that is longer than the screen stays where it is
		s.press("C", "end")
		before := s.lines()[layout.TopHeight+draw.ListFrame]
		s.clickCell(20, layout.TopHeight+draw.ListFrame)
		if got := s.lines()[layout.TopHeight+draw.ListFrame]; got[len("▌"):] != before[1:] || !strings.HasPrefix(got, "▌") {
			t.Errorf("%q is now %q", before, got)
		}
	})
	onScreen(t, 80, 14, withMouse, func(s *screen) { // the words below a list are no row of it
		s.press("C")
		_, y := s.cell("MARKET is always shown")
		s.clickCell(2, y)
		s.sees("▌[x] MARKET", "MARKET is always shown")
	})
}

func TestClickFoldsAGroup(t *testing.T) {
	onScreen(t, 80, 24, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("b", "down")
		x, y := s.cell("▾desk-1")
		s.clickCell(x+4, y)
		s.sees("▌▾desk-1")
		s.clickCell(x, y)
		s.sees("▌▸desk-1")
		s.seesNot("SOL/USDT  ")
		s.clickCell(x, y)
		s.sees("▌▾desk-1", "SOL/USDT  ")
	})
}

// TestASecondClickFoldsAGroup: the first one only selects its heading.
func TestASecondClickFoldsAGroup(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {50, 30}} {
		onScreen(t, size[0], size[1], withMouse, func(s *screen) {
			s.publish(deskDelta(s))
			s.press("b", "down")
			x, y := s.cell("▾desk-1")
			s.clickCell(x+4, y)
			s.sees("▌▾desk-1", "SOL/USDT  ")
			s.clickCell(x+10, y)
			s.sees("▌▸desk-1")
			s.clickCell(x+4, y)
			s.sees("▌▾desk-1", "SOL/USDT  ")
			s.click("SOL/USDT  ") // a row has nothing to fold
			s.click("SOL/USDT  ")
			s.sees("▾desk-1", "SOL/USDT  ")
		})
	}
}

func TestClickInTheListOfViews(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { withMouse(o); o.Profiles.Names = []string{"home", "work"} }, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("v")
		for _, row := range []string{"1 new", " work", "0 default", " home"} {
			s.click(row)
			if got := s.cursorLine(); !strings.HasSuffix(got, strings.TrimSpace(row)) && !strings.Contains(got, row) {
				t.Errorf("after a click on %q the cursor is on %q", row, got)
			}
		}
		s.click("profiles ─")
		if got := s.cursorLine(); !strings.Contains(got, "home") {
			t.Errorf("after a click on a title the cursor is on %q", got)
		}
		x, y := s.cell("enter shows profile home")
		for line := y; !strings.Contains(s.lines()[line], " work"); line-- { // the words, and the empty lines above them
			if s.clickCell(x, line); !strings.Contains(s.cursorLine(), "home") {
				t.Errorf("after a click below the list the cursor is on %q", s.cursorLine())
			}
		}
	})
}

// TestAClickBetweenTheKeysThatDelete: what was named is deleted, never another row.
func TestAClickBetweenTheKeysThatDelete(t *testing.T) {
	alertScreen(t, func(o *Options) {
		withMouse(o)
		saved := []views.Saved{{Number: 2, Name: "two"}, {Number: 3, Name: "three"}}
		own := alerts.Remembered{Own: []alerts.Own{{Name: "loss", Filter: "upnl<0"}, {Name: "gain", Filter: "upnl>0"}}}
		o.Use(&persist.State{Alerts: own, Views: saved}, func(string) bool { return false })
	}, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("v", "down", "down", "d")
		s.sees("d again deletes the saved view 2.")
		s.click("3 three")
		s.press("d")
		s.sees("d again deletes the saved view 3.", "2 two", "3 three")
		s.press("d")
		s.sees("Deleted the saved view 3.", "2 two")
		s.press("esc", "!", "g", "d")
		s.sees("d again removes the rule loss.")
		s.click("gain    ")
		s.press("d")
		s.sees("d again removes the rule gain.", "loss")
		s.press("d")
		if left := s.m.State().Alerts.Own; len(left) != 1 || left[0].Name != "loss" {
			t.Errorf("the rules %v are left", left)
		}
	})
}

// TestClickOnAFieldOfTheDetail puts the cursor on it, on the page and beside the tables.
func TestClickOnAFieldOfTheDetail(t *testing.T) {
	for _, c := range []struct {
		width int
		keys  []string
	}{{120, []string{"enter"}}, {200, nil}} {
		onScreen(t, c.width, 60, withMouse, func(s *screen) {
			s.publish(deskDelta(s))
			s.press(c.keys...)
			s.click("updated  ")
			s.sees("▌updated  ")
		})
	}
}

// TestClickInABox: with a border around the list, a click in it chooses and marks, and one beside it does nothing.
func TestClickInABox(t *testing.T) {
	onScreen(t, 120, 40, withMouse, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("p")
		x, y := s.cell("[x] desk-2")
		s.clickCell(x+1, y)
		s.sees("▌[ ] desk-2")
		s.clickCell(1, y-1)
		s.sees("▌[ ] desk-2")
	})
}

// TestTheMouseNeverFails: wherever it is, on each size and page.
func TestTheMouseNeverFails(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {1, 1}, {30, 8}, {40, 10}, {200, 60}}[:modeltest.Times(5)] {
		for _, keys := range []string{"", "p", "C", "?", "i", "/", "z", "\t", "v", "n", "B"} {
			onScreen(t, size[0], size[1], withMouse, func(s *screen) {
				s.publish(deskDelta(s))
				for _, key := range strings.Split(keys, "") {
					s.press(strings.ReplaceAll(key, "\t", "tab"))
				}
				for y := -1; y <= size[1]; y += 1 + size[1]/10 {
					for x := -1; x <= size[0]; x += 1 + size[0]/7 {
						s.m.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown})
						s.m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
						s.m.Update(tea.MouseMotionMsg{X: x, Y: y + 2, Button: tea.MouseLeft})
						s.m.View()
					}
				}
				s.fits(size[0], size[1])
			})
		}
	}
}
