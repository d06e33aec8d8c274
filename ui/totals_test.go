package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
)

// totalsLine is the line of totals.
func (s *screen) totalsLine() string {
	lines := s.lines()
	return lines[len(lines)-2]
}

func TestNothingInTheLineOfTotalsIsCut(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		rows := deskRows()
		for i := range 25 {
			rows = append(rows, position(desk1, model.MakeID("m"+number(i)), "1", "1", "1", "1", model.StatusUnspecified, 0))
		}
		s.publish(whole(all, rows...))
		for range 2 { // without and with a filter
			for width := 40; width <= 160; width++ {
				s.send(tea.WindowSizeMsg{Width: width, Height: 24})
				line := s.totalsLine()
				if strings.Contains(line, "…") || draw.Width(line) > width {
					t.Errorf("%d wide: %s", width, line)
				}
			}
			s.press("/")
			s.write("side:long")
			s.press("enter")
		}
	})
}

// TestTotalsAreOfTheWholeScope: of closed positions too, and of those that the filter hides. The label says so.
func TestTotalsAreOfTheWholeScope(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		const totals = "USDT  uPnL +201.08  rPnL +125.59  maintenance 10,106.49"
		s.sees(" all 10: "+totals, "6 rows of 10, 4 closed hidden")
		s.press("/")
		s.write("side:long")
		s.sees(" all 10: " + totals)
		s.press("esc", "c")
		s.sees("\n " + totals) // nothing is hidden, so that there is nothing to say
	})
}

// TestNoSumOfAnOldPage: what was held some time ago says nothing of now.
func TestNoSumOfAnOldPage(t *testing.T) {
	onScreen(t, 120, 24, watchAll, func(s *screen) { // no room for the margin levels themselves
		s.publish(whole(all, deskRows()...))
		s.sees("maintenance 10,106.49")
		s.pass(time.Minute)
		s.seesNot("maintenance 10,106.49")
	})
}
