package feed

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// TestSomeChangesOfTheGapAreNoReasonToOpenAStreamAgain: two rows of six, and the only row.
func TestSomeChangesOfTheGapAreNoReasonToOpenAStreamAgain(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		at := now(-1)
		others := []string{rowText("network", "d", 4, at), rowText("network", "e", 5, at), rowText("network", "f", 6, at)}
		streams.at(0).texts <- updateText(others...)
		s.takeAll()
		streams.at(1).texts <- pageText(true, append(others, rowText("network", "a", 9, at), rowText("network", "b", 9, at), rowText("network", "c", 3, old))...)
		s.after(30 * time.Second)
		s.isLive()
		if streams.at(0).isClosed() {
			t.Error("the stream is closed")
		}
		s.rows("network/a 9", "network/b 9", "network/c 3", "network/d 4", "network/e 5", "network/f 6")
	})
	play(t, func(s *trial) {
		s.node.Put(held("network", "a", 1))
		s.watch("network", "")
		s.after(time.Second / 2)
		s.node.Put(held("network", "a", 2)) // is not sent
		s.after(30 * time.Second)
		if s.rows("network/a 2"); s.link().Tries != 1 {
			t.Error("the stream is closed")
		}
	})
}

// minuteAfter begins a scene of audited a minute after the first audit, which found nothing. It returns a function that
// makes an audit with a page of these rows, and the row "c" as it was.
func (s *trial) minuteAfter(streams *scriptedStreams, old int64) (audit func(rows ...string)) {
	streams.at(1).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
	s.after(time.Minute)
	s.isLive()
	return func(rows ...string) {
		s.feed.Resync()
		s.takeAll()
		streams.at(streams.count() - 1).texts <- pageText(true, append(rows, rowText("network", "c", 3, old))...)
		s.takeAll()
	}
}

// TestAStreamThatSendsStatesOlderThanAnAuditIsOpenedAgain: also if the audit was the first, and could have seen what
// the gap has lost.
func TestAStreamThatSendsStatesOlderThanAnAuditIsOpenedAgain(t *testing.T) {
	for _, c := range []struct {
		after  time.Duration // the audit
		closed bool
	}{{4 * time.Second, false}, {6 * time.Second, true}} {
		audited(t, func(s *trial, streams *scriptedStreams, old int64) {
			seen := now(-1)
			streams.at(1).texts <- pageText(true, rowText("network", "a", 9, seen), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
			s.after(c.after)
			s.isLive()
			streams.at(0).texts <- updateText(rowText("network", "a", 4, seen-int64(time.Second/2)))
			s.takeAll()
			s.rows("network/a 9", "network/b 2", "network/c 3")
			if got := streams.at(0).isClosed(); got != c.closed {
				t.Errorf("an older state %s after the audit: the stream is closed: %t, want %t", c.after, got, c.closed)
			}
			if c.closed {
				s.problemIs("misses updates")
			}
		})
	}
}

// TestTheFirstAuditShowsThatAStreamMissesUpdates if it corrects most rows, or a state of before the connection.
func TestTheFirstAuditShowsThatAStreamMissesUpdates(t *testing.T) {
	for name, c := range map[string]struct {
		page   func(old int64) string
		closed bool
	}{
		"one row of the gap": {func(old int64) string {
			return pageText(true, rowText("network", "a", 9, now(-1)), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		}, false},
		"most rows": {func(old int64) string {
			return pageText(true, rowText("network", "a", 9, now(-1)), rowText("network", "b", 9, now(-1)), rowText("network", "c", 3, old))
		}, true},
		"a change of before the connection": {func(old int64) string {
			return pageText(true, rowText("network", "a", 9, now(-60)), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		}, true},
		"a row that it lacks": {func(old int64) string {
			return pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old), rowText("network", "d", 9, now(-60)))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			audited(t, func(s *trial, streams *scriptedStreams, old int64) {
				streams.at(1).texts <- c.page(old)
				s.after(4 * time.Second)
				s.isLive()
				s.after(2 * time.Second)
				if got := streams.at(0).isClosed(); got != c.closed {
					t.Errorf("the stream is closed: %t, want %t", got, c.closed)
				}
			})
		})
	}
}

// TestRowsOfALaterPageAreNotMissing on the stream that has sent it.
func TestRowsOfALaterPageAreNotMissing(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "a", 1))
		s.watch("network", "")
		s.after(time.Minute)
		late := held("network", "c", 3)
		late.UpdatedAt = now(-600)
		s.node.Put(late) // is not sent, but in a page
		s.node.Raw([]byte(pageText(false, rowText("network", "c", 3, late.UpdatedAt))))
		s.takeAll()
		s.feed.Resync()
		s.after(10 * time.Second)
		s.isLive()
		if s.rows("network/a 1", "network/c 3"); s.link().Audits != 1 || s.link().Tries != 1 {
			t.Errorf("after %d audits, the stream was opened %d times", s.link().Audits, s.link().Tries)
		}
	})
}

// TestAStreamThatHasLostAMarketIsOpenedAgain, although it goes on for another one.
func TestAStreamThatHasLostAMarketIsOpenedAgain(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "bb", 1), held("network", "cc", 1), held("network", "dd", 1))
		s.watch("network", "")
		s.after(time.Minute)
		s.node.LoseMarkets("bb")
		wrong := 0
		for i := range int64(20 * 60) {
			s.node.Update(held("network", "cc", i))
			if i%10 == 0 {
				s.node.Update(held("network", "bb", i))
			}
			s.after(time.Second)
			if s.differences() > 0 {
				wrong++
			}
		}
		s.isLive()
		s.sameAsService()
		if s.link().Tries != 2 || wrong > 340 {
			t.Errorf("the stream was opened %d times, and a row was wrong for %d s", s.link().Tries, wrong)
		}
	})
}

// TestTheGapLastsUntilTheLastPage, also if what came before it was shown.
func TestTheGapLastsUntilTheLastPage(t *testing.T) {
	scripted(t, func(s *trial, streams *scriptedStreams) {
		old, at := now(-600), now(0)
		b, c := rowText("network", "b", 2, old), rowText("network", "c", 3, at)
		s.watch("network", "")
		streams.at(0).texts <- pageText(false, rowText("network", "a", 1, old), b) + updateText(c)
		s.after(25 * time.Second)
		s.is(model.Live, model.FreshPartial)
		streams.at(0).texts <- pageText(true)
		s.after(3 * time.Second)
		streams.at(streams.count() - 1).texts <- pageText(true, rowText("network", "a", 9, now(-10)), b, c) // an audit
		s.after(6 * time.Second)
		s.isLive()
		if s.rows("network/a 9", "network/b 2", "network/c 3"); streams.at(0).isClosed() {
			t.Error("the stream is closed")
		}
	})
}

// TestASecondSnapshotOfAStreamExcusesNothing: only the first one has a gap.
func TestASecondSnapshotOfAStreamExcusesNothing(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		audit := s.minuteAfter(streams, old)
		rows := []string{rowText("network", "a", 1, old), rowText("network", "b", 2, old)}
		streams.at(0).texts <- pageText(true, append(rows, rowText("network", "c", 3, old))...)
		s.takeAll()
		audit(rowText("network", "a", 9, now(-30)), rows[1])
		s.after(6 * time.Second)
		if !streams.at(0).isClosed() {
			t.Error("the stream is not closed")
		}
		s.problemIs("misses updates")
	})
}

// TestAStreamThatKeepsMissingUpdatesIsBehind: it was opened again a short while ago.
func TestAStreamThatKeepsMissingUpdatesIsBehind(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		page := func(a int, at int64) string {
			return pageText(true, rowText("network", "a", a, at), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		}
		audit := s.minuteAfter(streams, old)
		audit(rowText("network", "a", 9, now(-1)), rowText("network", "b", 2, old))
		s.after(6 * time.Second) // closed
		at := now(0)
		s.after(time.Second)
		streams.at(streams.count() - 1).texts <- page(9, at)
		s.after(6 * time.Second) // after the gap
		active := streams.count() - 2
		s.nextStream(streams).texts <- page(10, now(-1)) // an audit
		s.after(4 * time.Second)
		s.isLive()
		s.after(2 * time.Second)
		s.is(model.Live, model.FreshBehind)
		if l := s.link(); l.Lag.Shown != model.LagOfAudit || l.Behind(time.Now()) < 6*time.Second || l.Behind(time.Now()) > 10*time.Second {
			t.Errorf("the lag is %+v", l.Lag)
		}
		s.staysBehind(5*time.Second, time.Second)
		s.nextStream(streams).texts <- page(10, now(-1)) // the next audit comes early, and its stream takes over
		s.after(time.Second)
		s.isLive()
		if !streams.at(active).isClosed() || streams.at(streams.count()-1).isClosed() {
			t.Error("the stream was not replaced")
		}
		s.rows("network/a 10", "network/b 2", "network/c 3")
	})
}

// nextStream waits until another stream is opened, and returns it.
func (s *trial) nextStream(streams *scriptedStreams) *scriptedStream {
	s.t.Helper()
	for began := streams.count(); streams.count() == began; s.after(time.Second / 10) {
	}
	return streams.at(streams.count() - 1)
}

// TestReconnectToANodeOlderThanAnAuditIsBehind at once: the audit has shown a state that the stream had not sent.
func TestReconnectToANodeOlderThanAnAuditIsBehind(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		seen := now(-1)
		streams.at(1).texts <- pageText(true, rowText("network", "a", 9, seen), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		s.takeAll()
		close(streams.at(0).texts)
		s.after(time.Second)
		streams.at(2).texts <- pageText(true, rowText("network", "a", 1, seen-int64(40*time.Second)), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		s.takeAll()
		if how, by := s.freshness(); how != model.FreshBehind || by != 40*time.Second {
			t.Errorf("%s %s, want BEHIND 40s", how, by)
		}
	})
}
