package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/alerts"
)

// deskScreen is a screen of 80x24 that watches everything and has the desk's rows.
func deskScreen(t *testing.T, test func(s *screen)) {
	t.Helper()
	deskScreenWith(t, test)
}

// deskScreenWith is a deskScreen with alerts.
func deskScreenWith(t *testing.T, test func(s *screen), rules ...alerts.Rule) {
	t.Helper()
	var memory fakeMemory
	change := func(o *Options) {
		keepingPast(&memory)(o)
		o.Alerts, o.Files = rules, fakeFiles{}
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.memory = &memory
		s.publish(whole(all, deskRows()...))
		test(s)
	})
}

func updatesOf(s model.Subscription, positions ...model.Position) book.Delta {
	return book.Delta{Updates: []book.Updates{{Subscription: s, Positions: positions}}}
}

// worse is ETH/USDT of desk-1 with another profit.
func worse(profit string) model.Position {
	return position(desk1, ethMarket, "-10000", "341010", profit, "100210", model.StatusDistressed, 0)
}

func (s *screen) wantMarkets(want ...string) {
	s.t.Helper()
	if got := s.markets(); !slices.Equal(got, want) {
		s.t.Errorf("the rows are %v, want %v:\n%s", got, want, s.text())
	}
}

func TestUpdatesMoveRowsAndTheCursorStaysOnItsRow(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
		s.press("down")
		s.publish(updatesOf(all, worse("99900")))
		s.wantMarkets("SOL", "BTC", "LINK", "DOGE", "BTC", "ETH")
		s.sees("+999.00", " +1,649.28 ")
		if line := s.cursorLine(); !strings.Contains(line, "SOL/USDT") {
			t.Errorf("the cursor is on %q", line)
		}
	})
}

func TestClosedPositionsAreHiddenAtFirst(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.updates(ethOf("-10000", "-44920", "100210", model.StatusUnspecified))
		s.pass(2 * time.Minute) // it is no longer in trouble: else its row stays for a minute
		s.publish(updatesOf(all, position(desk1, ethMarket, "0", "0", "0", "5", model.StatusUnspecified, 0)))
		s.wantMarkets("SOL", "BTC", "LINK", "DOGE", "BTC")
		s.sees("5 closed hidden")
		s.press("c")
		s.sees("\n 10 positions")
		s.press("c")
		s.sees("5 of 10 positions, 5 closed hidden")
	})
}

func TestSortByAColumnOfTheList(t *testing.T) {
	deskScreen(t, func(s *screen) {
		for _, by := range []struct {
			letter, heading string
			markets         []string
		}{
			{"u", "uPnL ▼", []string{"BTC", "DOGE", "LINK", "BTC", "SOL", "ETH"}},
			{"%", "uPnL/MM ▲", []string{"ETH", "SOL", "BTC", "DOGE", "BTC", "LINK"}}, // those without a ratio are before those that win
			{"r", "rPnL ▲", []string{"LINK", "BTC", "DOGE", "BTC", "SOL", "ETH"}},
		} {
			s.press("s", by.letter)
			s.sees(by.heading)
			s.wantMarkets(by.markets...)
		}
	})
}

func TestTheColumnThatSortsIsNotLeftOut(t *testing.T) {
	onScreen(t, 40, 10, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.sees("uPnL ▲")
		s.seesNot("rPnL ▲", "rPnL\n")
		s.press("s", "r")
		s.sees("rPnL ▲", "-1,044.02")
		s.press("s", "a")
		s.sees("IDLE ▲")
	})
}

func TestFilterNarrowsAtEachKey(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("desk-")
		s.wantMarkets("ETH", "SOL", "LINK", "BTC")
		s.write("1")
		s.wantMarkets("ETH", "SOL")
		s.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
		s.write("zzz")
		s.sees("No position matches; esc clears the filter.")
		s.press("enter", "q", "q") // kept: q is a key again
		if !slices.ContainsFunc(s.sent, func(msg tea.Msg) bool { _, ok := msg.(tea.QuitMsg); return ok }) {
			t.Error("q did not quit")
		}
		s.press("esc")
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
	})
}

func TestPastedTextIsNeutralised(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.send(tea.PasteMsg{Content: "desk\x1b[2J\t-9\u202e"})
		if content := s.m.View().Content; strings.Contains(content, "\x1b[2J") || strings.Contains(content, "\u202e") {
			t.Errorf("a pasted text drives the terminal: %q", content)
		}
		s.sees("␛[2J -9<U+202E>")
	})
}

func TestSilentStreamOfADeadServiceIsNotShownAsRetried(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.StaleSince, link.Problem = time.Now(), &model.Problem{Words: "the service does not respond"}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("STALE 0s", "The service does not respond. The connection is up; r opens another beside it.")
	})
}

func TestCountdown(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.Phase, link.StaleSince, link.Problem = model.Waiting, time.Now(), &model.Problem{Status: 500, Words: "internal error"}
		link.Attempt, link.RetryAt = 2, time.Now().Add(3*time.Second)
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("The service failed (500): internal error. Retry 2 in 3s; r retries now.")
		s.pass(2 * time.Second)
		s.sees("STALE 2s", "Retry 2 in 1s")
		s.pass(2 * time.Second)
		s.sees("Retry 2 is under way.")
		s.press("r")
		if s.source.resynced != 1 {
			t.Error("r did not resync")
		}
	})
}

func TestRowsAreStaleWhenTheirSubscriptionIs(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		delta := deskDelta(s)
		delta.Links[0].StaleSince = time.Now().Add(-5 * time.Second)
		s.publish(delta)
		s.press("g") // the cursor is on a row that is stale
		s.sees("STALE 5s (1 of 5)")
		for _, line := range s.table()[1:7] {
			if stale := strings.HasPrefix(line, "?"); stale != strings.Contains(line, "desk-1") {
				t.Errorf("stale is %v: %q", stale, line)
			}
		}
		for _, line := range strings.Split(s.m.View().Content, "\n")[2:8] {
			if strings.Contains(line, "desk-1") && strings.Contains(line, "\x1b[9") {
				t.Errorf("a stale row has a colour: %q", line)
			}
		}
	})
}

func TestQuitting(t *testing.T) {
	quits := func(msg tea.Msg) bool { _, ok := msg.(tea.QuitMsg); return ok }
	deskScreen(t, func(s *screen) {
		s.press("ctrl+c")
		s.sees("ctrl+c again quits.")
		s.press("down", "ctrl+c")
		s.pass(5 * time.Second)
		s.seesNot("ctrl+c again")
		s.press("ctrl+c")
		if slices.ContainsFunc(s.sent, quits) {
			t.Error("one ctrl+c quits")
		}
		s.press("ctrl+c")
		if !slices.ContainsFunc(s.sent, quits) {
			t.Error("two ctrl+c do not quit")
		}
	})
	deskScreen(t, func(s *screen) {
		s.press("esc", "esc", "?", "esc", "esc", "tab", "z", "esc", "esc", "esc", "/", "esc", "esc", "p", "esc")
		if slices.ContainsFunc(s.sent, quits) {
			t.Error("esc quits")
		}
	})
}

func TestAPageLeavesTheTableWhereItWas(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("down", "down", "down")
		before := s.text()
		s.press("enter", "esc", "?", "esc", "p", "esc", "/", "enter", "tab", "z", "z", "shift+tab")
		if after := s.text(); after != before {
			t.Errorf("the screen was\n%s\nand is\n%s", before, after)
		}
	})
}

func TestTheAssetComesFromMarginRecords(t *testing.T) {
	bare := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH/USDT", PriceDecimals: 2, SizeDecimals: 3},
			{ID: dogeMarket, Name: "DOGE/USDT", PriceDecimals: 5, SizeDecimals: 0},
		}, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}})
	}
	onScreen(t, 80, 24, bare, func(s *screen) {
		s.publish(whole(all, deskRows()[0], deskRows()[4]))
		s.pass(time.Second)
		// No record names the asset of DOGE/USDT: its profit is raw, and not summed up.
		s.sees("-449.20", "+23,085r", "1 position of unknown assets, without a total")
	})
}

func TestNumbersThatAreNone(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("down", "up") // the cursor stays on this row
		s.publish(updatesOf(all, position(desk1, ethMarket, "", "1k3", "-1.5.0", "0x7", model.StatusUnspecified, 0)))
		s.sees(`""r`, "1k3r", "-1.5.0r", "* without: uPnL 1")
		s.send(tea.WindowSizeMsg{Width: 40, Height: 3})
		s.sees("USDT uPnL +650.28 (1 left out)")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.press("enter")
		s.sees("─ ETH/USDT · desk-1", "0x7 raw")
	})
}

func TestANodeThatLagsIsNamed(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.Block, link.BlockAt = model.Block{Height: 1_234_567, Time: time.Now().Add(-127 * time.Second)}, time.Now()
		link.Lag = model.Lag{By: 127 * time.Second, Shown: model.LagOfBlock}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("BEHIND 2m", "The node is behind: its last block, 1,234,567, is of 14:00:00 CET.")
	})
}

func TestAServiceWhoseNodesAreAllBehindIsNamed(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.Lag = model.Lag{By: 36 * time.Minute, Shown: model.LagOfAllBlocks}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("BEHIND 36m", "All nodes are behind: the newest block that the service names is 36m old.")
	})
}

func TestRowsThatAreBehindAreNamed(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.Lag = model.Lag{By: 12 * time.Second, Shown: model.LagOfRows}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("BEHIND 12s", "The newest position is 12s older than one that was shown before.")
	})
}

func TestEverythingIsRequestedAgainAfterASleep(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.send(tickMsg{})
		time.Sleep(3 * time.Second)
		s.send(tickMsg{})
		if s.source.resynced != 0 {
			t.Error("everything is requested again without a sleep")
		}
		time.Sleep(time.Minute) // without a tick
		s.send(tickMsg{})
		if s.source.resynced != 1 {
			t.Errorf("after a minute's sleep everything was requested %d times, want once", s.source.resynced)
		}
		s.send(tea.ResumeMsg{})
		if s.source.resynced != 2 {
			t.Errorf("after fg everything was requested %d times in all, want twice", s.source.resynced)
		}
	})
}

func TestCursorBeginsAtTheTop(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		delta := deskDelta(s)
		whole, links := delta.Snapshots, slices.Clone(delta.Links)
		for i := len(whole) - 1; i >= 0; i-- { // the top row comes last
			for k := range links {
				links[k].Committed = k >= i
			}
			s.publish(book.Delta{Links: slices.Clone(links), Snapshots: whole[i : i+1]})
		}
		if !strings.HasPrefix(s.table()[1], "▌") {
			t.Errorf("the cursor is not on the first row:\n%s", s.text())
		}
		s.press("j", "j")
		at := s.cursorLine()
		s.publish(delta) // later snapshots leave it where it is
		if s.cursorLine() != at {
			t.Errorf("the cursor was on %q and is on %q", at, s.cursorLine())
		}
	})
}

func TestRefusedFromTheStartIsNotCalledConnecting(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		link := model.Link{Subscription: all, Phase: model.Refused, Problem: &model.Problem{Status: 401, Words: "no", Refuse: true}}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("REFUSED", "Credentials refused (401): no")
		link.Phase = model.Waiting
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("WAITING")
	})
}

// TestALimitIsNotCalledRefusedCredentials, also after the time that the service named.
func TestALimitIsNotCalledRefusedCredentials(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		link := model.Link{Subscription: all, Phase: model.Waiting, ByService: true, RetryAt: s.m.store.Now().Add(2 * time.Second), Problem: &model.Problem{Status: 403, Words: "banned"}}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("The service limits this address (403). Next try in 2s.")
		link.Phase, link.ByService = model.Connecting, false
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("The service failed (403): banned. Retry 1 is under way.")
	})
}

// TestAScreenWithoutATableIsNotSilent: it shows what is typed and what a key did, and how to close what has no room.
func TestAScreenWithoutATableIsNotSilent(t *testing.T) {
	for _, size := range []tea.WindowSizeMsg{{Width: 30, Height: 8}, {Width: 30, Height: 2}, {Width: 80, Height: 1}} {
		onScreen(t, size.Width, size.Height, watchAll, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("/")
			s.write("eth")
			s.sees(" / eth")
			lines := s.whole()
			if at := s.m.draw().Cursor; at == nil || ansi.Truncate(lines[at.Y], at.X, "") != " / eth" {
				t.Errorf("the cursor is at %v", at)
			}
			s.press("enter", "p")
			s.write("q")
			s.sees("No room here; esc closes it.")
			if at := s.m.draw().Cursor; at != nil {
				t.Errorf("the cursor is at %v, where nothing is typed", at)
			}
			s.press("esc", "?")
			s.sees("No room here; esc closes it.")
			s.press("esc", "<")
			s.sees("Only one table is here.")
			s.pass(8 * time.Second)
			s.sees("LIVE")
			s.seesNot("No room", "Only one")
			brokenLink(model.Waiting, 0, "connection lost")(s)
			s.sees("STALE")
			if size.Height > 1 {
				s.sees("Connection", "Retry 3 in 4s.")
			}
		})
	}
}

func TestMoreRowsThanTheScreenHasRoomForAreCounted(t *testing.T) {
	onScreen(t, 80, 10, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("c", "g") // with the closed ones
		s.sees("rows 1–5 of 10")
		s.press("G")
		s.sees("rows 7–10 of 10", "▲ 3 worse above, not seen")
	})
}

// TestQuietIsCalledVerifiedForHalfAMinute if the service limits requests and cannot be checked again.
func TestQuietIsCalledVerifiedForHalfAMinute(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		now := time.Now()
		link := liveLink(all)
		link.MessageAt, link.VerifiedAt, link.PostponedUntil = now.Add(-time.Minute), now.Add(-12*time.Second), now.Add(10*time.Minute)
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("QUIET 1m, not verified") // the snapshot does not verify the rows
		s.publish(book.Delta{Snapshots: []book.Snapshot{{Subscription: all, Rows: book.NewRows()}},
			Audits: []book.AuditPage{{Subscription: all, First: true, Last: true}}})
		s.sees("QUIET 1m, verified 12s ago")
		s.seesNot("not verified", "cannot be checked")
		s.pass(20 * time.Second)
		s.sees("QUIET 1m, not verified", "The service cannot be checked now. Next check in 10m.")
		s.seesNot(", verified")
	})
}

// TestWordsAboutRowsDoNotReplaceWhatIsWrong: the first rows come at once, and how they are sorted is said afterwards.
func TestWordsAboutRowsDoNotReplaceWhatIsWrong(t *testing.T) {
	onScreen(t, 120, 24, func(o *Options) {
		watchAll(o)
		o.Instruments, o.Notices = nil, []string{"Names are not used."}
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.sees("Names are not used.")
		s.pass(3 * time.Second)
		s.sees("uPnL is sorted per asset.")
	})
}
