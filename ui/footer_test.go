package ui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/layout"
)

// totalsLine is the line of totals.
func (s *screen) totalsLine() string {
	lines := s.lines()
	return lines[len(lines)-layout.BottomHeight(s.m.layout.Screen, s.m.layout.Content.Assets)]
}

func TestNothingInTheLineOfTotalsIsCut(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		rows := deskRows()
		for i := range 25 {
			rows = append(rows, position(desk1, model.MakeID("m"+strconv.Itoa(i)), "1", "1", "1", "1", model.StatusUnspecified, 0))
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

// TestTotalsAreOfTheWholeScope on a screen without a headline: of closed positions too, and of those that the filter
// hides, which the label shows.
func TestTotalsAreOfTheWholeScope(t *testing.T) {
	onScreen(t, 120, 22, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		const totals = "USDT  uPnL +201.08  rPnL +125.59"
		s.sees("\n "+totals+" (with closed)", "6 of 10 positions, 4 closed hidden")
		s.press("/")
		s.write("side:long")
		s.sees(" all 10: " + totals)
		s.press("esc", "c")
		s.sees("\n " + totals) // nothing is hidden, so there is no label
		s.seesNot("with closed")
	})
}

// TestTheTotalsOfAllAssetsAreShown or counted, and stand still.
func TestTheTotalsOfAllAssetsAreShown(t *testing.T) {
	const assets = 9
	many := func(o *Options) {
		watchAll(o)
		var markets []model.Market
		var symbols []model.Asset
		for i := range assets {
			id := model.MakeID("asset" + strconv.Itoa(i))
			symbols = append(symbols, model.Asset{ID: id, Symbol: "A" + strconv.Itoa(i), Decimals: 2})
			markets = append(markets, model.Market{ID: model.MakeID("market" + strconv.Itoa(i)), Name: "M" + strconv.Itoa(i), Asset: id})
		}
		o.Instruments = model.NewInstruments(nil, markets, symbols)
	}
	for _, size := range [][2]int{{40, 10}, {60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, size[0], size[1], many, func(s *screen) {
			var rows []model.Position
			for i := range assets {
				rows = append(rows, position(desk1, model.MakeID("market"+strconv.Itoa(i)), "1", "1", strconv.Itoa(100*i+7), "1", model.StatusUnspecified, 0))
			}
			rows = append(rows, position(desk1, model.MakeID("nameless"), "1", "1", "1", "1", model.StatusUnspecified, 0))
			s.publish(whole(all, rows...))
			lines := s.lines()
			seen := strings.Join(lines[layout.TopHeight:layout.TopHeight+s.m.parts().Headline], "\n") + "\n" + strings.Join(lines[s.m.layout.Screen.Height-layout.BottomHeight(s.m.layout.Screen, assets+1):], "\n")
			shown := 0
			for i := range assets {
				if regexp.MustCompile(fmt.Sprintf(`A%d .*\+%d\.07`, i, i)).MatchString(seen) {
					shown++
				}
			}
			more := assets - shown
			if s.m.parts().Headline == 0 { // what has no total counts as one
				more++
			} else if !strings.Contains(seen, "1 position of unknown assets") {
				t.Errorf("at %v nothing counts what has no total:\n%s", size, seen)
			}
			if shown == 0 || !strings.Contains(seen, "+"+strconv.Itoa(more)+" assets") {
				t.Errorf("at %v the totals do not count %d more assets:\n%s", size, more, seen)
			}
			s.pass(time.Minute)
			if later := s.lines(); later[len(later)-2] != lines[len(lines)-2] {
				t.Errorf("at %v the totals have changed:\n%s\n%s", size, lines[len(lines)-2], later[len(later)-2])
			}
		})
	}
}
