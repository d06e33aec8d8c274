package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestStreamsAreShared: there is one for each party, and it stays open for a while after the last session.
func TestStreamsAreShared(t *testing.T) {
	play(t, Limits{Linger: time.Minute}, func(s *trial) {
		one, two := s.join("one"), s.join("two")
		one.watch("a b")
		two.watch("b c")
		is := func(want string) {
			s.Helper()
			if got := s.feed.streams(); got != want {
				s.Errorf("the streams are %q, want %q", got, want)
			}
		}
		is("a b c")
		stays := s.feed.of("a")
		one.watch("b")
		is("a b c")
		time.Sleep(59 * time.Second)
		one.watch("a b")
		if is("a b c"); s.feed.of("a") != stays {
			s.Error("another stream was opened")
		}
		one.watch("b")
		time.Sleep(59 * time.Second)
		is("a b c")
		two.Close()
		time.Sleep(2 * time.Second)
		is("b c")
		time.Sleep(time.Minute)
		if is("b"); s.hub.Stats() != (Stats{Sessions: 1, Streams: 1}) {
			s.Errorf("%+v", s.hub.Stats())
		}
		one.Close()
		is("b")
		time.Sleep(time.Minute + time.Second)
		is("")
	})
}

// TestNewcomerGetsAllRowsAtOnce, also of a stream that lingers.
func TestNewcomerGetsAllRowsAtOnce(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		s.send(s.snapshot("a", "a/m 1", "a/n 2"))
		s.send(s.update("a", "a/n 3"))
		one.Close()
		two := s.join("two")
		two.watch("a")
		delta, err := two.Next(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		two.apply(&delta)
		if got := rows(two.book); got != "a/m 1, a/n 3" || !two.links[0].Committed || two.links[0].Subscription != two.watched[0] {
			s.Errorf("%s, and %+v", got, two.links)
		}
	})
}

// TestNewcomerGetsTheRowsInDoubt, also if they were marked before the session joined; and it gets when they are no
// longer.
func TestNewcomerGetsTheRowsInDoubt(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		s.send(s.snapshot("a", "a/m 1", "a/n 2"))
		marked := model.Key{Party: model.MakeID("a"), Market: model.MakeID("n")}
		mark := func(keys ...model.Key) {
			s.send(book.Delta{Doubts: []book.Doubts{{Subscription: s.feed.of("a"), Keys: keys}}})
		}
		mark(marked)
		two := s.join("two")
		two.watch("a")
		for _, want := range []int{1, 0} {
			for name, of := range map[string]*screen{"one": one, "two": two} {
				if of.take(); of.book.AllUnsent() != want || of.book.IsUnsent(marked) != (want == 1) {
					s.Errorf("%s: %d rows are marked, want %d", name, of.book.AllUnsent(), want)
				}
			}
			mark()
		}
	})
}

// TestStreamsAreBounded: those of a session, and all. One that is refused says so, and is opened when there is room.
func TestStreamsAreBounded(t *testing.T) {
	play(t, Limits{Streams: 4, SessionStreams: 3, Linger: time.Minute}, func(s *trial) {
		one, two := s.join("one"), s.join("two")
		refused := func(of *screen) string {
			of.take()
			var all []string
			for _, link := range of.links {
				if link.Phase == model.Refused {
					all = append(all, link.Party.String()+": "+link.Problem.Words)
				}
			}
			return strings.Join(all, ", ")
		}
		one.watch("a b c d e")
		if got := refused(one); s.feed.streams() != "a b c" || got != "d: this desk follows at most 3 streams for one screen, e: this desk follows at most 3 streams for one screen" {
			s.Errorf("%s; refused: %s", s.feed.streams(), got)
		}
		two.watch("c x y")
		if got := refused(two); s.feed.streams() != "a b c x" || got != "y: this desk follows at most 4 streams" {
			s.Errorf("%s; refused: %s", s.feed.streams(), got)
		}
		one.watch("b c d e") // a lingers, and makes room
		if got := refused(one); s.feed.streams() != "b c x y" && s.feed.streams() != "b c d x" || got == "" {
			s.Errorf("%s; refused: %s", s.feed.streams(), got)
		}
		one.Close()
		if got := refused(two); s.feed.streams() != "b c x y" && s.feed.streams() != "c d x y" || got != "" {
			s.Errorf("%s; refused: %s", s.feed.streams(), got)
		}
	})
}

func TestSessionsAreBounded(t *testing.T) {
	play(t, Limits{Sessions: 2}, func(s *trial) {
		one := s.join("one")
		ctx, cancel := context.WithCancel(s.Context())
		two, err := s.hub.Join(ctx)
		if err != nil {
			s.Fatal(err)
		}
		if _, err := s.hub.Join(s.Context()); err != ErrFull {
			s.Errorf("a third session: %v", err)
		}
		cancel() // the client is gone
		synctest.Wait()
		if _, err := two.Next(s.Context()); err != ErrClosed {
			s.Errorf("a session that has ended: %v", err)
		}
		s.join("three").Close()
		one.Close()
		one.Close()
		s.hub.Close()
		if _, err := s.hub.Join(s.Context()); err != ErrClosed {
			s.Errorf("a session of a closed hub: %v", err)
		}
	})
}

// TestStuckSessionHoldsNothing: updates and audits go on, what waits for it is bounded, and then it gets all rows. What
// it did not get is counted.
func TestStuckSessionHoldsNothing(t *testing.T) {
	play(t, Limits{Backlog: 100}, func(s *trial) {
		fast, stuck := s.join("fast"), s.join("stuck")
		fast.watch("a")
		stuck.watch("a")
		s.send(s.snapshot("a", "a/m 1"))
		fast.take()
		stuck.take()
		for i := range 1000 {
			s.send(s.update("a", fmt.Sprintf("a/m %d", 2+i)))
			fast.take()
			if waits := s.hub.Stats(); waits.BacklogRows > 100+1 || waits.BacklogBytes > 101*bytesOfRow {
				s.Fatalf("after %d updates: %+v", i, waits)
			}
		}
		page := book.AuditPage{Subscription: s.feed.of("a"), NotAfter: notAfter, First: true, Last: true, Positions: positions("a/m 1001", "a/n 7")}
		s.send(book.Delta{Audits: []book.AuditPage{page}})
		fast.take()
		if got := rows(fast.book); got != "a/m 1001, a/n 7" || fast.fixed != 1 || fast.missed > 0 || len(fast.events[page.Positions[0].Key]) != 1000 {
			s.Errorf("the other has %s, %d corrections, %d missed, %d events", got, fast.fixed, fast.missed, len(fast.events[page.Positions[0].Key]))
		}
		if got := s.hub.Stats().Replaced; got != 1 {
			s.Errorf("%d backlogs were replaced", got)
		}
		stuck.take()
		if got := rows(stuck.book); got != "a/m 1001, a/n 7" || stuck.missed < 50 || stuck.missed > 102 || !stuck.book.IsAudited(stuck.watched[0]) {
			s.Errorf("it has %s, %d missed", got, stuck.missed)
		}
	})
}

// TestPieces of any size are bounded too.
func TestPiecesWithoutRowsAreBounded(t *testing.T) {
	play(t, Limits{Backlog: 100}, func(s *trial) {
		stuck := s.join("stuck")
		stuck.watch("a")
		stuck.take()
		for range 500 {
			s.send(book.Delta{Updates: []book.Updates{{Subscription: s.feed.of("a"), BeginsPartial: true}}})
		}
		if got := s.hub.Stats().Replaced; got == 0 {
			s.Error("500 pieces wait")
		}
	})
}

// TestNextTakesOneFrameAtATime, and reports that more follows at once.
func TestNextTakesOneFrameAtATime(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		next := func() (updates int, more bool, took time.Duration) {
			began := time.Now()
			delta, err := one.Next(s.Context())
			if err != nil {
				s.Fatal(err)
			}
			for i := range delta.Updates {
				updates += len(delta.Updates[i].Positions)
			}
			more = delta.More
			one.apply(&delta)
			return updates, more, time.Since(began)
		}
		next()
		s.send(s.snapshot("a", "a/m 1"))
		if _, _, took := next(); took < 25*time.Millisecond || took > 75*time.Millisecond {
			s.Errorf("the first frame came after %s", took)
		}
		for i := range 3 {
			s.send(s.update("a", fmt.Sprintf("a/m %d", i)))
			if _, _, took := next(); took != 50*time.Millisecond {
				s.Errorf("a frame came after %s", took)
			}
		}
		var many []string
		for i := range batch + 5 {
			many = append(many, fmt.Sprintf("a/m%d 1", i))
		}
		s.send(s.update("a", many...))
		if updates, more, _ := next(); !more || updates != batch {
			s.Errorf("%d updates, more %t", updates, more)
		}
		if updates, more, took := next(); more || took > 0 || updates != 5 || one.book.Len() != batch+6 {
			s.Errorf("after %s: %d updates, %d rows, more %t", took, updates, one.book.Len(), more)
		}
		ctx, cancel := context.WithCancel(s.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := one.Next(ctx); !errors.Is(err, context.Canceled) {
			s.Error(err)
		}
	})
}

// TestFramesOfSessionsAreSpread over the time of a frame, also if the same update wakes all sessions.
func TestFramesOfSessionsAreSpread(t *testing.T) {
	const n = 10
	play(t, Limits{}, func(s *trial) {
		var sessions []*screen
		for i := range n {
			sessions = append(sessions, s.join(fmt.Sprint("trader ", i)))
			sessions[i].watch("a")
		}
		s.send(s.snapshot("a", "a/m 0"))
		frame := s.hub.frames.length()
		var came [n]time.Duration
		began := time.Now()
		for i := range 3 {
			s.send(s.update("a", fmt.Sprintf("a/m %d", i)))
			var all sync.WaitGroup
			for of, session := range sessions {
				all.Go(func() {
					delta, err := session.Next(s.Context())
					if err != nil {
						s.Error(err)
					}
					session.apply(&delta)
					came[of] = time.Since(began) % frame
				})
			}
			all.Wait()
		}
		slices.Sort(came[:])
		last := came[n-1] - frame
		for _, at := range came {
			if at-last > 2*frame/n {
				s.Errorf("no frame from %s to %s of each", last, at)
			}
			last = at
		}
	})
}

// TestAuditsAndResyncsAreDoneOnce.
func TestAuditsAndResyncsAreDoneOnce(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one, two := s.join("one"), s.join("two")
		one.watch("a b")
		two.watch("b c")
		one.RequestAudit(one.watched[1])
		one.RequestAudit(model.Subscription{Key: model.Key{Party: model.MakeID("c")}, Epoch: 1}) // is not watched
		if len(s.feed.audits) != 1 || s.feed.audits[0] != s.feed.of("b") {
			s.Errorf("audits of %v", s.feed.audits)
		}
		one.Resync()
		two.Resync()
		one.Resync()
		if len(s.feed.resyncs) != 2 || len(s.feed.resyncs[0]) != 2 || len(s.feed.resyncs[1]) != 1 || s.feed.resyncs[1][0] != s.feed.of("c") {
			s.Errorf("checked again: %v", s.feed.resyncs)
		}
		time.Sleep(resyncEvery)
		if one.Resync(); len(s.feed.resyncs) != 3 {
			s.Errorf("checked again: %v", s.feed.resyncs)
		}
	})
}

// TestAnAuditOfEarlierRows: the last page of an audit that began before a snapshot verifies nothing.
func TestAnAuditOfEarlierRows(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		s.send(s.snapshot("a", "a/m 1"))
		page := book.AuditPage{Subscription: s.feed.of("a"), NotAfter: notAfter, First: true, Positions: positions("a/m 1")}
		s.send(book.Delta{Audits: []book.AuditPage{page}})
		one.take()
		s.send(s.snapshot("a", "a/m 2"))
		s.send(book.Delta{Audits: []book.AuditPage{{Subscription: page.Subscription, NotAfter: notAfter, Last: true}}})
		one.take()
		if got := rows(one.book); got != "a/m 2" || one.book.IsAudited(one.watched[0]) {
			s.Errorf("it has %s, audited: %t", got, one.book.IsAudited(one.watched[0]))
		}
	})
}

// TestHubStartsAgainAfterAPanic: all streams are opened again, and each session gets the rows that they have then.
func TestHubStartsAgainAfterAPanic(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a b")
		s.send(s.snapshot("a", "a/m 1"))
		one.take()
		broken := s.feed.of("a")
		s.hub.panics(func() { // as if a defect had broken what it has of a stream
			st := s.hub.streams[broken.Key]
			st.mu.Lock()
			defer st.mu.Unlock()
			st.book = nil
		})
		s.send(s.update("a", "a/m 9"))
		if len(s.panics) != 1 {
			s.Fatalf("panics: %q", s.panics)
		}
		time.Sleep(firstRestart)
		synctest.Wait()
		one.take()
		if s.feed.of("a") == broken || s.hub.Stats().Restarts != 1 || one.links[0].Committed || !one.links[0].MayBeOutOfDate(time.Now()) {
			s.Errorf("%+v, and %+v", s.hub.Stats(), one.links[0])
		}
		s.send(s.snapshot("a", "a/m 3"))
		s.send(s.snapshot("b", "b/m 4"))
		if one.take(); rows(one.book) != "a/m 3, b/m 4" || !one.links[0].Committed {
			s.Errorf("%s, and %+v", rows(one.book), one.links)
		}
	})
}

// TestSessionsEndWithTheFeed.
func TestSessionsEndWithTheFeed(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.take()
		close(s.feed.deltas)
		if _, err := one.Next(s.Context()); err != ErrClosed {
			s.Error(err)
		}
		if _, err := one.NextMargins(s.Context()); err != ErrClosed {
			s.Error(err)
		}
		if _, err := one.Page(s.Context(), model.PageRequest{}); err != ErrClosed {
			s.Error(err)
		}
	})
}

// TestRowsOfASnapshotBelongToEachSession: what one applies to its rows does not change those of another.
func TestRowsOfASnapshotBelongToEachSession(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one, two := s.join("one"), s.join("two")
		one.watch("a")
		two.watch("a")
		s.send(s.snapshot("a", "a/m 1"))
		one.take()
		s.send(s.update("a", "a/m 2"))
		one.take()
		key := position("a/m 1").Key
		if two.take(); len(two.events[key]) != 1 || len(one.events[key]) != 1 {
			s.Errorf("events %q and %q", one.events, two.events)
		}
	})
}

// TestNumbersWithPointsPass as the service wrote them, in snapshots and updates, also to a session that joins later.
func TestNumbersWithPointsPass(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		s.send(s.snapshot("a", "a/m -12.50", "a/n 1e+21", "a/o NaN"))
		s.send(s.update("a", "a/o -0.000"))
		two := s.join("two")
		two.watch("a")
		synctest.Wait()
		for _, screen := range []*screen{one, two} {
			screen.take()
			if got, want := rows(screen.book), "a/m -12.50, a/n 1e+21, a/o -0.000"; got != want {
				t.Errorf("%s has %q, want %q", screen.name, got, want)
			}
		}
	})
}
