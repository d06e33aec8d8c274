package feed

import (
	"slices"
	"testing"
	"time"

	"blotter/model"
)

// TestANewerPositionOfTheMarketIsAHint: what a silent stream has missed is found earlier if another stream sends a
// newer position of the same market.
func TestANewerPositionOfTheMarketIsAHint(t *testing.T) {
	for _, c := range []struct{ market, want string }{{"0000", "2"}, {"another", "1"}} {
		play(t, func(s *trial) {
			s.fill(8_000)
			s.node.Put(held("aa", "0000", 1), held("aa", "another", 1))
			s.watch("network aa", "")
			s.after(10 * time.Minute)
			for before := s.links[0].Audits; s.links[0].Audits == before; {
				s.after(time.Second)
			}
			s.node.Put(held("network", "0000", 2)) // is not sent
			s.node.Update(held("aa", c.market, 2))
			s.after(40 * time.Second)
			s.hasRow("0000", c.want)
		})
	}
}

// TestALateUpdateIsAHint: the stream may lag by more than three messages show, so an audit follows at once.
func TestALateUpdateIsAHint(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration
		want string
	}{{8 * time.Second, "2"}, {time.Second, "1"}} {
		play(t, func(s *trial) {
			s.node.Put(held("network", "b", 1), held("network", "c", 1))
			s.watch("network", "")
			s.busy(120)
			s.node.Put(held("network", "c", 2)) // is not sent
			late := held("network", "b", 2)
			late.UpdatedAt = time.Now().Add(-c.age).UnixNano()
			s.node.Broadcast(late)
			s.after(2 * time.Second)
			s.hasRow("c", c.want)
		})
	}
}

// TestANewerRecordMakesAnAuditUrgent, also one that waits for its turn: it comes before those of the other streams that
// have fallen silent. The service is too large to share audits.
func TestANewerRecordMakesAnAuditUrgent(t *testing.T) {
	play(t, func(s *trial) {
		s.fill(11_000)
		s.watchMany(60)
		s.after(3 * time.Minute)
		for i := range s.links {
			s.node.Update(held(s.links[i].Party.String(), "b", 1))
		}
		s.after(13 * time.Second)
		waits := func(l model.Link) bool { return l.VerifiedAt.Before(l.MessageAt) }
		i := slices.IndexFunc(s.links, waits)
		if n := len(slices.DeleteFunc(slices.Clone(s.links), waits)); n > 40 || i < 0 {
			t.Fatalf("%d streams were verified", n)
		}
		s.feed.RequestAudit(s.watched[i])
		s.after(2 * time.Second)
		if since := time.Since(s.links[i].VerifiedAt); since > 2*time.Second {
			t.Errorf("verified %s ago", since)
		}
	})
}
