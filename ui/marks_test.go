package ui

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/layout"
)

// marked are the bold numbers and the new status in the row of a market and party.
func (s *screen) marked(market, party string) []string {
	for _, line := range strings.Split(tagged(s.m.draw().Content), "\n")[layout.TopHeight+s.m.parts().Headline:] {
		if !strings.Contains(line, market) || !strings.Contains(line, party) {
			continue
		}
		var texts []string
		style := ""
		for _, part := range strings.Split(line, "<")[1:] {
			tag, text, _ := strings.Cut(part, ">")
			if style += " " + tag; tag == "/" {
				style = ""
			}
			if text = strings.TrimSpace(text); slices.Contains(strings.Fields(style), "bold") && text != "DISTRESSED" && text != "" {
				texts = append(texts, text)
			}
		}
		return texts
	}
	s.t.Errorf("there is no row of %s and %s:\n%s", market, party, s.text())
	return nil
}

func (s *screen) wantMarked(market, party string, want ...string) {
	s.t.Helper()
	if got := s.marked(market, party); !slices.Equal(got, want) {
		s.t.Errorf("%s %s: %q is marked, want %q", market, party, got, want)
	}
}

// TestChangedCellsAreMarked for two seconds, also under the cursor: size and status, but not the realised PnL.
func TestChangedCellsAreMarked(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.wantMarked("SOL/USDT", "desk-1")
		row := changed(1, "41000", "-13230", "9000")
		row.SetStatus([]byte("1"))
		s.publish(updatesOf(all, row, changed(0, "-11000", "-44920", "100210")))
		s.wantMarked("SOL/USDT", "desk-1", "+410.00", "ORDERS CLOSED")
		s.wantMarked("ETH/USDT", "desk-1", "-11.000")
		s.wantMarked("LINK/USDT", "desk-3")
		time.Sleep(1900 * time.Millisecond)
		s.wantMarked("SOL/USDT", "desk-1", "+410.00", "ORDERS CLOSED")
		s.pass(time.Second)
		s.wantMarked("SOL/USDT", "desk-1")
		s.wantMarked("ETH/USDT", "desk-1")
	})
}

// TestWhatChangesAllTheTimeIsNotMarked: uPnL and uPnL/MM change with each price. Their first change after ten seconds
// is marked.
func TestWhatChangesAllTheTimeIsNotMarked(t *testing.T) {
	wideDesk(t, func(s *screen) {
		profit := func(n int64) { s.publish(updatesOf(all, changed(0, "-10000", model.AmountOf(n).String(), "100210"))) }
		profit(-44000)
		s.wantMarked("ETH/USDT", "desk-1")
		s.pass(columns.QuietFor)
		profit(-43000)
		s.wantMarked("ETH/USDT", "desk-1", "-430.00", "↑", "-35.8%")
		for n := range int64(15) {
			s.pass(time.Second)
			profit(-42000 + n*1000)
		}
		s.wantMarked("ETH/USDT", "desk-1")
		s.publish(updatesOf(all, changed(0, "-9000", "-28001", "100210")))
		s.wantMarked("ETH/USDT", "desk-1", "-9.000")
	})
}

// TestMarksAreOfWhatIsSeen: a cell whose text is the same is not marked, nor are rows that only move on the screen.
func TestMarksAreOfWhatIsSeen(t *testing.T) {
	none := func(s *screen, when string) {
		s.t.Helper()
		_, rows, found := strings.Cut(tagged(s.m.draw().Content), "IDLE</>") // below the heading of the chosen column
		if !found || strings.Contains(rows, "underline") {
			s.t.Errorf("%s: something is marked:\n%s", when, rows)
		}
	}
	fine := func(o *Options) {
		watchAll(o)
		o.DisplayDecimals = func(model.ID) int { return 0 }
	}
	onScreen(t, 160, 24, fine, func(s *screen) {
		var rows []model.Position
		for i := range 100 {
			rows = append(rows, position(desk1, model.MakeID("m"+strconv.Itoa(i)), "1000", "1", strconv.Itoa(-i), "10000", model.StatusUnspecified, 0))
		}
		rows[0] = deskRows()[0]
		s.publish(whole(all, rows...))
		none(s, "the first snapshot")
		s.publish(updatesOf(all, changed(0, "-10000", "-44920", "100211"))) // +1,002 both
		none(s, "a digit that is not shown")
		for _, key := range []string{"s z", "s z", "pgdown", "up", "c", "/", "m", "enter", "esc", "z", "z", "tab", "tab"} {
			s.press(strings.Fields(key)...)
			none(s, key)
		}
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		none(s, "another size")
		for i := range rows {
			rows[i].SetNumber(model.OpenVolume, model.AmountOf(77))
		}
		s.publish(whole(all, rows...))
		none(s, "a snapshot")
		s.press("P")
		s.publish(whole(s.m.store.Subscriptions()[0], rows...))
		none(s, "another scope")
	})
}

// TestWhatCameDuringASortIsMarked: it is compared with the rows as they were before it.
func TestWhatCameDuringASortIsMarked(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.press("s")
		_, sort := s.m.Update(keyNamed("z"))
		s.publish(updatesOf(all, changed(0, "-11000", "-44920", "100210")))
		s.wantMarked("ETH/USDT", "desk-1")
		s.start(sort)
		s.drain()
		s.wantMarked("ETH/USDT", "desk-1", "-11.000")
	})
}

// TestMarksCanBeTurnedOff, and are there in rows of two lines.
func TestMarksCanBeTurnedOff(t *testing.T) {
	for _, without := range []bool{false, true} {
		off := func(o *Options) {
			watchAll(o)
			o.WithoutMarks = without
		}
		onScreen(t, 50, 24, off, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.publish(updatesOf(all, changed(0, "-11000", "-44920", "100210")))
			if marks := strings.Contains(tagged(s.m.draw().Content), "bold>-11.000<"); marks == without {
				t.Errorf("without marks: %v, there are marks: %v", without, marks)
			}
		})
	}
}

// TestDirectionOfAChange is an arrow after uPnL for a second, if it had been the same for ten seconds. The colour stays
// that of the sign.
func TestDirectionOfAChange(t *testing.T) {
	wideDesk(t, func(s *screen) {
		has := func(text string, want bool) {
			s.t.Helper()
			if got := strings.Contains(s.text(), text); got != want {
				s.t.Errorf("%q: %t, want %t:\n%s", text, got, want, s.text())
			}
		}
		profit := func(n string) { s.publish(updatesOf(all, changed(1, "42000", n, "8841"))) }
		s.pass(columns.QuietFor)
		profit("-13240")
		has("-132.40 ↓", true)
		styles := s.m.colours.Styles
		if text := string(styles.Stronger(styles.Loss)) + "-132.40\x1b"; !strings.Contains(s.m.draw().Content, text) {
			s.t.Errorf("the smaller profit is not in the style of a loss:\n%q", s.m.draw().Content)
		}
		s.pass(time.Second)
		has("↓", false)
		profit("-13250")
		has("↓", false)
		s.pass(columns.QuietFor)
		profit("-13220")
		has("-132.20 ↑", true)
	})
}
