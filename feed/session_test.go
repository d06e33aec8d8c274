package feed

import (
	"testing"
	"time"

	"blotter/model"
)

func TestSnapshotThenUpdates(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5), held("a1", "b", -3))
		s.watch("", "")
		s.is(model.Live, model.FreshLive)
		s.rows("a1/b -3", "network/b 5")
		s.node.Update(held("a1", "b", 0), held("a1", "c", 7))
		s.settle()
		s.rows("a1/b 0", "a1/c 7", "network/b 5")
		s.truth()
	})
}

func TestHalfASnapshotIsNotShown(t *testing.T) {
	play(t, func(s *trial) {
		for i := range 120 {
			s.node.Put(held("network", string(rune('a'+i%26))+string(rune('a'+i/26)), int64(i+1)))
		}
		s.node.HoldSnapshot(2)
		s.watch("network", "")
		s.rows()
		s.is(model.Syncing, model.FreshConnecting)
		if l := s.link(); l.StagedRows != 100 || l.StagedPages != 2 {
			t.Errorf("%d rows in %d pages are told, want 100 in 2", l.StagedRows, l.StagedPages)
		}
		s.node.Release()
		s.settle()
		s.truth()
	})
}

func TestCutKeepsRowsStaleAndHeals(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("", "")
		s.listener.Kill()
		s.settle()
		s.is(model.Waiting, model.FreshStale)
		s.rows("network/b 5")
		s.says("connection lost")
		s.node.Remove(held("network", "b", 5).Key())
		s.node.Put(held("network", "c", 6))
		s.listener.Revive()
		s.after(time.Second)
		s.is(model.Live, model.FreshLive)
		s.says("")
		s.rows("network/c 6")
	})
}
