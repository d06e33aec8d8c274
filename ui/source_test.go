package ui

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/store"
)

func TestDataOfAnotherEpochIsDropped(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("P") // desk-1 alone
		s.publish(updatesOf(all, worse("77700")))
		s.seesNot("+777.00", "-449.20")
		only := s.m.store.Subscriptions()[0]
		if only.Party != desk1 || only.Epoch != 1 {
			t.Fatalf("watching %v", only)
		}
		s.publish(whole(model.Subscription{Key: only.Key, Epoch: 7}, deskRows()...))
		s.seesNot("-449.20")
		s.publish(whole(only, deskRows()[:2]...))
		s.wantMarkets("ETH", "SOL")
	})
}

func TestOneDeltaAtATime(t *testing.T) {
	deskScreen(t, func(s *screen) {
		// While a view is prepared, a Delta that comes waits, and the next one is not requested.
		_, prepare := s.m.Update(keyNamed("c"))
		s.source.publish(updatesOf(all, worse("-1")))
		s.drain()
		s.source.publish(updatesOf(all, worse("-2")))
		s.drain()
		if len(s.source.news) != 1 {
			t.Errorf("%d deltas left, want the second one", len(s.source.news))
		}
		s.sees("-449.20")
		s.start(prepare)
		s.drain()
		s.sees("-0.02", "\n 10 positions")
	})
}

// TestPartsOfAFrameAreDrawnTogether, unless a key is pressed meanwhile.
func TestPartsOfAFrameAreDrawnTogether(t *testing.T) {
	deskScreen(t, func(s *screen) {
		part := func(profit string, more bool) {
			delta := updatesOf(all, worse(profit))
			delta.More = more
			s.publish(delta)
		}
		part("-1", true)
		s.sees("-449.20")
		part("-2", true)
		s.sees("-449.20")
		s.press("down")
		s.sees("-0.02")
		part("-3", true)
		s.sees("-0.02")
		part("-4", false)
		s.sees("-0.04")
		s.pass(time.Minute) // until all notices have ended
		drawn := make(map[string]bool)
		for i := range 45 { // there is no end of them, for 0.9 s
			part(strconv.Itoa(-100-i), true)
			drawn[s.text()] = true
			time.Sleep(store.SlowAfter / 5)
		}
		if n := len(drawn); n < 9 || n > 11 {
			t.Errorf("%d screens in 0.9 s, want one each %s", n, store.SlowAfter)
		}
	})
}

func TestFreezeHoldsRowsAndShowsLinks(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("f")
		s.sees("FROZEN")
		s.publish(updatesOf(all, worse("-1")))
		s.sees("-449.20", "FROZEN 0s, 1 change waits")
		link := liveLink(all)
		link.Phase, link.StaleSince = model.Waiting, time.Now()
		link.Problem = &model.Problem{Words: "connection lost (reset by peer)"}
		link.Attempt, link.RetryAt = 1, time.Now().Add(9*time.Second)
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("STALE 0s  FROZEN 0s", "Connection lost (reset by peer). Retry 1 in 9s; r retries now.", "-449.20")
		s.pass(2 * time.Minute)
		s.sees("STALE 2m  FROZEN 2m, 1 change waits  ")
		s.publish(updatesOf(all, append(slices.Clone(deskRows()[1:3]), worse("-2"))...))
		s.sees("STALE 2m  FROZEN 2m, 3 changes wait  ")
		s.send(tea.WindowSizeMsg{Width: 40, Height: 12})
		s.sees("STALE 2m  FROZEN 2m")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.press("f")
		s.pass(4 * time.Second)
		s.seesNot("FROZEN", "-449.20")
		s.sees("-0.02")
	})
}

func TestFreezeHoldsADeltaThatWasOnItsWay(t *testing.T) {
	deskScreen(t, func(s *screen) {
		_, frozen := s.m.Update(keyNamed("f"))
		s.publish(updatesOf(all, worse("-1")))
		s.seesNot("changes wait", "change waits")
		s.start(frozen)
		s.drain()
		s.sees("FROZEN 0s, 1 change waits", "-449.20")
		s.press("f")
		s.sees("-0.01")
	})
}

func TestAScopeEndsAFreeze(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("f", "P")
		s.seesNot("FROZEN")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.wantMarkets("ETH", "SOL")
	})
}

func TestSourceThatEnds(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.m.Update(store.Received{Err: errors.New("closed")})
		s.sees("No more data: closed")
	})
}
