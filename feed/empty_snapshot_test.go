package feed

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// TestAnEmptySnapshotKeepsTheRowsUntilASecondLook, if there were rows.
func TestAnEmptySnapshotKeepsTheRowsUntilASecondLook(t *testing.T) {
	begin := func(s *trial) {
		s.node.Put(held("network", "bb", 5))
		s.watch("network", "")
		s.after(time.Minute)
		s.isLive()
	}
	isKept := func(s *trial) {
		s.t.Helper()
		rightAt := s.link().LastReceived()
		s.takeAll()
		for s.link().Phase != model.Live {
			s.after(time.Second / 10)
		}
		if how, by := s.freshness(); how != model.FreshBehind || by < time.Since(rightAt) {
			s.t.Errorf("%s %s, want BEHIND since the last message or response", how, by)
		}
		s.is(model.Live, model.FreshBehind)
		s.rows("network/bb 5")
		if !s.link().MayBeOutOfDate(time.Now()) {
			s.t.Error("the rows count as up to date")
		}
	}
	t.Run("that agrees", func(t *testing.T) {
		play(t, func(s *trial) {
			begin(s)
			s.node.Remove(held("network", "bb", 5).Key())
			s.node.Cut()
			isKept(s)
			s.after(3 * time.Second)
			s.isLive()
			s.rows()
		})
	})
	t.Run("that does not agree", func(t *testing.T) {
		play(t, func(s *trial) {
			begin(s)
			for range 2 {
				s.node.SetStreamResponse(2, openResponse(pageText(true))) // the first one ends as the other does
				s.node.Cut()
				isKept(s)
				s.node.SetStreamResponse(0, sim.Response{})
				s.after(5 * time.Second)
				s.isLive()
				s.sameAsService()
				s.node.Update(held("network", "bb", 6))
				s.takeAll()
				s.rows("network/bb 6")
				s.node.Update(held("network", "bb", 5))
				s.after(time.Minute)
			}
		})
	})
	t.Run("and older updates after it do not count", func(t *testing.T) {
		play(t, func(s *trial) {
			begin(s)
			s.node.Update(held("network", "bb", 9))
			s.after(time.Second)
			s.node.SetStreamResponse(2, openResponse(pageText(true)+updateText(rowText("network", "bb", 1, 1))))
			s.node.Cut()
			for s.takeAll(); s.link().Phase != model.Live; s.after(time.Second / 10) { // before an audit
			}
			s.rows("network/bb 9")
		})
	})
	t.Run("of rows that came as updates", func(t *testing.T) {
		play(t, func(s *trial) {
			s.watch("network", "")
			s.after(10 * time.Second)
			s.node.Update(held("network", "bb", 5))
			s.after(6 * time.Second)
			s.node.Remove(held("network", "bb", 5).Key())
			s.node.Cut()
			isKept(s)
		})
	})
	t.Run("of rows without a last page", func(t *testing.T) {
		play(t, func(s *trial) {
			s.node.SetStreamResponse(1, openResponse(pageText(false)+updateText(rowText("network", "bb", 5, 1))))
			s.watch("network", "")
			s.after(5500 * time.Millisecond)
			s.is(model.Live, model.FreshPartial)
			s.node.Cut()
			isKept(s)
		})
	})
	t.Run("of rows that an audit has found", func(t *testing.T) {
		play(t, func(s *trial) {
			s.watch("network", "")
			s.node.Put(held("network", "bb", 5)) // is not sent
			s.after(7 * time.Second)
			s.rows("network/bb 5")
			s.node.Remove(held("network", "bb", 5).Key())
			s.node.Cut()
			isKept(s)
		})
	})
	t.Run("without audits", func(t *testing.T) {
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			begin(s)
			s.node.Remove(held("network", "bb", 5).Key())
			s.node.Cut()
			s.after(1500 * time.Millisecond) // there is no second look
			s.isLive()
			s.rows()
		})
	})
	t.Run("by a second connection", func(t *testing.T) {
		play(t, func(s *trial) {
			begin(s)
			s.node.SetStreamResponse(sim.Always, openResponse(pageText(true)))
			s.node.Cut()
			isKept(s)
			s.node.Cut()
			for s.takeAll(); s.link().Phase != model.Live; s.after(time.Second / 10) { // before an audit
			}
			s.rows()
			s.after(10 * time.Second)
			s.isLive()
			s.rows()
		})
	})
}

// TestAnEmptyAuditRemovesNothingAtFirst: rows without times would all be removed.
func TestAnEmptyAuditRemovesNothingAtFirst(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Stamp(func(time.Time) int64 { return sim.NoTime })
		s.node.Put(held("network", "bb", 5))
		s.watch("network", "")
		s.node.SetStreamResponse(1, openResponse(pageText(true)))
		s.after(4 * time.Second)
		s.rows("network/bb 5")
		s.after(5 * time.Minute)
		s.rows("network/bb 5")
		s.node.SetStreamResponse(sim.Always, openResponse(pageText(true)))
		s.after(6 * time.Minute)
		s.rows()
	})
}

// TestSeveralEmptyAuditsRemoveAllRows, also if one between them has failed.
func TestSeveralEmptyAuditsRemoveAllRows(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(sim.Position{Party: "network", Market: "bb", OpenVolume: 5, UpdatedAt: sim.NoTime})
		s.watch("network", "")
		empty := openResponse(pageText(true))
		for _, r := range []sim.Response{empty, {Status: 503}, empty, empty, empty, empty, empty} {
			s.node.SetStreamResponse(1, r)
		}
		for range 120 {
			if s.after(1500 * time.Millisecond); len(s.streams()) == 8 {
				break
			}
			s.rows("network/bb 5")
		}
		s.rows()
	})
}

// TestAnEmptySecondLookRemovesNoRowThatTheStreamHasSent since its empty snapshot.
func TestAnEmptySecondLookRemovesNoRowThatTheStreamHasSent(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		close(streams.at(0).texts)
		s.after(1500 * time.Millisecond)
		streams.at(2).texts <- pageText(true)
		s.takeAll()
		s.rows("network/a 1", "network/b 2", "network/c 3")
		streams.at(2).texts <- updateText(rowText("network", "d", 4, now(0)))
		s.after(3 * time.Second)
		streams.at(streams.count() - 1).texts <- pageText(true) // an audit
		s.takeAll()
		s.hasRow("d", "4")
	})
}
