package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/persist"
	"blotter/ui/views"
)

// heading returns the titles of the positions table.
func (s *screen) heading() []string {
	return strings.Fields(strings.ReplaceAll(s.table()[0], "≈ ", "≈"))
}

func (s *screen) wantHeading(want ...string) {
	s.t.Helper()
	if got := s.heading(); !slices.Equal(got, want) {
		s.t.Errorf("the columns are %q, want %q", got, want)
	}
}

func TestColumnsAreChosen(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.wantHeading("MARKET", "PARTY", "SIZE", "ENTRY", "uPnL", "▲", "uPnL/MM", "STATUS", "IDLE")
		s.press("C", "down", "down", "space", "down", "down", "shift+down", "J", "J", "J", "G")
		s.moveUpTo("] IDLE")
		for strings.Index(s.text(), "] IDLE") > strings.Index(s.text(), "] STATUS") {
			s.press("K")
		}
		s.press("enter")
		s.wantHeading("MARKET", "PARTY", "uPnL", "▲", "ENTRY", "uPnL/MM", "IDLE", "STATUS")
	})
}

// TestIdentityIsNeverHidden: without party or market, rows look the same.
func TestIdentityIsNeverHidden(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("C", "tab")
		s.sees("MARKET is always shown", "[x] MARKET")
		s.press("down", "tab", "enter")
		s.wantHeading("MARKET", "PARTY", "SIZE", "ENTRY", "uPnL", "▲", "uPnL/MM", "STATUS", "IDLE")
	})
}

// TestAHiddenColumnThatSortsIsShown, because it explains the order of the rows.
func TestAHiddenColumnThatSortsIsShown(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("C", "G", "tab", "enter")
		s.seesNot("IDLE")
		s.press("s", "a")
		s.sees("IDLE ▲")
	})
}

// moveUpTo moves the cursor up to a line with the text.
func (s *screen) moveUpTo(text string) {
	for range view.Columns() {
		if strings.Contains(s.cursorLine(), text) {
			return
		}
		s.press("up")
	}
	s.t.Fatalf("no line has %q:\n%s", text, s.text())
}

// TestAPinnedColumnIsLeftOutLast, and is there if the screen would be too narrow for it.
func TestAPinnedColumnIsLeftOutLast(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.seesNot("rPnL")
		s.press("C", "G")
		s.moveUpTo("] rPnL")
		s.press("p")
		s.sees("rPnL is left out last on a narrow screen")
		s.press("enter")
		s.sees("rPnL", "+1,002.10")
		for width := 60; width < 80; width++ {
			s.send(tea.WindowSizeMsg{Width: width, Height: 24})
			s.sees("rPnL")
		}
	})
}

func TestAColumnIsAsWideAsItIsSet(t *testing.T) {
	onScreen(t, 170, 24, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("C", "down", "right", "right", "right", "right")
		s.sees("PARTY is always shown, 12 cells wide")
		s.press("enter")
		before := strings.Index(s.table()[0], "SIZE")
		s.press("C", "down", "right", "right", "enter")
		if after := strings.Index(s.table()[0], "SIZE"); after != before+2 {
			t.Errorf("two cells wider, it moved the next column from %d to %d", before, after)
		}
		s.press("C", "down")
		s.press(slices.Repeat([]string{"left"}, 80)...)
		s.sees("PARTY is always shown, as wide as its texts")
		s.press(slices.Repeat([]string{"right"}, 80)...)
		s.sees("60 cells wide")
	})
}

// TestNumbersAreNeverCutByAWidth: a number that was cut would be another number.
func TestNumbersAreNeverCutByAWidth(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("C", "down", "down", "right", "right", "left", "left", "left", "right", "enter")
		s.sees("+2,500.0", "-81,000")
	})
}

func TestEscLeavesTheColumnsAsTheyWere(t *testing.T) {
	deskScreen(t, func(s *screen) {
		before := s.text()
		s.press("C", "G", "tab", "K", "p", "right", "esc")
		if after := s.text(); after != before {
			t.Errorf("after esc:\n%s", after)
		}
	})
}

// TestTheSplitMovesWithinItsPanes: at both ends a notice shows that it cannot be moved further.
func TestTheSplitMovesWithinItsPanes(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		for _, key := range []string{"<", ">"} {
			s.press(slices.Repeat([]string{key}, 60)...)
			s.sees("The split cannot be moved further.", "MARKET    ", "─ Margin levels", "rows 1–")
			s.pass(5 * time.Second)
		}
		s.press("z", "<")
		s.sees("Only one table is here.")
	})
}

// TestTheStateIsWhatTheNextRunBeginsWith.
func TestTheStateIsWhatTheNextRunBeginsWith(t *testing.T) {
	var state persist.State
	var heading []string
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("C", "down", "down", "tab", "G", "K", "p", "up", "right", "enter", "s", "r", "s", "s", "c", "<", "<", "tab")
		s.palette("larger pages")
		s.press("enter")
		s.pass(time.Second)
		state, heading = s.m.State(), s.heading()
	})
	next := func(o *Options) {
		watchAll(o)
		o.Use(&state, func(string) bool { return false })
	}
	onScreen(t, 120, 40, next, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.wantHeading(heading...)
		s.sees("rPnL ▼", "10 positions")
		if got := s.m.State(); !slices.Equal(got.Columns, state.Columns) || got.Split != -2 || got.PageSize != 100 {
			t.Errorf("it begins with %+v, want %+v", got, state)
		}
	})
}

// TestTheConfigurationOverridesTheState if it has the key.
func TestTheConfigurationOverridesTheState(t *testing.T) {
	o := Options{PageSize: 20}
	o.Order = view.Order{Column: view.SizeColumn}
	state := persist.State{Remembered: views.Remembered{Order: "age", Descending: true, ShowClosed: true}, PageSize: 100}
	o.Use(&state, func(key string) bool { return key == "screen.order" || key == "screen.page_size" })
	if o.Order != (view.Order{Column: view.SizeColumn}) || o.PageSize != 20 || !o.ShowClosed {
		t.Errorf("the options are %+v", o)
	}
}

// TestAStateOfAnotherVersionIsUsedAsFarAsItGoes: it may name columns that there are not, and lack some that there are.
func TestAStateOfAnotherVersionIsUsedAsFarAsItGoes(t *testing.T) {
	change := func(o *Options) {
		watchAll(o)
		state := persist.State{PageSize: -7, Split: 1 << 40, Remembered: views.Remembered{Order: "nonsense", Columns: []columns.State{
			{Column: "age"}, {Column: "nonsense"}, {Column: "age", Hidden: true}, {Column: "party", Hidden: true, Width: -3}, {Column: "size", Width: 1 << 40},
		}}}
		o.Use(&state, func(string) bool { return false })
	}
	onScreen(t, 178, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.wantHeading("MARKET", "IDLE", "PARTY", "ENTRY", "≈MARK", "≈NOTIONAL", "ASSET", "uPnL", "▲", "uPnL/MM", "BAR", "rPnL", "STATUS", "SIZE")
	})
}

// TestTheStateIsRememberedAtMostOnceAMinute, and only if it has changed.
func TestTheStateIsRememberedAtMostOnceAMinute(t *testing.T) {
	var remembered []persist.State
	change := func(o *Options) {
		watchAll(o)
		o.Keep.State = func(state persist.State) error { remembered = append(remembered, state); return nil }
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.send(tickMsg{})
		s.press("c")
		s.pass(50 * time.Second)
		if len(remembered) != 0 {
			t.Fatalf("after 50 s it was remembered %d times", len(remembered))
		}
		s.press("s", "r")
		s.pass(3 * time.Minute)
		if len(remembered) != 1 || !remembered[0].ShowClosed || remembered[0].Order != "realised" {
			t.Errorf("remembered: %+v", remembered)
		}
		s.press("c")
		s.pass(2 * time.Second)
		if len(remembered) != 2 || remembered[1].ShowClosed {
			t.Errorf("remembered: %+v", remembered)
		}
	})
}
