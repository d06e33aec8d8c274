package sim_test

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

func TestMarketSendsRemovedPositionsAgain(t *testing.T) {
	bubble(t, sim.Config{Seed: 1, Parties: 6, Markets: 1, Rate: 30, Dense: true}, func(t *testing.T, s *service) {
		var keys []sim.Key
		for _, p := range s.Positions() {
			keys = append(keys, p.Key())
		}
		s.Remove(keys...)
		query := "?partyId=" + keys[1].Party + "&marketId=" + keys[1].Market
		// The market may have sent it again already, but as an update: there is no snapshot of a removed position.
		if text := s.stream(query).lines(); strings.Contains(text, "snapshot") {
			t.Errorf("once removed: %q", text)
		}
		time.Sleep(time.Minute)
		if text := s.stream(query).lines(); !strings.Contains(text, "snapshot") {
			t.Errorf("a minute later: %q", text)
		}
	})
}

// The last message about each position has its present state, if nothing is lost.
func TestStreamEndsWithThePositionsOfTheMarket(t *testing.T) {
	bubble(t, sim.Config{Seed: 5, Parties: 8, Markets: 6, Rate: 100}, func(t *testing.T, s *service) {
		stream := s.stream("")
		time.Sleep(time.Second / 2) // so that no block comes at the end of a call of lines
		sent := stream.lines()
		for range 60 {
			sent += stream.lines()
		}
		for _, p := range s.Positions() {
			last := strings.LastIndex(sent, `"marketId":"`+p.Market+`","partyId":"`+p.Party+`"`)
			if last < 0 || !strings.HasPrefix(sent[last-1:], inUpdate(p)) {
				t.Errorf("the last message about %+v: %.400s", p, sent[max(0, last):])
			}
		}
	})
}
