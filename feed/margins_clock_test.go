package feed

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// TestMarginsOfAnOlderNodeTakeNoRecordBack, although the clock of this machine is ten minutes behind: records are
// judged by the clock of the service, also those that are read in the background.
func TestMarginsOfAnOlderNodeTakeNoRecordBack(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetClock(10 * time.Minute)
		s.node.PutMargins(sim.MarginLevels{Party: "aa", Market: "bb", Asset: "cc", Maintenance: "1"})
		s.node.PutMargins(sim.MarginLevels{Party: "aa", Market: "dd", Asset: "cc", Maintenance: "7"})
		older := s.node.Margins()
		time.Sleep(time.Second)
		s.node.PutMargins(sim.MarginLevels{Party: "aa", Market: "bb", Asset: "cc", Maintenance: "2"})
		s.feed.WatchMargins(model.Scope{})
		margins := s.book.Margins()
		read := func() {
			t.Helper()
			got, err := s.feed.NextMargins(s.t.Context())
			if err != nil || got.Err != nil {
				t.Fatal(err, got.Err)
			}
			s.book.MergeMargins(got.Page)
		}
		read()
		for _, m := range older {
			s.node.PutMargins(m) // the next request reaches a node that is behind
		}
		read()
		key := model.Key{Party: model.MakeID("aa"), Market: model.MakeID("bb")}
		if levels, _, ok := margins.Find(key, model.ID{}); !ok || levels.Maintenance.String() != "2" {
			t.Errorf("the maintenance margin is %s, want 2", levels.Maintenance)
		}
	})
}
