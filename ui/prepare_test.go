package ui

import (
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
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
