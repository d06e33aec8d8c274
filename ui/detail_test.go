package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
)

// recordedAgo makes the source respond with margin records of one time, and waits until they have an age. Those of a
// negative age are ahead of the clock.
func (s *screen) recordedAgo(age time.Duration) {
	recorded := time.Now().Add(max(-age, 0))
	s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
		page := deskPage(request)
		for i := range page.Rows {
			page.Rows[i].Timestamp = model.AmountOf(recorded.UnixNano())
		}
		return page, nil
	}
	s.press("r")
	s.pass(max(age, 6*time.Second))
}

// pageDownTo pages down until the screen shows a text.
func (s *screen) pageDownTo(text string) {
	for range 5 {
		if strings.Contains(s.text(), text) {
			return
		}
		s.press("pgdown")
	}
	s.sees(text)
}

// TestTheAgeOfAMarginRecordIsSinceItsTime, and not since it was read.
func TestTheAgeOfAMarginRecordIsSinceItsTime(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.recordedAgo(5 * time.Minute)
		s.sees("margin recorded 5m ago · 14:02:07 CET")
		s.press("enter")
		s.pageDownTo("margin recorded 5m ago · 14:02:07 CET")
		s.pageDownTo("recorded  ")
		s.sees("14:02:", "5m ago")
	})
}

// TestARatioOfAnOldRecordIsMarked, and one of a young record is not.
func TestARatioOfAnOldRecordIsMarked(t *testing.T) {
	for recorded, isMarked := range map[time.Duration]bool{9 * time.Minute: false, 10 * time.Minute: true} {
		deskScreen(t, func(s *screen) {
			s.recordedAgo(recorded)
			const words = "record 10m old"
			for _, keys := range [][]string{nil, {"enter", "pgdown"}} {
				s.press(keys...)
				s.sees("-37.4%")
				if strings.Contains(s.text(), words) != isMarked {
					t.Errorf("a record that is %s old, %q is shown: %v\n%s", recorded, words, !isMarked, s.text())
				}
			}
		})
	}
}

// TestARecordFromTheFuture: clocks differ.
func TestARecordFromTheFuture(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.recordedAgo(-100 * time.Second)
		s.sees("margin recorded 1m ahead of")
	})
}

// dimLine reports whether a line with the text is on the screen, dim and in no other style.
func (s *screen) dimLine(text string) bool {
	for _, line := range strings.Split(s.m.View().Content, "\n") {
		if strings.Contains(ansi.Strip(line), text) {
			return strings.HasPrefix(line, string(s.m.colours.Styles.Stale)) && strings.Count(line, "\x1b[") == 2
		}
	}
	s.t.Errorf("the screen does not say %q:\n%s", text, s.text())
	return false
}

// TestStaleDimsWhatIsMadeOfTheRows: the totals, the levels, the ratio and the estimates are from stale rows.
func TestStaleDimsWhatIsMadeOfTheRows(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		delta := deskDelta(s)
		s.publish(delta)
		s.pass(time.Second)
		s.press("g") // a row of desk-1
		derived := []string{"maintenance 1,200.00", "uPnL/MM -37.4%", "≈ mark", " WORST"}
		for _, text := range derived {
			if s.dimLine(text) {
				t.Errorf("nothing is stale, but %q is dim", text)
			}
		}
		delta.Links[0].StaleSince = time.Now()
		s.publish(book.Delta{Links: delta.Links})
		for _, text := range derived {
			if !s.dimLine(text) {
				t.Errorf("desk-1 is stale, but %q is not dim", text)
			}
		}
		s.press("G") // a row of desk-2, which is not
		s.pass(time.Second)
		if s.dimLine("≈ mark") {
			t.Error("desk-2 is not stale, but its estimates are dim")
		}
		if !s.dimLine(" WORST") {
			t.Error("the totals have rows of desk-1, and are not dim")
		}
	})
}

func TestTheSelectedRowsLevels(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.pass(time.Second)
		s.sees("ETH/USDT · desk-1", "maintenance 1,200.00", "uPnL/MM -37.4%", "≈ mark 3,455.02   ≈ ETH/USDT +0.4% → -50%")
		before := len(s.source.requests)
		for _, key := range []string{"down", "down", "down", "up", "down", "up", "up"} {
			s.press(key)
			time.Sleep(100 * time.Millisecond)
			s.drain()
		}
		s.pass(time.Second)
		s.sees("SOL/USDT · desk-1", "maintenance 3,106.00")
		if n := len(s.source.requests) - before; n > 0 {
			t.Errorf("a cursor that moves on sent %d requests", n)
		}
		s.press("down")
		s.pass(time.Second)
		s.sees("The service has no margin levels for this position.")
		s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
			return nil, errors.New("the service responded with 429: slower")
		}
		s.press("G")
		s.pass(8 * time.Second)
		s.sees("margin recorded ") // the known levels stay, with their age
	})
}

func TestLongLevelsAreNotCut(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
			page := deskPage(request)
			for i := range page.Rows {
				page.Rows[i].Release = model.ParseAmount("1234567890123456789012345678901234500")
			}
			return page, nil
		}
		s.press("r")
		s.pass(time.Second)
		s.sees("M 1,200.00   S 1,320.00", "I 1,440.00   R 12,345,678,901,234,567,890,123,456,789,012,345.00", "uPnL/MM -37.4%")
	})
}
