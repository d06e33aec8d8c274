package feed

import (
	"testing"
	"time"

	"blotter/model"
)

// lacksNewestRow runs a scene of a stream that is BEHIND: it has just been opened again, and its snapshot has no row
// "c", the newest one that was shown. That changed at ahead from now; the other row is of an hour ago.
func lacksNewestRow(t *testing.T, ahead time.Duration, scene func(s *trial)) {
	t.Helper()
	play(t, func(s *trial) {
		s.node.NameBlocksOnStreams(true)
		s.node.Put(held("network", "b", 1))
		time.Sleep(time.Hour)
		s.watch("network", "")
		s.after(time.Minute)
		newest := held("network", "c", 1)
		newest.UpdatedAt = time.Now().Add(ahead).UnixNano()
		s.node.Update(newest)
		s.takeAll()
		s.isLive()
		s.node.Remove(newest.Key())
		s.node.Cut()
		s.after(time.Second)
		s.is(model.Live, model.FreshBehind)
		scene(s)
	})
}

// audit waits until the next audit has ended, also if it does not count.
func (s *trial) audit() {
	s.t.Helper()
	for began := len(s.streams()); len(s.streams()) == began || s.link().Auditing; s.after(100 * time.Millisecond) {
	}
}

// TestAuditsInARowThatLackARowEndALag, and the stream stays the same.
func TestAuditsInARowThatLackARowEndALag(t *testing.T) {
	lacksNewestRow(t, 0, func(s *trial) {
		for _, namesBlocks := range []bool{true, true, false, true, true} {
			s.node.NameBlocksOnStreams(namesBlocks) // one that names none may be behind
			s.audit()
			s.is(model.Live, model.FreshBehind)
		}
		s.audit()
		s.isLive()
		if s.rows("network/b 1"); s.link().Tries != 2 {
			t.Errorf("the stream was opened %d times, want 2", s.link().Tries)
		}
	})
}

// TestAuditsOfANodeOlderThanTheNewestRowDoNotEndALag: the row may be newer than their blocks, which are not old.
func TestAuditsOfANodeOlderThanTheNewestRowDoNotEndALag(t *testing.T) {
	lacksNewestRow(t, 4500*time.Millisecond, func(s *trial) {
		s.node.Lag(29 * time.Second)
		for range 3 { // within 33 s
			s.audit()
			s.is(model.Live, model.FreshBehind)
		}
	})
}

// TestAuditsThatShowAMissingStateDoNotEndALag, until it is believed that the row no longer exists.
func TestAuditsThatShowAMissingStateDoNotEndALag(t *testing.T) {
	lacksNewestRow(t, 0, func(s *trial) {
		for i := range 4 {
			older := held("network", "b", int64(2+i))
			older.UpdatedAt = now(-1800) // older than what was shown
			s.node.Put(older)            // is not sent
			s.audit()
			s.is(model.Live, model.FreshBehind)
		}
	})
}

// TestAnAuditEndsALagOfASecond: a snapshot can be a little older than an update that was sent before.
func TestAnAuditEndsALagOfASecond(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		at := now(0)
		streams.at(0).texts <- updateText(rowText("network", "a", 2, at))
		s.takeAll()
		close(streams.at(0).texts)
		s.after(time.Second)
		page := pageText(true, rowText("network", "a", 1, at-int64(time.Second)), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		streams.at(2).texts <- page
		s.takeAll()
		s.is(model.Live, model.FreshBehind)
		s.after(2 * time.Second)
		streams.at(3).texts <- page // an audit
		s.takeAll()
		s.isLive()
		if streams.at(2).isClosed() || !streams.at(3).isClosed() {
			t.Error("the first stream must stay open and the second must be closed")
		}
	})
}

// TestTwoAuditsOfNoRowsAreOneAudit if there were none before: a node may have lost its rows.
func TestTwoAuditsOfNoRowsAreOneAudit(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "")
		s.after(2 * time.Second)
		s.isLive()
		if !s.link().IsEmptyUnaudited() || s.link().Audits != 0 || s.book.IsAudited(s.watched[0]) {
			t.Errorf("after one audit: %d snapshots, %d audits, audited %t", s.link().EmptySnapshots, s.link().Audits, s.book.IsAudited(s.watched[0]))
		}
		s.after(3 * time.Second)
		if s.link().IsEmptyUnaudited() || s.commits != 1 || s.link().Audits != 1 || !s.book.IsAudited(s.watched[0]) {
			t.Errorf("%d snapshots, %d audits, audited %t", s.commits, s.link().Audits, s.book.IsAudited(s.watched[0]))
		}
	})
}

// TestALinkSaysWhetherFlatRowsAreListed, as soon as a page has one.
func TestALinkSaysWhetherFlatRowsAreListed(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "a", 1))
		s.watch("network", "")
		s.isLive()
		if s.link().ListsFlat {
			t.Error("no page had a flat row")
		}
		s.node.Put(held("network", "a", 0))
		s.audit()
		if !s.link().ListsFlat {
			t.Error("the page of the audit had a flat row")
		}
	})
}
