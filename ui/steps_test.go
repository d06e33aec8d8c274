package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

// firstLine fails the test unless the first line has a text on it.
func (s *screen) firstLine(want string) {
	s.t.Helper()
	if line := s.lines()[0]; !strings.Contains(line, want) {
		s.t.Errorf("the first line does not show %q: %s", want, line)
	}
}

// TestEscIsTheWayBack through everything that was done, the latest first, and never quits.
func TestEscIsTheWayBack(t *testing.T) {
	onScreen(t, 120, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("desk")
		s.press("enter", "P")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.press("m")
		s.write("sol")
		s.press("enter")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.firstLine("  all parties › [desk] › desk-1 › desk-1 in SOL/USDT  ")
		s.press("tab", "z", "?", "i")
		s.sees("─ connection")
		s.press("esc")
		s.sees("─ help")
		s.press("esc")
		s.seesNot("─ help", "▌SOL/USDT   desk-1     +420.00")
		s.press("esc")
		s.sees("─ Margin levels", "▌SOL/USDT   desk-1     +420.00")
		s.press("esc")
		s.seesNot("─ Margin levels")
		s.press("esc")
		s.wantScope([]model.ID{desk1}, nil)
		s.firstLine("  all parties › [desk] › desk-1  ")
		s.press("esc")
		s.wantScope(nil, nil)
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.firstLine("  all parties › [desk]  ")
		s.wantMarkets("ETH", "SOL", "LINK", "BTC")
		s.press("esc")
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
		s.press("esc")
		s.sees("No step to undo.")
		if s.sentMsg("QuitMsg") {
			t.Error("esc quits")
		}
	})
}

// TestEscPassesOverWhatIsUndoneAlready in another way than by esc.
func TestEscPassesOverWhatIsUndoneAlready(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("P")
		for _, undone := range [][]string{{"z", "z"}, {"tab", "tab"}, {"?", "q"}, {"/", "e", "backspace", "enter"}, {"i", "z", "z"}} {
			s.press(undone...)
		}
		s.press("esc")
		s.wantScope(nil, nil)
	})
}

// TestTheOldestStepsOfScopeAreForgotten, so that they do not grow without a bound, and on a narrow first line.
func TestTheOldestStepsOfScopeAreForgotten(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/", "d", "enter")
		for range 40 {
			for _, name := range []string{"desk-1", "desk-2"} {
				s.press("p")
				s.write(name)
				s.press("enter")
			}
		}
		if len(s.m.steps) != maxSteps {
			t.Errorf("%d steps are kept", len(s.m.steps))
		}
		s.firstLine("  … › [d] › ")
		s.firstLine(" › desk-1 › desk-2  ")
	})
}

// TestQClosesWhatCoversTheScreen before it quits.
func TestQClosesWhatCoversTheScreen(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("z", "?", "i")
		s.sees("q close")
		s.press("q")
		s.sees("─ help", "q close")
		s.press("q")
		s.seesNot("─ help", "─ ETH/USDT")
		s.sees("q close")
		s.press("q")
		s.sees("─ ETH/USDT", "q quit")
		if s.sentMsg("QuitMsg") {
			t.Fatal("q quits while something covers the screen")
		}
		time.Sleep(heldFor)
		s.press("q", "q")
		if !s.sentMsg("QuitMsg") {
			t.Error("q does not quit")
		}
	})
}

// TestCtrlCTwiceQuitsEverywhere, even if text is typed.
func TestCtrlCTwiceQuitsEverywhere(t *testing.T) {
	for _, keys := range [][]string{nil, {"tab"}, {"z"}, {"?"}, {"i"}, {"enter"}, {"p"}, {"m"}, {"/"}} {
		deskScreen(t, func(s *screen) {
			s.press(append(keys, "ctrl+c", "ctrl+c")...)
			if !s.sentMsg("QuitMsg") {
				t.Errorf("not after %v", keys)
			}
		})
	}
}

func TestAnUnknownKeyShowsWhereTheKeysAre(t *testing.T) {
	for _, keys := range [][]string{{"ü"}, {"ctrl+x"}, {"tab", "ü"}, {"i", "ü"}} {
		deskScreen(t, func(s *screen) {
			s.press(keys...)
			s.sees("? lists the keys.")
		})
	}
}

// TestKeysThatMeanNothingNow: the reason is in the help, and is shown when they are pressed.
func TestKeysThatMeanNothingNow(t *testing.T) {
	onScreen(t, 200, 60, watchAll, func(s *screen) {
		s.sees("enter detail") // the line stays the same while data comes
		s.press("enter")
		s.sees("No row is selected.")
		s.press("?")
		s.sees("enter (no row is selected)")
		s.press("esc")
		s.publish(whole(all, deskRows()...))
		s.pass(0)
		s.press("tab", "right")
		s.sees("Last page.")
		s.press("?")
		s.sees("→      (last page)", "enter detail of this line")
	})
}

// TestTheCursorStaysOnTopUntilItIsMoved: sorting then shows the top.
func TestTheCursorStaysOnTopUntilItIsMoved(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.publish(updatesOf(all, worse("99900")))
		if !cursorOn("SOL/USDT  desk-1")(s) {
			t.Errorf("the cursor followed its row:\n%s", s.text())
		}
		s.press("s", "u")
		if !cursorOn("ETH/USDT  desk-1")(s) {
			t.Errorf("sorting does not show the top:\n%s", s.text())
		}
		s.press("down")
		s.press("s", "u")
		if !cursorOn("BTC/USDT  desk-2")(s) {
			t.Errorf("the cursor left its row:\n%s", s.text())
		}
		s.press("g", "s", "u")
		if !cursorOn("ETH/USDT  desk-1")(s) {
			t.Errorf("g does not follow the top again:\n%s", s.text())
		}
	})
}

// TestTheDetailStaysThatOfItsPosition although the cursor was never moved.
func TestTheDetailStaysThatOfItsPosition(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("enter")
		s.publish(updatesOf(all, worse("99900")))
		s.sees("─ ETH/USDT · desk-1")
	})
}
