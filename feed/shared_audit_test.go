package feed

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// give puts a position of each of n parties into the service.
func (s *trial) give(n int, volume int64) {
	for i := range n {
		s.node.Put(held(fmt.Sprintf("%04x", i), "b", volume))
	}
}

// whole returns how many streams of all positions were requested.
func (s *trial) whole() (n int) {
	for _, query := range s.streams() {
		if !strings.Contains(query, "partyId") {
			n++
		}
	}
	return n
}

// allAre asserts that every row was audited, and has this volume.
func (s *trial) allAre(parties int, volume string) {
	s.t.Helper()
	var want []string
	for i := range parties {
		want = append(want, fmt.Sprintf("%04x/b %s", i, volume))
	}
	s.rows(want...)
	for i := range s.links {
		if !s.book.IsAudited(s.links[i].Subscription) || s.links[i].Audits == 0 {
			s.t.Fatalf("%s is not audited", s.links[i].Party)
		}
	}
}

// TestSubscriptionsShareAudits: what forty streams have lost in the gap of their connection is found by one stream of
// all positions, and the rows are verified by a few more while they are silent.
func TestSubscriptionsShareAudits(t *testing.T) {
	play(t, func(s *trial) {
		s.give(40, 1)
		s.watchMany(40)
		s.after(900 * time.Millisecond)
		s.give(40, 2) // is not sent
		s.after(3 * time.Second)
		s.allAre(40, "2")
		if whole, all := s.whole(), len(s.streams()); whole != 1 || all != 41 {
			t.Errorf("%d streams, %d of all positions; want 41 and 1", all, whole)
		}
		s.after(time.Minute)
		if whole, all := s.whole(), len(s.streams()); whole < 6 || whole > 13 || all > 60 {
			t.Errorf("%d streams, %d of all positions, after a minute", all, whole)
		}
		for i := range s.links {
			if since := time.Since(s.links[i].VerifiedAt); since > 12*time.Second {
				t.Errorf("%s was verified %s ago", s.links[i].Party, since)
			}
		}
		s.isLive()
	})
}

// TestFewSubscriptionsShareNoAudits.
func TestFewSubscriptionsShareNoAudits(t *testing.T) {
	play(t, func(s *trial) {
		s.give(3, 1)
		s.watchMany(3)
		if s.after(time.Minute); s.whole() != 0 {
			t.Errorf("%d streams of all positions", s.whole())
		}
	})
}

// TestAuditsOfALargeServiceAreNotShared: it has many more rows than are followed. This is found by one stream, which is
// not read to its end.
func TestAuditsOfALargeServiceAreNotShared(t *testing.T) {
	for _, c := range []struct{ others, most int }{{12_000, 1}, {4_000, 1}, {1_000, 45}} {
		play(t, func(s *trial) {
			s.fill(c.others)
			s.give(20, 1)
			s.watchMany(20)
			s.after(900 * time.Millisecond)
			s.give(20, 2) // is not sent
			s.after(15 * time.Second)
			s.allAre(20, "2")
			s.after(4 * time.Minute)
			if s.isLive(); s.whole() == 0 || s.whole() > c.most {
				t.Errorf("%d other rows: %d streams of all positions, want 1 to %d", c.others, s.whole(), c.most)
			}
		})
	}
}

// TestAServiceThatSendsNoWholeStream refuses it, fails, or sends nothing: each subscription is audited alone, and
// nothing is shown.
func TestAServiceThatSendsNoWholeStream(t *testing.T) {
	for name, respond := range map[string]func(http.ResponseWriter, *http.Request){
		"forbidden": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"refused":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) },
		"fails":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"silent":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		wholeAre := func(node http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, wire.StreamPath) && r.URL.Query().Get("partyId") == "" {
					respond(w, r)
					return
				}
				node.ServeHTTP(w, r)
			})
		}
		playBefore(t, wholeAre, func(s *trial) {
			s.give(20, 1)
			s.watchMany(20)
			s.after(900 * time.Millisecond)
			s.give(20, 2) // is not sent
			s.after(time.Minute)
			if s.allAre(20, "2"); t.Failed() {
				t.Error(name)
			}
			s.isLive()
		})
	}
}

// TestASharedAuditOfANodeThatIsBehindIsNoAudit, also for subscriptions whose rows did not change lately.
func TestASharedAuditOfANodeThatIsBehindIsNoAudit(t *testing.T) {
	play(t, func(s *trial) {
		s.give(20, 1)
		s.node.StartReplicas(0, time.Minute)
		time.Sleep(time.Hour)
		s.node.Update(held("0000", "b", 2))
		time.Sleep(time.Minute / 2)
		s.node.Route([]int{0}, []int{0})
		s.watchMany(20)
		s.after(900 * time.Millisecond)
		s.node.Route([]int{1}, []int{0})
		s.after(time.Second)
		audited := 0
		for i := range s.links {
			audited += s.links[i].Audits
		}
		alone := len(s.streams()) - 20 - s.whole()
		if s.whole() == 0 || audited > alone { // alone, an audit has only rows that did not change
			t.Errorf("%d audits count after %d shared ones and %d others", audited, s.whole(), alone)
		}
	})
}

// TestAStreamThatIsBehindIsReplacedAlthoughAuditsAreShared: the rows of some parties are of a node that is behind. A
// shared audit shows that, and each gets an audit of its own, which brings another stream. Few are closed before.
func TestAStreamThatIsBehindIsReplacedAlthoughAuditsAreShared(t *testing.T) {
	play(t, func(s *trial) {
		s.give(20, 1)
		s.node.StartReplicas(0, 10*time.Minute)
		time.Sleep(time.Hour)
		s.node.Route([]int{1}, []int{0})
		s.watchMany(20)
		s.after(20 * time.Second)
		s.node.Route([]int{0}, []int{0})
		for i := range 20 {
			s.node.Update(held(fmt.Sprintf("%04x", i), "b", 2))
		}
		s.after(time.Minute)
		s.allAre(20, "2")
		if s.isLive(); s.commits > 30 {
			t.Errorf("%d snapshots of 20 subscriptions", s.commits)
		}
		for i := range 20 {
			s.node.Update(held(fmt.Sprintf("%04x", i), "b", 3))
		}
		s.takeAll()
		s.allAre(20, "3")
	})
}

// TestASharedAuditDoesNotWaitForManyOthers: sixty streams are behind, and each waits for an audit of its own, which
// gets no message. What ten silent ones have lost is found all the same.
func TestASharedAuditDoesNotWaitForManyOthers(t *testing.T) {
	var hangs atomic.Bool
	partiesHang := func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hangs.Load() && r.URL.Query().Get("partyId") != "" {
				<-r.Context().Done()
				return
			}
			node.ServeHTTP(w, r)
		})
	}
	playBefore(t, partiesHang, func(s *trial) {
		s.give(70, 1)
		s.watchMany(70)
		s.after(20 * time.Second)
		s.give(60, 2) // is not sent
		s.afterUntil(func() bool {
			behind := 0
			for i := range s.links {
				if s.links[i].Behind(time.Now()) > 0 {
					behind++
				}
			}
			return behind >= 40
		})
		hangs.Store(true)
		for i := range 10 {
			s.node.Put(held(fmt.Sprintf("%04x", 60+i), "b", 2)) // is not sent
		}
		s.after(20 * time.Second)
		for i := range 10 {
			key := model.Key{Party: model.MakeID(fmt.Sprintf("%04x", 60+i)), Market: model.MakeID("b")}
			if row, _ := s.book.Find(key); row.Number(model.OpenVolume).String() != "2" {
				t.Errorf("the row of %s is old", key.Party)
			}
		}
	})
}

// TestASharedAuditEndsWithItsSubscriptions: nothing waits for those that end while it is under way.
func TestASharedAuditEndsWithItsSubscriptions(t *testing.T) {
	playWith(t, sim.Config{}, Config{}, func(s *trial) {
		s.give(20, 1)
		s.watchMany(20)
		time.Sleep(1100 * time.Millisecond) // it has begun; nothing is taken
		s.watchAgain()
		s.watchMany(20)
		s.after(10 * time.Second)
		s.allAre(20, "1")
		s.is(model.Live, model.FreshQuiet)
	})
}
