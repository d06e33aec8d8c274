package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
)

// losses are n rows of parties m00, m01, ..., each with a profit of ten times its number.
func losses(n int) []model.Position {
	var rows []model.Position
	for i := range n {
		rows = append(rows, loss(i, 10*i))
	}
	return rows
}

// loss is the row of a number with an unrealised PnL.
func loss(number, unrealised int) model.Position {
	return position(model.MakeID(fmt.Sprintf("m%02d", number)), ethMarket, "10", "100", fmt.Sprint(unrealised), "0", model.StatusUnspecified, 0)
}

// TestGoldenWindowStaysAtTheWorst while the selected row goes down in the order: the edge names the row, and a key and
// a click go to it, on every size of the screen.
func TestGoldenWindowStaysAtTheWorst(t *testing.T) {
	for _, c := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		for _, goTo := range []string{"L", "click"} {
			onScreen(t, c.width, c.height, func(o *Options) { watchAll(o); withMouse(o) }, func(s *screen) {
				s.publish(whole(all, losses(80)...))
				s.pass(8 * time.Second)
				s.press("down")
				s.wantSelected("moved", "ETH/USDT m01")
				s.publish(updatesOf(all, loss(1, 775))) // it is row 78 now
				s.sees(" m00")
				s.sees("▼ ", "row 78")
				if c.width >= 80 {
					s.sees("▼ selected: row 78, ETH/USDT m01")
				}
				if strings.Contains(s.text(), "▌ETH/USDT m01") {
					t.Errorf("the window has followed the row:\n%s", s.text())
				}
				if goTo == "click" {
					s.click("row 78")
				} else {
					s.golden(fmt.Sprintf("edge-%dx%d", c.width, c.height))
					s.press("L")
				}
				s.wantSelected("gone to", "ETH/USDT m01")
				s.seesNot("row 78")
				s.sees("worse")
			})
		}
	}
}

// styledLine returns the line with a text, with its styles.
func styledLine(s *screen, text string) string {
	for line := range strings.Lines(s.m.View().Content) {
		if strings.Contains(ansi.Strip(line), text) {
			return line
		}
	}
	return ""
}

// TestWorseRowsThatAreNotSeenAreSaidInColour, only if the order begins with the worst.
func TestWorseRowsThatAreNotSeenAreSaidInColour(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, losses(80)...))
		s.pass(8 * time.Second)
		s.press("pgdown")
		s.sees(" ▲ 13 worse above, not seen")
		if line := styledLine(s, "worse above"); !strings.Contains(line, string(s.m.colours.Styles.Warning)) {
			t.Errorf("the line is %q", line)
		}
		distressed := position(model.MakeID("m00"), ethMarket, "10", "100", "-100", "0", model.StatusDistressed, 0)
		s.publish(updatesOf(all, distressed))
		if line := styledLine(s, "worse above"); !strings.Contains(line, string(s.m.colours.Styles.Alarm)) {
			t.Errorf("with a distressed row the line is %q", line)
		}
		s.press("s", "u") // the best first
		s.press("pgdown")
		s.seesNot("worse")
		s.press("s", "u", "T", "T", "g")
		s.seesNot("worse")
	})
}

// TestRowsOfOneValueAreNotWorse than each other, and groups are compared by their own numbers.
func TestRowsOfOneValueAreNotWorse(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { watchAll(o); o.Group = view.GroupByParty }, func(s *screen) {
		s.publish(whole(all, losses(80)...))
		s.pass(8 * time.Second)
		s.press("pgdown")
		s.sees("▲ 12 worse above")
		rows := losses(80)
		for i := range rows {
			rows[i] = loss(i, 5)
		}
		s.publish(whole(all, rows...))
		s.seesNot("worse")
	})
}
