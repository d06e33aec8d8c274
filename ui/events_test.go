package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// flips are n updates of DOGE/USDT, each of which flips it: to +1, -2, +3 and so on.
func flips(n int) book.Delta {
	var positions []model.Position
	for i := range n {
		size := i + 1
		if i%2 == 1 {
			size = -size
		}
		positions = append(positions, position(nobody, dogeMarket, fmt.Sprint(size), "38410", "0", "0", model.StatusUnspecified, 0))
	}
	return updatesOf(all, positions...)
}

// aBusyDay is what shows the desk's rows, and changes of each kind.
func aBusyDay(s *screen) {
	s.publish(whole(all, deskRows()...))
	s.pass(time.Second)
	loss := position(desk1, ethMarket, "0", "0", "0", "100210", model.StatusClosedOut, 0)
	loss.SetNumber(model.LossSocialisationAmount, model.AmountOf(1250))
	s.publish(updatesOf(all,
		position(desk2, ethMarket, "1500", "341010", "0", "5210", model.StatusUnspecified, 1),
		position(desk1, solMarket, "-12000", "148220", "-13230", "8841", model.StatusUnspecified, 1),
		position(desk2, btcMarket, "2250", "641205", "34688", "1200", model.StatusUnspecified, 1),
		position(desk2, btcMarket, "2000", "641205", "34600", "1200", model.StatusDistressed, 0),
		position(desk3, linkMarket, "25000", "14118", "21000", "-104402", model.StatusOrdersClosed, 0),
		loss,
	))
	rows := deskRows()
	rows[0], rows[1] = loss, position(desk1, solMarket, "-12000", "148220", "-13230", "8841", model.StatusUnspecified, 1)
	rows[5] = position(desk2, btcMarket, "2000", "641205", "34600", "1200", model.StatusDistressed, 0)
	s.pass(2 * time.Second)
	s.publish(whole(all, rows...)) // another connection: ETH/USDT of desk-2 was closed meanwhile
	s.pass(time.Second)
}

func TestEventsPage(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.press("e")
		s.sees("Nothing has happened since 14:02:07 CET.")
		aBusyDay(s)
		s.sees("6 events · esc back", "found by a snapshot")
		list := strings.Join(strings.Fields(s.text()), " ")
		for _, event := range []string{
			"▌by 14:02:10 ETH/USDT desk-2 closed, was +1.500 14:02:08", "14:02:08 ETH/USDT desk-1 closed, was -10.000; status CLOSED OUT; … 14:02:08",
			"14:02:08 BTC/USDT desk-2 reduced +2.250 → +2.000; status DISTRESSED", "14:02:07 BTC/USDT desk-2 grown +1.250 → +2.250",
			"14:02:07 SOL/USDT desk-1 flipped +420.00 → -120.00", "14:02:07 ETH/USDT desk-2 opened +1.500",
		} {
			if !strings.Contains(list, event) {
				t.Errorf("the list does not have %q:\n%s", event, s.text())
			}
		}
		s.press("down")
		s.sees("\n closed, was -10.000; status CLOSED OUT; loss socialised 12.50 USDT\n")
	})
}

// TestNewEventsDoNotMoveWhatIsRead: the list follows the newest event until the cursor is moved.
func TestNewEventsDoNotMoveWhatIsRead(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.publish(flips(20))
		s.press("e")
		s.publish(flips(25))
		if !strings.Contains(s.cursorLine(), "flipped -24 → +25") {
			t.Errorf("the cursor is on %q", s.cursorLine())
		}
		s.press("down")
		s.press("down")
		list := func() string { return strings.Join(s.lines()[4:10], "\n") }
		before := list()
		s.publish(flips(2)) // fewer than the screen has room for
		s.publish(flips(18))
		if got := list(); got != before || !strings.Contains(s.cursorLine(), "flipped -22 → +23") {
			t.Errorf("what is read was\n%s\nand is\n%s", before, got)
		}
		s.sees("20 newer above")
		s.press("g")
		s.publish(flips(2))
		if !strings.Contains(s.cursorLine(), "flipped +1 → -2") {
			t.Errorf("the cursor is on %q", s.cursorLine())
		}
	})
}

func TestFilterOfTheEventsPage(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		aBusyDay(s)
		s.press("e", "/")
		s.write("event:c")
		s.press("tab")
		s.sees("event:closed", "2 events of 6")
		s.write(" upnl>5")
		s.sees("events have no such number")
		s.press("enter") // stays, because it is not understood
		for range " upnl>5" {
			s.press("backspace")
		}
		s.press("enter")
		s.sees("─ events · event:closed ─", "6 of 10 positions, 4 closed hidden")
		s.press("?", "esc")
		s.sees("─ events · event:closed ─")
		s.press("esc")
		s.sees("─ events ─", "6 events")
		s.press("/")
		s.write("xrp")
		s.press("enter")
		s.sees("No event matches; esc clears the filter.")
		s.press("q", "e")
		s.sees("6 events")
		s.press("esc")
		s.seesNot("─ events")
	})
}

// TestManyEventsAreMatchedInParts: no message of the screen matches more than some, and what is shown is replaced when
// all are matched.
func TestManyEventsAreMatchedInParts(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.publish(flips(12_000))
		s.press("e", "/")
		s.write("size>")
		_, following := s.m.Update(keyNamed("0"))
		s.sees("12,000 events  esc clears")
		s.start(following)
		s.drain()
		s.sees("6,000 events of 12,000  esc clears")
		s.press("enter")
		s.sees("─ events · size>0 ─")
	})
}

func TestEnterGoesToThePositionOfTheEvent(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		aBusyDay(s)
		s.press("e", "enter")
		s.sees("Its position is hidden: it is closed, or the filter leaves it out.", "─ events")
		s.press("G", "k", "enter")
		s.seesNot("─ events")
		if !strings.Contains(s.cursorLine(), "SOL/USDT  desk-1") {
			t.Errorf("the cursor is on %q", s.cursorLine())
		}
	})
}

// TestEnterOnAnEventWithoutItsWholeIdentifier says why it does nothing: the service does have the position.
func TestEnterOnAnEventWithoutItsWholeIdentifier(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.publish(updatesOf(all, position(model.MakeID(strings.Repeat("p", 1000)), dogeMarket, "5", "38410", "0", "0", model.StatusUnspecified, 0)))
		s.press("e", "enter")
		s.sees("Its identifier is too long for events.")
	})
}

func TestCopyOfEvents(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		aBusyDay(s)
		s.press("e", "down", "y")
		want := strings.Join([]string{
			"2000-01-01 14:02:08 CET", "ETH/USDT", ethMarket.String(), "desk-1", desk1.String(), "closed status loss",
			"-10.000", "0.000", "0.00", "12.50", "POSITION_STATUS_DISTRESSED", "POSITION_STATUS_CLOSED_OUT",
		}, "\t") + "\n"
		if got := s.clipboard(); got != want {
			t.Errorf("copied is\n%s, want\n%s", got, want)
		}
		s.press("/")
		s.write("event:closed")
		s.press("enter", "Y")
		if got := s.clipboard(); strings.Count(got, "\n") != 3 || !strings.Contains(got, "\nbefore 2000-01-01 14:02:10 CET\tETH/USDT\t") {
			t.Errorf("copied is\n%s", got)
		}
	})
}

// TestEventsComeWhileFrozen: the rows wait, and the log goes on.
func TestEventsComeWhileFrozen(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("f", "e")
		s.publish(flips(3))
		s.sees("3 events")
		s.press("f")
		s.sees("3 events")
	})
}

// TestNoEventsOfAScope: rows that come into the scope or leave it have not changed.
func TestNoEventsOfAScope(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { o.Scope = model.Scope{Parties: []model.ID{nobody}, Markets: []model.ID{btcMarket}} }, func(s *screen) {
		watched := s.m.store.Subscriptions()[0]
		s.publish(whole(watched, deskRows()[4]))
		delta := flips(3)
		delta.Updates[0].Subscription = watched
		s.publish(delta) // of another market of the party
		s.press("e")
		s.sees("Nothing has happened")
	})
	deskScreen(t, func(s *screen) {
		s.press("P")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.press("esc")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.press("e")
		s.sees("Nothing has happened")
	})
}

// TestMissedEventsAreReported: too many changes waited for the screen.
func TestMissedEventsAreReported(t *testing.T) {
	deskScreen(t, func(s *screen) {
		delta := flips(3)
		delta.Missed = 1234
		s.publish(delta)
		s.press("e")
		s.sees("3 events · at least 1,234 missed: too many at once")
	})
}

// TestEventsOfAReplayAreThoseOfTheRecording: a jump brings those up to its time, and no change of a row is another one.
func TestEventsOfAReplayAreThoseOfTheRecording(t *testing.T) {
	replay := &fakeReplay{speed: 1}
	watched := func(o *Options) {
		watchAll(o)
		o.Replay = replay
	}
	row := deskRows()[0]
	closed := row
	closed.SetNumber(model.OpenVolume, model.AmountOf(0))
	happened, _ := event.New(&row, &closed, book.ChangedByUpdate, time.Now())
	onScreen(t, 80, 24, watched, func(s *screen) {
		replay.events = []event.Event{happened, happened, happened}
		s.publish(whole(all, deskRows()...))
		s.publish(flips(5))
		s.press("e")
		s.sees("3 events")
		s.press("<")
		rewound := whole(all, deskRows()...)
		rewound.Restart, replay.restart = true, true
		s.publish(rewound)
		s.sees("Nothing has happened")
		replay.events = []event.Event{happened, happened}
		s.publish(flips(2))
		s.sees("2 events")
	})
}

// TestEventsOnANarrowScreen have their time, also if no name is known.
func TestEventsOnANarrowScreen(t *testing.T) {
	onScreen(t, 40, 10, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.publish(flips(1))
		s.press("e")
		s.sees("▌14:02:07 DOGE/USDT a3f9…81c2 flipped …")
	})
}

func TestMouseOnEvents(t *testing.T) {
	withAll := func(o *Options) {
		watchAll(o)
		withMouse(o)
	}
	onScreen(t, 80, 24, withAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.publish(flips(40))
		s.press("e")
		s.click("flipped +33 → -34")
		if !strings.Contains(s.cursorLine(), "flipped +33 → -34") {
			t.Errorf("the cursor is on %q", s.cursorLine())
		}
		s.wheel("flipped +33 → -34", tea.MouseWheelDown, 1)
		s.seesNot("flipped +39 → -40")
	})
}

func TestGoldenEvents(t *testing.T) {
	for name, size := range map[string][2]int{"events-40x10": {40, 10}, "events": {80, 24}, "events-200x60": {200, 60}, "side-events-200x60": {200, 60}} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], watchAll, func(s *screen) {
				aBusyDay(s)
				if !strings.HasPrefix(name, "side") {
					s.press("e", "down")
				}
				s.golden(name)
				s.fits(size[0], size[1])
			})
		})
	}
}
