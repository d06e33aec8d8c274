package feed

import (
	"fmt"
	"testing"
	"time"

	"blotter/feed/sim"
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

// TestAnAuditOfANodeThatIsBehindIsNoAudit: the rows stay unaudited, and the next audits follow within seconds, slower
// each time. What the gap has lost is found by the first one that reaches a current node.
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
		if took := time.Since(began); took < 10*time.Second || took > 20*time.Second {
			t.Errorf("four audits took %s", took)
		}
		s.audit()
		if s.rows("network/b 2", "network/c 7"); !s.book.IsAudited(s.watched[0]) || s.link().Audits != 1 {
			t.Error("the rows do not count as audited")
		}
		before := len(s.streams())
		if s.after(4 * time.Minute); len(s.streams())-before > 24 { // some of them reach the node that is behind
			t.Errorf("%d audits of a silent stream in four minutes after one that counts", len(s.streams())-before)
		}
	})
}

// TestAuditsOfNodesThatAreBehindBecomeRarer, up to one in a quarter of a minute.
func TestAuditsOfNodesThatAreBehindBecomeRarer(t *testing.T) {
	besideALaggingNode(t, []int{1}, func(s *trial) {
		for range 6 {
			s.audit()
		}
		for range 10 {
			s.node.Update(held("network", "b", 3)) // so that the node stays behind
			began := time.Now()
			s.audit()
			if took := time.Since(began); took < 13*time.Second || took > 17*time.Second {
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
			if s.isLive(); !s.book.IsAudited(s.watched[0]) || s.link().Audits != tries+1 || s.link().Tries != tries+1 {
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
