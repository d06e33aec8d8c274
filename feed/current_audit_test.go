package feed

import (
	"fmt"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// besideALaggingNode runs a scene with two nodes that name no blocks: node 0 is current, node 1 is a minute behind. A
// row has changed half a minute ago, and the stream is one of node 0.
func besideALaggingNode(t *testing.T, audits []int, scene func(s *trial)) {
	t.Helper()
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1), held("network", "c", 1))
		s.node.StartReplicas(0, time.Minute)
		time.Sleep(time.Hour)
		s.node.Update(held("network", "b", 2))
		time.Sleep(time.Minute / 2)
		s.node.Route([]int{0}, []int{0})
		s.watch("network", "")
		s.node.Route(audits, []int{0})
		scene(s)
	})
}

// TestAnAuditOfANodeThatIsBehindIsNoAudit: the rows stay unaudited, and the next audits follow each two seconds. What
// the gap has lost is found by the first one that reaches a current node.
func TestAnAuditOfANodeThatIsBehindIsNoAudit(t *testing.T) {
	besideALaggingNode(t, []int{1, 1, 1, 1, 0}, func(s *trial) {
		began := time.Now()
		s.node.Put(held("network", "c", 7)) // is not sent
		for range 4 {
			s.audit()
			if s.rows("network/b 2", "network/c 1"); s.book.IsAudited(s.watched[0]) || s.link().Audits != 0 {
				t.Errorf("after %s the rows count as audited", time.Since(began))
			}
			if since := time.Since(s.link().VerifiedAt); since < time.Second {
				t.Error("all rows count as compared")
			}
		}
		if took := time.Since(began); took < 5*time.Second || took > 9*time.Second {
			t.Errorf("four audits took %s", took)
		}
		s.audit()
		if s.rows("network/b 2", "network/c 7"); !s.book.IsAudited(s.watched[0]) || s.link().Audits != 1 {
			t.Error("the rows do not count as audited")
		}
		before := len(s.streams())
		if s.after(4 * time.Minute); len(s.streams())-before > 30 { // some of them reach the node that is behind
			t.Errorf("%d audits of a silent stream in four minutes after one that counts", len(s.streams())-before)
		}
	})
}

// TestAuditsOfNodesThatAreBehindBecomeRarer, up to one in a quarter of a minute.
func TestAuditsOfNodesThatAreBehindBecomeRarer(t *testing.T) {
	besideALaggingNode(t, []int{1}, func(s *trial) {
		for i := range 20 {
			s.node.Update(held("network", "b", 3)) // so that the node stays behind
			began := time.Now()
			s.audit()
			if took := time.Since(began); i >= 12 && (took < 13*time.Second || took > 17*time.Second) {
				t.Errorf("the next audit came after %s, want about 15 s", took)
			}
		}
	})
}

// TestAnAuditOfANodeThatIsBehindRemovesNoRow that it lacks.
func TestAnAuditOfANodeThatIsBehindRemovesNoRow(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(0).texts <- updateText(rowText("network", "b", 4, old+int64(time.Minute)))
		s.takeAll()
		close(streams.at(1).texts)
		s.nextStream(streams).texts <- pageText(true, rowText("network", "b", 2, old))
		s.takeAll()
		s.rows("network/a 1", "network/b 4", "network/c 3")
	})
}

// TestAuditsThatReachANodeThatHangs are tried again soon, on another connection. The stream stays as it is.
func TestAuditsThatReachANodeThatHangs(t *testing.T) {
	besideALaggingNode(t, []int{1, 1, 0}, func(s *trial) {
		s.node.HangReplica(1)
		for tries := range 2 {
			lost := held("network", "c", int64(7+tries))
			s.node.Put(lost) // is not sent
			s.after(20 * time.Second)
			s.hasRow("c", fmt.Sprint(lost.OpenVolume))
			if s.isLive(); !s.book.IsAudited(s.watched[0]) || s.link().Audits <= tries || s.link().Tries != tries+1 {
				t.Errorf("%d audits, audited %t; the stream was opened %d times", s.link().Audits, s.book.IsAudited(s.watched[0]), s.link().Tries)
			}
			s.node.Route([]int{0, 1, 1, 0}, []int{0})
			s.node.Cut()
			s.after(time.Second)
		}
	})
}

// TestAuditsOfASlowServiceAreWaitedFor: each snapshot takes longer to begin than an audit waits for at first.
func TestAuditsOfASlowServiceAreWaitedFor(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1))
		s.node.SetStreamResponse(sim.Always, sim.Response{Delay: 8 * time.Second, Status: 200, Body: pageText(true, rowText("network", "b", 1, 5)), Open: true})
		s.watch("network", "")
		s.after(time.Minute)
		if s.isLive(); s.link().Audits == 0 {
			t.Errorf("no audit in a minute; the link is %s", s.link().Phase)
		}
	})
}

// lackingAudits is how many audits in a row must lack a row until it is removed.
const lackingAudits = 5

// TestAnAuditThatLacksARowCountsForTheOthers: its node may have lost it, because a service does not delete positions.
// It stays, unaudited, and is marked after some seconds, until an audit of a node has it.
func TestAnAuditThatLacksARowCountsForTheOthers(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		whole := pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		audit := streams.at(1)
		for i := range lackingAudits - 1 {
			audit.texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old))
			s.takeAll()
			if s.rows("network/a 1", "network/b 2", "network/c 3"); s.link().Audits != i+1 || s.link().UnauditedRows != 1 {
				t.Errorf("%d audits, and %d rows are unaudited after audit %d, which lacks a row", s.link().Audits, s.link().UnauditedRows, i+1)
			}
			audit = s.nextStream(streams)
		}
		if unsent := s.book.Unsent(s.watched[0]); unsent != 1 {
			t.Errorf("%d rows are marked", unsent)
		}
		audit.texts <- whole
		s.after(time.Second / 2)
		if s.rows("network/a 1", "network/b 2", "network/c 3"); s.link().UnauditedRows != 0 || s.book.Unsent(s.watched[0]) != 0 {
			t.Errorf("the row is still in doubt: %d are unaudited, %d marked", s.link().UnauditedRows, s.book.Unsent(s.watched[0]))
		}
	})
}

// TestARowThatSeveralAuditsLackIsRemoved, and audits are no more frequent because of it afterwards.
func TestARowThatSeveralAuditsLackIsRemoved(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		without := pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old))
		streams.at(1).texts <- without
		for range lackingAudits - 1 {
			s.takeAll()
			s.rows("network/a 1", "network/b 2", "network/c 3")
			s.nextStream(streams).texts <- without
		}
		s.takeAll()
		if s.rows("network/a 1", "network/b 2"); !s.book.IsAudited(s.watched[0]) || s.link().UnauditedRows != 0 {
			t.Error("a row is still in doubt")
		}
		s.nextStream(streams).texts <- without
		if s.takeAll(); s.link().UnauditedRows != 0 {
			t.Error("the row is still expected")
		}
	})
}

// TestAnAuditMayLackClosedRows: some services send only open positions.
func TestAnAuditMayLackClosedRows(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(0).texts <- updateText(rowText("network", "c", 0, old+1))
		s.takeAll()
		close(streams.at(1).texts) // it has begun before
		s.nextStream(streams).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old+2))
		s.takeAll()
		if s.rows("network/a 1", "network/b 2"); s.link().Audits != 1 {
			t.Error("the audit does not count")
		}
	})
}

// TestAnAuditMayLackARowThatHasClosedSince: an audit before has shown it open, and a page that comes late does not open
// it again.
func TestAnAuditMayLackARowThatHasClosedSince(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		open := rowText("network", "c", 3, old)
		streams.at(1).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), open)
		s.takeAll()
		streams.at(0).texts <- updateText(rowText("network", "c", 0, old+1)) + updateText(open)
		s.takeAll()
		s.nextStream(streams).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old+2))
		s.takeAll()
		if s.link().Audits != 2 {
			t.Errorf("%d audits count, want 2", s.link().Audits)
		}
	})
}

// TestRowsOfTheStreamBeforeAreExpected: the stream is opened again, and reaches a node that has lost rows. They stay in
// doubt after an audit of the same node.
func TestRowsOfTheStreamBeforeAreExpected(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(1).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		s.takeAll()
		close(streams.at(0).texts)
		lost := pageText(true, rowText("network", "a", 1, old))
		s.nextStream(streams).texts <- lost
		s.takeAll()
		s.nextStream(streams).texts <- lost
		s.takeAll()
		if s.rows("network/a 1", "network/b 2", "network/c 3"); s.link().UnauditedRows != 2 {
			t.Errorf("%d rows are unaudited, want 2", s.link().UnauditedRows)
		}
	})
}

// TestAnAuditWithAnOlderStateCountsForTheOtherRows: its node has missed a change of one row, although another row of it
// is as new as those that are shown. That row stays in doubt, however many audits have the older state.
func TestAnAuditWithAnOlderStateCountsForTheOtherRows(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		newer := old + int64(10*time.Second)
		streams.at(0).texts <- updateText(rowText("network", "b", 5, newer), rowText("network", "c", 3, newer))
		s.takeAll()
		close(streams.at(1).texts) // it has begun before
		audit := func(b string) {
			s.nextStream(streams).texts <- pageText(true, rowText("network", "a", 1, old), b, rowText("network", "c", 3, newer))
			s.takeAll()
		}
		older := rowText("network", "b", 2, newer-int64(3*time.Second))
		audit(older)
		if s.link().UnauditedRows != 0 {
			t.Error("what the stream has sent lately is in doubt")
		}
		for s.after(12 * time.Second); s.link().UnauditedRows == 0; {
			audit(older)
		}
		for i := range 3 * lackingAudits {
			if audit(older); s.link().UnauditedRows != 1 {
				t.Errorf("after audit %d, which has an older state, %d rows are unaudited", i+1, s.link().UnauditedRows)
			}
			s.rows("network/a 1", "network/b 5", "network/c 3")
		}
		if freshness, _ := s.freshness(); freshness == model.FreshBehind || !s.book.IsUnsent(model.Key{Party: model.MakeID("network"), Market: model.MakeID("b")}) {
			t.Errorf("the rows are %s, and the row is not marked", freshness)
		}
		audit(rowText("network", "b", 5, newer))
		if s.link().UnauditedRows != 0 {
			t.Error("the row is still in doubt")
		}
	})
}

// TestAnAuditMayHaveAStateThatIsABlockOlder: a snapshot is read from what was committed.
func TestAnAuditMayHaveAStateThatIsABlockOlder(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		newer := old + int64(10*time.Second)
		streams.at(0).texts <- updateText(rowText("network", "b", 5, newer), rowText("network", "c", 3, newer))
		s.takeAll()
		close(streams.at(1).texts) // it has begun before
		s.nextStream(streams).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, newer-int64(time.Second)),
			rowText("network", "c", 3, newer))
		s.takeAll()
		if s.rows("network/a 1", "network/b 5", "network/c 3"); s.link().Audits != 1 {
			t.Error("the audit does not count")
		}
	})
}

// TestAStreamOfANodeThatHasMissedChanges: the stream is opened again, and its snapshot has older states of three rows
// than the stream before has sent. So it is opened once more; if it is the same then, it is behind. No row goes back.
func TestAStreamOfANodeThatHasMissedChanges(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		newer := old + int64(10*time.Second)
		streams.at(0).texts <- updateText(rowText("network", "a", 4, newer), rowText("network", "b", 5, newer), rowText("network", "c", 6, newer), rowText("network", "d", 7, newer+1))
		s.takeAll()
		older := pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old), rowText("network", "d", 7, newer+1))
		reopened := func() *scriptedStream {
			before, now := s.link().ConnectedAt, time.Now()
			for s.link().ConnectedAt.Equal(before) {
				if s.after(time.Second / 10); time.Since(now) > time.Minute {
					t.Fatal("the stream is not opened again")
				}
			}
			s.takeAll()
			return streams.at(streams.count() - 1)
		}
		close(streams.at(0).texts)
		reopened().texts <- older
		s.takeAll()
		reopened().texts <- older
		s.after(8 * time.Second)
		if freshness, _ := s.freshness(); freshness != model.FreshBehind {
			t.Errorf("the rows are %s, want BEHIND", freshness)
		}
		s.rows("network/a 4", "network/b 5", "network/c 6", "network/d 7")
	})
}

// TestAfterAnAuditThatIsNoneTheNextOneIsSoon, also if audits before have counted.
func TestAfterAnAuditThatIsNoneTheNextOneIsSoon(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		whole := pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		streams.at(1).texts <- whole
		s.takeAll()
		for range 3 {
			s.nextStream(streams).texts <- whole
			s.takeAll()
		}
		s.nextStream(streams).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old))
		s.takeAll()
		before := time.Now()
		s.nextStream(streams)
		if wait := time.Since(before); wait > 3*time.Second {
			t.Errorf("the next audit began %s later", wait)
		}
	})
}
