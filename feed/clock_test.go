package feed

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// offsetIs asserts how the service's clock differs from this machine's on the screen, to half a second.
func (s *trial) offsetIs(when string, want time.Duration) {
	s.t.Helper()
	if got := s.feed.Links()[0].ClockOffset; (got - want).Abs() > time.Second/2 {
		s.t.Errorf("%s: the clocks differ by %s, want %s", when, got, want)
	}
}

// TestSnapshotThatAProxyHoldsBack has an old Date: the clocks agree all the same, and times of updates count.
func TestSnapshotThatAProxyHoldsBack(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("a1", "b1", 1))
		s.node.SetProxy(sim.Proxy{Hold: 20 * time.Second})
		s.watch("", "")
		s.after(21 * time.Second)
		s.offsetIs("a snapshot that was held back", 0)
		s.rows("a1/b1 1")
		s.node.SetProxy(sim.Proxy{})
		s.node.Update(held("a1", "b1", 2))
		s.after(time.Second)
		row, _ := s.book.Find(model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1")})
		if at, _ := row.Number(model.UpdatedAt).Time(); at.Sub(model.ServiceTime(s.feed.Links(), time.Now())) > model.AheadFor {
			t.Error("an update is ahead of the service's clock")
		}
	})
}

// TestClockThatIsSet: a time ahead of the service's clock leads to a check, which shows that the clock was set. So does
// each page.
func TestClockThatIsSet(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("a1", "b1", 1))
		s.watch("", "")
		s.after(30 * time.Second)
		s.offsetIs("at first", 0)
		s.node.SetClock(time.Hour)
		s.node.Update(held("a1", "b1", 2))
		s.after(time.Second)
		s.offsetIs("set an hour ahead", time.Hour)
		before := s.probes()
		for range 40 {
			s.node.SetClock(2 * time.Hour)
			s.node.Stamp(func(now time.Time) int64 { return now.Add(time.Minute).UnixNano() })
			s.node.Update(held("a1", "b1", 3))
			s.after(time.Second)
		}
		s.offsetIs("set another hour ahead", 2*time.Hour)
		if sent := s.probes() - before; sent > 2 {
			t.Errorf("%d checks within 40 s, because of times that are always ahead", sent)
		}
		s.node.SetClock(0)
		if page, err := s.feed.Page(s.t.Context(), model.PageRequest{Size: 1}); err != nil || !page.Served().Equal(page.ReadAt) {
			t.Errorf("%+v, %v", page, err)
		}
		s.takeAll()
		s.offsetIs("set back, after a page", 0)
	})
}

// TestAnAuditShowsThatAClockWasSet, by the Date of its stream: a change that the gap has lost is of a time in it.
func TestAnAuditShowsThatAClockWasSet(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "a", 1))
		s.watch("network", "")
		s.after(time.Second / 2)
		s.node.SetClock(time.Hour)
		s.node.Put(held("network", "a", 2)) // is not sent
		s.after(9 * time.Second)            // before a check
		s.rows("network/a 2")
		if s.isLive(); s.link().Audits == 0 || s.link().Tries != 1 {
			t.Errorf("after %d audits, the stream was opened %d times", s.link().Audits, s.link().Tries)
		}
	})
}

// TestClockThatIsSetBack while a busy stream needs no checks: the time of a row that an audit has corrected is ahead
// then, and its updates count all the same.
func TestClockThatIsSetBack(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetClock(time.Hour)
		s.node.Put(held("network", "a", 1), held("network", "b", 1))
		s.watch("network", "")
		s.node.Put(held("network", "a", 2)) // lost in the gap
		s.after(3 * time.Second)
		s.isLive()
		s.rows("network/a 2", "network/b 1")
		s.node.SetClock(0)
		before := s.probes()
		for volume := range int64(100) {
			s.node.Update(held("network", "a", volume), held("network", "b", volume))
			s.after(time.Second)
		}
		s.rows("network/a 99", "network/b 99")
		s.offsetIs("set back", 0)
		s.isLive()
		if sent := s.probes() - before; sent > 2 {
			t.Errorf("%d checks within 100 s", sent)
		}
	})
}
