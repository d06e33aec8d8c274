package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

// TestHeadline is on lines of its own above the table of a large screen, and in the second line of a smaller one while
// there is no message. It says how old its survey is. What the last lines would repeat is not there. On a large screen
// the second line has what the line above the table has no room for, until there is a message.
func TestHeadline(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(4 * time.Second)
		rows := deskRows()[:1]
		rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("-50000"))
		s.publish(updatesOf(all, rows...))
		const rest = "  net ≈ +110,702  maintenance 10,106.49 (2 without)  worst desk-1 -581.50, 0s ago"
		s.sees("\n USDT  gross ≈ 245,558, 0s ago\n USDT  uPnL +150.28  3s -50.80  ────"+rest, "\n USDT  rPnL +125.59 (4 closed included)")
		s.pass(4 * time.Second)
		s.sees("USDT  uPnL +150.28  7s -50.80  ████▁▁▁▁  ", "net ≈ +110,652 ", "worst desk-1 -632.30, ")
		s.pass(6 * time.Minute)
		s.sees("5m 0.00")
		s.press("y")
		s.sees("\n USDT  uPnL +150.28  5m") // below the message
		s.seesNot("gross ≈")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.seesNot("5m 0.00")
		s.pass(10 * time.Second)
		s.sees("\n USDT  uPnL +150.28  5m 0.00  ", "\n USDT  uPnL +150.28  rPnL +125.59 (4 closed included)")
		if line := s.lines()[1]; !strings.HasPrefix(line, " USDT  uPnL") {
			t.Errorf("the second line is %q", line)
		}
	})
}

// TestHeadlineOfAFilter has the sum of the rows that match, beside that of all.
func TestHeadlineOfAFilter(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		onScreen(t, size[0], size[1], watchAll, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.pass(2 * time.Second)
			s.press("/")
			s.write("party:desk-1")
			s.press("enter")
			s.seesNot("match:", "net ≈")
			s.sees("USDT  uPnL +201.08 of all 10 positions")
			s.pass(2 * time.Second)
			s.sees("USDT  2 match:  uPnL -581.50  of all +201.08, ")
			s.press("/")
			s.write("|desk-2")
			s.press("enter")
			s.seesNot("match:") // not that of another filter
			s.pass(2 * time.Second)
			s.sees("USDT  3 match:  uPnL -234.62  of all +201.08, ")
			s.press("esc")
			s.pass(2 * time.Second)
			s.sees("USDT  uPnL +201.08  ", "worst desk-1 -581.50, ")
		})
	}
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
		seen := strings.Join(s.lines()[2:4], "\n")
		for _, want := range []string{" USDT  uPnL -449.20 ", "net ≈ -34,550", " DAI  uPnL +3.10 ", "net ≈ +3,413"} {
			if !strings.Contains(seen, want) {
				t.Errorf("the headline has no %q:\n%s", want, seen)
			}
		}
		s.seesNot("-446.10")
	})
}

// TestHeadlineOfOldRows has no colour, and is as old as the rows.
func TestHeadlineOfOldRows(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(3 * time.Second)
		brokenLink(model.Waiting, 0, "connection lost (reset by peer)")(s)
		line := strings.Split(s.m.draw().Content, "\n")[2]
		if want := string(s.m.colours.Styles.Stale) + ansi.Strip(line); !strings.HasPrefix(line, want[:len(want)-1]) {
			t.Errorf("the headline is %q", line)
		}
		s.pass(40 * time.Second)
		s.sees("STALE 1m", "worst desk-1 -581.50, 1m ago")
	})
}
