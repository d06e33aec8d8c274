package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
)

// sumsLine is the line of totals.
func (s *screen) sumsLine() string {
	lines := s.lines()
	return lines[len(lines)-2]
}

func TestNothingInTheLineOfSumsIsCut(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		rows := deskRows()
		for i := range 25 {
			rows = append(rows, position(desk1, model.MakeID("m"+number(i)), "1", "1", "1", "1", model.StatusUnspecified, 0))
		}
		s.tell(whole(all, rows...))
		for _, filter := range []string{"", "side:long"} {
			for width := 40; width <= 160; width++ {
				s.send(tea.WindowSizeMsg{Width: width, Height: 24})
				line := s.sumsLine()
				if strings.Contains(line, "…") || draw.Width(line) > width {
					t.Errorf("%d wide: %s", width, line)
				}
				if filter != "" && width >= 80 && !strings.Contains(line, filter) {
					t.Errorf("%d wide, the filter is not told: %s", width, line)
				}
			}
			s.press("/")
			s.write("side:long")
			s.press("enter")
		}
	})
}

func TestMarginIsSummedUpForTheRowsThatAreShown(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.tell(whole(all, deskRows()...))
		s.sees("maintenance 10,106.49")
		s.press("/")
		s.write("side:long")
		s.seesNot("maintenance 10,106.49")
		s.press("esc")
		s.sees("maintenance 10,106.49")
	})
}

// TestNoSumOfAnOldPage: what was held some time ago says nothing of now.
func TestNoSumOfAnOldPage(t *testing.T) {
	onScreen(t, 120, 24, watchAll, func(s *screen) { // no room for the margin levels themselves
		s.tell(whole(all, deskRows()...))
		s.sees("maintenance 10,106.49")
		s.pass(time.Minute)
		s.seesNot("maintenance 10,106.49")
	})
}
