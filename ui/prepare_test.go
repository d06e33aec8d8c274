package ui

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// prepared is the view that a command prepares.
func (s *screen) prepared(cmd tea.Cmd) preparedMsg {
	s.t.Helper()
	messages := make(chan tea.Msg, 10)
	run(cmd, messages)
	synctest.Wait()
	for range len(messages) {
		if msg, ok := (<-messages).(preparedMsg); ok {
			return msg
		}
	}
	s.t.Fatal("no view is prepared")
	return preparedMsg{}
}

func TestWhatChangesDuringAPreparationIsPreparedNext(t *testing.T) {
	deskScreen(t, func(s *screen) {
		_, first := s.m.Update(keyNamed("s"))
		s.press("c")
		s.sees("uPNL ▲", "6 rows")
		_, second := s.m.Update(s.prepared(first))
		s.sees("uPNL ▼", "6 rows")
		s.start(second)
		s.settle()
		s.sees("uPNL ▼", "10 rows")
	})
}

func TestAFilterDuringAChangeOfScope(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.tell(deskDelta(s))
		s.press("p")
		s.write("desk-3")
		_, first := s.m.Update(keyNamed("enter"))
		s.press("c")
		_, second := s.m.Update(s.prepared(first))
		s.start(second)
		s.settle()
		s.wantMarkets("BTC", "DOGE", "LINK")
	})
}

func TestRowsOfAnotherScopeNeverShowUpLate(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.tell(deskDelta(s))
		_, first := s.m.Update(keyNamed("c"))
		s.press("p")
		s.write("desk-3")
		s.press("enter")
		s.seesNot("-449.20", "LINK/USDT")
		_, second := s.m.Update(s.prepared(first))
		s.seesNot("-449.20", "SOL/USDT")
		s.start(second)
		s.settle()
		s.wantMarkets("BTC", "DOGE", "LINK")
	})
}

func TestAScopeClearsWhatIsNotInIt(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.tell(deskDelta(s))
		s.press("p")
		s.write("desk-2")
		_, prepare := s.m.Update(keyNamed("enter")) // and nothing of what comes of it yet
		s.seesNot("LINK/USDT", "-449.20")
		s.start(prepare)
		s.settle()
		s.wantMarkets("BTC", "DOGE", "BTC") // what was known of desk-2 stands
		if got := s.source.watched; len(got) != 2 || len(got[1]) != 1 || got[1][0].Epoch != 0 {
			t.Errorf("watched %v", got)
		}
	})
}

func TestAWiderScopeKeepsTheRows(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1} }, func(s *screen) {
		s.tell(whole(s.m.data.subscriptions[0], deskRows()[:2]...))
		s.press("p", "down", "down", "space")
		_, prepare := s.m.Update(keyNamed("enter"))
		s.wantMarkets("ETH", "SOL")
		s.start(prepare)
		s.settle()
		s.wantMarkets("ETH", "SOL")
		s.sees("desk-1 desk-2")
	})
}

func TestSlowPreparationIsSaid(t *testing.T) {
	deskScreen(t, func(s *screen) {
		_, prepare := s.m.Update(keyNamed("s"))
		s.seesNot("in order")
		time.Sleep(200 * time.Millisecond)
		s.sees("putting the rows in order")
		s.start(prepare)
		s.settle()
		s.seesNot("in order")
	})
}
