package ui

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/store"
	"blotter/ui/uitest"
)

// prepared is the view that a command prepares.
func (s *screen) prepared(cmd tea.Cmd) store.Prepared {
	s.t.Helper()
	messages := make(chan tea.Msg, 10)
	uitest.Run(cmd, messages)
	synctest.Wait()
	for range len(messages) {
		_, msg := withoutOwner(<-messages)
		if prepared, ok := msg.(store.Prepared); ok {
			return prepared
		}
	}
	s.t.Fatal("no view is prepared")
	return store.Prepared{}
}

func TestWhatChangesDuringAPreparationIsPreparedNext(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("s")
		_, first := s.m.Update(keyNamed("u"))
		s.press("c")
		s.sees("uPnL ▲", "6 of 10 positions")
		_, second := s.m.Update(s.prepared(first))
		s.sees("uPnL ▼", "6 of 10 positions")
		s.start(second)
		s.drain()
		s.sees("uPnL ▼", "\n 10 positions")
	})
}

func TestAFilterDuringAChangeOfScope(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("p")
		s.write("desk-3")
		_, first := s.m.Update(keyNamed("enter"))
		s.press("c")
		_, second := s.m.Update(s.prepared(first))
		s.start(second)
		s.drain()
		s.wantMarkets("BTC", "DOGE", "LINK")
	})
}

func TestRowsOfAnotherScopeNeverShowUpLate(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.publish(deskDelta(s))
		_, first := s.m.Update(keyNamed("c"))
		s.press("p")
		s.write("desk-3")
		s.press("enter")
		s.seesNot("-449.20", "LINK/USDT")
		_, second := s.m.Update(s.prepared(first))
		s.seesNot("-449.20", "SOL/USDT")
		s.start(second)
		s.drain()
		s.wantMarkets("BTC", "DOGE", "LINK")
	})
}

func TestAScopeClearsWhatIsNotInIt(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("p")
		s.write("desk-2")
		_, prepare := s.m.Update(keyNamed("enter")) // without running the command
		s.seesNot("LINK/USDT", "-449.20")
		s.start(prepare)
		s.drain()
		s.wantMarkets("BTC") // the row of desk-2 stays
		if got := s.source.watched; len(got) != 2 || len(got[1]) != 1 || got[1][0].Epoch != 0 {
			t.Errorf("watched %v", got)
		}
	})
}

func TestAWiderScopeKeepsTheRows(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1} }, func(s *screen) {
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.press("p", "down", "tab")
		_, prepare := s.m.Update(keyNamed("enter"))
		s.wantMarkets("ETH", "SOL")
		s.start(prepare)
		s.drain()
		s.wantMarkets("ETH", "SOL")
		s.sees("desk-1 desk-2")
	})
}

func TestSlowPreparationIsShown(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("s")
		_, prepare := s.m.Update(keyNamed("u"))
		s.seesNot("sorting")
		time.Sleep(200 * time.Millisecond)
		s.sees("sorting...")
		s.start(prepare)
		s.drain()
		s.seesNot("sorting")
	})
}

// TestTheStateOfASubscriptionComesWithItsSnapshot: LIVE is never drawn with the rows before the snapshot.
func TestTheStateOfASubscriptionComesWithItsSnapshot(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.StaleSince = time.Now().Add(-time.Minute)
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("STALE 1m", "-449.20")
		rows := deskRows()
		rows[0].SetNumber(model.UnrealisedPnl, model.AmountOf(-77700))
		s.source.publish(whole(all, rows...))
		synctest.Wait()
		_, prepare := s.m.Update(<-s.messages)
		s.sees("STALE 1m", "-449.20")
		s.start(prepare)
		s.drain()
		s.sees("LIVE 0s", "-777.00")
	})
}

// TestNarrowingToAMarketNeedsNoRequest: the stream of a party has all of its markets.
func TestNarrowingToAMarketNeedsNoRequest(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1} }, func(s *screen) {
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		before := s.m.store.Subscriptions()
		s.press("m")
		s.write("SOL/USDT")
		s.press("enter")
		s.wantMarkets("SOL")
		s.press("m")
		s.press("up", "up", "enter") // all markets
		s.wantMarkets("ETH", "SOL")
		if after := s.m.store.Subscriptions(); !slices.Equal(before, after) {
			t.Errorf("the subscriptions were %v and are %v", before, after)
		}
	})
}
