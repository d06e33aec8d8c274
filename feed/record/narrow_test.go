package record_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/follow"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
)

// TestRowsRemovedByAnAuditInAReplayOfAParty: how new the snapshot of an audit is, is shown by all of its rows, also by
// those of other parties. So a row is removed in a replay of its party too.
func TestRowsRemovedByAnAuditInAReplayOfAParty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.zst")
	var live map[string]string
	synctest.Test(t, func(t *testing.T) {
		config := feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: 5 * time.Second}}}
		play(t, sim.Config{}, config, record.Options{Path: path}, func(s *session) {
			position := func(party, market string) sim.Position {
				return sim.Position{Party: party, Market: market, OpenVolume: 5}
			}
			s.node.Put(position("a1", "b1"), position("a1", "b2"), position("a2", "b1"))
			s.follow(t, s.feed, 3*time.Second)
			s.node.Update(position("a1", "b2"))
			s.follow(t, s.feed, time.Second)
			s.node.Remove(sim.Key{Party: "a1", Market: "b2"})
			s.node.Update(position("a2", "b1"))
			s.follow(t, s.feed, 20*time.Second)
			live = s.rows()
		})
	})
	if delete(live, "a2/b1"); len(live) != 1 {
		t.Fatalf("the live rows of the party are %v", live)
	}
	s, err := replayed(t, path, model.Scope{Parties: []model.ID{model.MakeID("a1")}})
	if err != nil {
		t.Error(err)
	}
	s.hasRows(t, live)
}
