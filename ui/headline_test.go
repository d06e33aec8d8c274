package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

// TestHeadline is a table above that of the positions of a large screen, and in the second line of a smaller one while
// there is no message. Each value has its place, also if it is not known yet.
func TestHeadline(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		headline := func(values ...string) {
			s.t.Helper()
			if got := strings.Fields(s.lines()[3]); !slices.Equal(got, append([]string{"USDT"}, values...)) {
				s.t.Errorf("the headline is %q, want %q", got, values)
			}
		}
		if titles := strings.Fields(s.lines()[2]); !slices.Equal(titles, strings.Fields("PnL TODAY REALISED uPnL 1 MIN NET ≈ GROSS ≈ MAINTENANCE WORST")) {
			t.Errorf("the titles are %q", titles)
		}
		s.pass(4 * time.Second)
		rows := deskRows()[:1]
		rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("-50000"))
		s.publish(updatesOf(all, rows...))
		s.passLive(time.Minute)
		headline("-50.80", "0.00", "+150.28", "-50.80", "+110,652", "245,609", "10,106.49*", "ETH/USDT", "desk-1", "-500.00")
		s.sees("\n 6 of 10 positions, 4 closed hidden ", " * without: maintenance ")
		s.press("f")
		s.pass(50 * time.Second)
		headline("-50.80", "0.00", "+150.28", "-50.80", "+110,652", "245,609", "10,106.49*", "ETH/USDT", "desk-1", "-500.00", "50s")
		s.press("f")
		s.passLive(5 * time.Second)
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if titles := strings.Fields(s.lines()[2]); !slices.Equal(titles, strings.Fields("SINCE 14:02 uPnL 1 MIN WORST")) {
			s.t.Errorf("the titles are %q", titles)
		}
		headline("-50.80", "+150.28", "0.00", "ETH/USDT", "desk-1", "-500.00")
		if rows := s.m.positions.Rows.Height(); rows < 13 {
			s.t.Errorf("the table has %d rows", rows)
		}
		s.send(tea.WindowSizeMsg{Width: 80, Height: 23})
		if line := s.lines()[1]; !strings.HasPrefix(line, " USDT  uPnL") {
			t.Errorf("the second line is %q", line)
		}
	})
}

// TestHeadlineOfAFilter has the sums of the rows that match, and says so. It has nothing of another filter.
func TestHeadlineOfAFilter(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.passLive(2 * time.Second)
		filter := func(text string, values ...string) {
			s.t.Helper()
			s.press("/")
			s.write(text)
			s.press("enter")
			if !strings.HasPrefix(s.lines()[2], " FILTER ") || strings.Contains(s.lines()[3], "10,106.49") {
				t.Errorf("the headline is %q", s.lines()[2:4])
			}
			s.passLive(2 * time.Second)
			if got := strings.Fields(s.lines()[3]); len(got) < 3 || !slices.Equal(got[3:], values) {
				t.Errorf("the headline of %s is %q, want %q", text, got, values)
			}
		}
		filter("party:desk-1", "-581.50", "–", "+27,570", "96,670", "4,306.00", "ETH/USDT", "desk-1", "-449.20")
		filter("|desk-2", "-234.62", "–", "+108,067", "177,168", "8,330.87", "ETH/USDT", "desk-1", "-449.20")
		s.press("esc")
		s.passLive(2 * time.Second)
		s.sees("+201.08", "10,106.49")
	})
	onScreen(t, 79, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("party:desk-1")
		s.press("enter")
		s.sees("USDT  uPnL +201.08 of all 10 positions")
		s.pass(4 * time.Second)
		s.sees("USDT  2 match:  uPnL -581.50  of all +201.08, ")
	})
}

// TestHeadlineOfSeveralAssets has a line for each, and never a sum over them.
func TestHeadlineOfSeveralAssets(t *testing.T) {
	twoAssets := func(o *Options) {
		watchAll(o)
		dai, daiMarket := model.MakeID("da"), model.MakeID("dada")
		o.Instruments = model.NewInstruments(nil, []model.Market{{ID: ethMarket, Name: "ETH/USDT", Asset: usdt, PriceDecimals: 2, SizeDecimals: 3}, {ID: daiMarket, Name: "ETH/DAI", Asset: dai, PriceDecimals: 2, SizeDecimals: 3}},
			[]model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}, {ID: dai, Symbol: "DAI", Decimals: 2}})
	}
	onScreen(t, 120, 40, twoAssets, func(s *screen) {
		rows := deskRows()[:1]
		rows = append(rows, position(desk1, model.MakeID("dada"), "1000", "341010", "310", "0", model.StatusUnspecified, 1))
		s.publish(whole(all, rows...))
		s.pass(3 * time.Second)
		seen := strings.Join(s.lines()[3:5], "\n")
		for _, want := range []string{" USDT ", " -449.20", " -34,550 ", " DAI ", " +3.10 ", " +3,413 "} {
			if !strings.Contains(seen, want) {
				t.Errorf("the headline has no %q:\n%s", want, seen)
			}
		}
		s.seesNot("-446.10")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.sees(" WORST", "+1 asset, h", "\n DAI  ", " +3.10 ")
		s.seesNot("\n USDT ")
	})
}

// TestHeadlineOfOldRows has no colour, and is as old as the rows.
func TestHeadlineOfOldRows(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(3 * time.Second)
		brokenLink(model.Waiting, 0, "connection lost (reset by peer)")(s)
		line := strings.Split(s.m.draw().Content, "\n")[3]
		if want := string(s.m.colours.Styles.Stale) + ansi.Strip(line); !strings.HasPrefix(line, want[:len(want)-1]) {
			t.Errorf("the headline is %q", line)
		}
		s.pass(40 * time.Second)
		s.sees("STALE 1m")
		if line := s.lines()[3]; !strings.HasSuffix(line, "-449.20      1m") {
			t.Errorf("the headline is %q", line)
		}
	})
}

// TestHeadlineOfASilentService is as old as the last word of the service, although figures are made of its rows again
// and again.
func TestHeadlineOfASilentService(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.passLive(20 * time.Second)
		if line := s.lines()[3]; !strings.HasSuffix(line, "-449.20") {
			t.Errorf("the headline of a live service is %q", line)
		}
		s.pass(21 * time.Second)
		s.sees("QUIET 21s")
		if line := s.lines()[3]; !strings.HasSuffix(line, "-449.20     21s") {
			t.Errorf("the headline is %q", line)
		}
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if line := s.lines()[3]; !strings.HasSuffix(line, " 21s") {
			t.Errorf("the headline is %q", line)
		}
	})
}
