package feed

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// scriptedStreams are the positions streams of a service, in the order in which they were opened. The test writes each
// of them.
type scriptedStreams struct {
	mu  sync.Mutex
	all []*scriptedStream
}

type scriptedStream struct {
	texts  chan string // closed: a clean end
	closed chan struct{}
}

func (l *scriptedStreams) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	next := &scriptedStream{texts: make(chan string, 100), closed: make(chan struct{})}
	l.mu.Lock()
	l.all = append(l.all, next)
	l.mu.Unlock()
	defer close(next.closed)
	for {
		select {
		case text, ok := <-next.texts:
			if !ok {
				return
			}
			_, _ = w.Write([]byte(text))
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (l *scriptedStreams) at(i int) *scriptedStream {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[i]
}

func (l *scriptedStreams) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}

func (l *scriptedStream) isClosed() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

// now returns the time in the given number of seconds, in nanoseconds.
func now(seconds int) int64 { return time.Now().Add(time.Duration(seconds) * time.Second).UnixNano() }

// audited runs a scene. The first stream is active and has rows a, b and c, all ten minutes old. An audit has opened
// the second stream.
func audited(t *testing.T, scene func(s *trial, streams *scriptedStreams, old int64)) {
	t.Helper()
	streams := new(scriptedStreams)
	playBefore(t, func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, wire.StreamPath) {
				streams.ServeHTTP(w, r)
				return
			}
			node.ServeHTTP(w, r)
		})
	}, func(s *trial) {
		old := now(-600)
		s.watch("network", "")
		streams.at(0).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		s.takeAll()
		if s.book.IsAudited(s.watched[0]) {
			t.Error("the rows count as audited before an audit")
		}
		s.after(2 * time.Second) // a small snapshot is audited after this time
		if l := s.link(); !l.Auditing || l.Phase != model.Live {
			t.Errorf("the link is %+v, want an audit", l)
		}
		scene(s, streams, old)
	})
}

// TestAnAuditCorrectsWhatTheGapHasLost, page by page, while the active stream continues.
func TestAnAuditCorrectsWhatTheGapHasLost(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		first, second := streams.at(0), streams.at(1)
		second.texts <- pageText(false, rowText("network", "b", 20, old+5))
		s.takeAll()
		s.rows("network/a 1", "network/b 20", "network/c 3")
		first.texts <- updateText(rowText("network", "a", 7, old+9))
		second.texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "c", 0, old+1), rowText("network", "d", 4, old))
		s.takeAll()
		s.rows("network/a 7", "network/b 20", "network/c 0", "network/d 4")
		if !s.book.IsAudited(s.watched[0]) || s.link().Audits != 1 || s.link().Auditing {
			t.Errorf("the audit has not ended: %+v", s.link())
		}
		if first.isClosed() || !second.isClosed() {
			t.Error("the first stream must stay open and the second must be closed")
		}
		first.texts <- updateText(rowText("network", "d", 5, old+10))
		s.takeAll()
		s.rows("network/a 7", "network/b 20", "network/c 0", "network/d 5")
		s.is(model.Live, model.FreshLive)
		if s.commits != 1 {
			t.Errorf("%d snapshots, want 1", s.commits)
		}
	})
}

// TestPositionsThatAnAuditHasNotRequestedAreLeftOut, of updates and of pages.
func TestPositionsThatAnAuditHasNotRequestedAreLeftOut(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(1).texts <- updateText(rowText("other", "a", 7, now(0))) +
			pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old), rowText("other", "b", 8, old))
		s.takeAll()
		if s.rows("network/a 1", "network/b 2", "network/c 3"); s.book.Len() != 3 || s.link().Audits != 1 {
			t.Errorf("the book has %d rows after %d audits", s.book.Len(), s.link().Audits)
		}
	})
}

// TestAuditOfANodeThatIsBehindChangesNoRow and removes nothing.
func TestAuditOfANodeThatIsBehindChangesNoRow(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(0).texts <- updateText(rowText("network", "b", 4, old+100), rowText("network", "new", 5, old+100))
		streams.at(1).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 3, old+50), rowText("network", "c", 3, old))
		s.takeAll()
		s.rows("network/a 1", "network/b 4", "network/c 3", "network/new 5")
		s.isLive()
	})
}

// TestAnAuditThatBreaksChangesNothingElse: the first stream continues, and the audit is tried again.
func TestAnAuditThatBreaksChangesNothingElse(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(1).texts <- pageText(false, rowText("network", "a", 5, old+1))
		s.takeAll()
		close(streams.at(1).texts)
		s.after(time.Second)
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 5", "network/b 2", "network/c 3")
		if l := s.link(); l.Audits != 0 || l.Auditing {
			t.Errorf("the link is %+v", l)
		}
		streams.at(0).texts <- updateText(rowText("network", "a", 6, old+2))
		s.after(3 * time.Second)
		streams.at(2).texts <- pageText(true, rowText("network", "a", 6, old+2), rowText("network", "b", 7, old+3), rowText("network", "c", 3, old))
		s.takeAll()
		s.rows("network/a 6", "network/b 7", "network/c 3")
	})
}

// TestAnAuditThatFailsAfterOneThatHasEndedIsTriedAgainSoon, however often others failed before.
func TestAnAuditThatFailsAfterOneThatHasEndedIsTriedAgainSoon(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "")
		s.node.SetStreamResponse(4, sim.Response{Status: 503})
		for s.link().Audits == 0 {
			s.after(time.Second)
		}
		s.node.SetStreamResponse(1, sim.Response{Status: 503})
		s.feed.Resync()
		s.after(8 * time.Second)
		if got := s.link().Audits; got < 2 {
			t.Errorf("%d audits, want 2", got)
		}
	})
}

// TestTheActiveStreamBreaksDuringAnAudit: the audit ends with it, and its later pages change nothing.
func TestTheActiveStreamBreaksDuringAnAudit(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		close(streams.at(0).texts)
		s.takeAll()
		s.is(model.Waiting, model.FreshStale)
		if s.link().Auditing || !streams.at(1).isClosed() {
			t.Error("the audit continues")
		}
		s.after(time.Second)
		streams.at(2).texts <- pageText(true, rowText("network", "a", 6, old))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 6", "network/b 2", "network/c 3")
		if s.book.IsAudited(s.watched[0]) {
			t.Error("the new snapshot counts as audited")
		}
	})
}

func TestAnAuditWithoutAResponseEnds(t *testing.T) {
	for _, piece := range []string{"", " ", "{}"} {
		audited(t, func(s *trial, streams *scriptedStreams, old int64) {
			for range 8 {
				streams.at(1).texts <- piece
				s.after(4 * time.Second)
			}
			if l := s.link(); l.Audits != 0 || !streams.at(1).isClosed() {
				t.Errorf("the audit continues: %+v", l)
			}
			s.isLive()
			s.rows("network/a 1", "network/b 2", "network/c 3")
		})
	}
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(1).texts <- pageText(false, rowText("network", "a", 1, old)) // and no other page
		s.after(35 * time.Second)
		if s.isLive(); s.link().Audits != 0 || !streams.at(1).isClosed() {
			t.Errorf("the audit continues: %+v", s.link())
		}
	})
}

// TestAnAuditWaitsForAScreenThatIsSuspended, however long, and then goes on.
func TestAnAuditWaitsForAScreenThatIsSuspended(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		rows := make([]string, auditAhead)
		for i := range rows {
			rows[i] = rowText("network", fmt.Sprint(i), 1, old)
		}
		second := streams.at(1)
		second.texts <- pageText(false, rows...) + updateText(rowText("network", "a", 2, old+1)) + pageText(false, rowText("network", "b", 3, old+1), rowText("network", "c", 3, old))
		time.Sleep(10 * time.Minute)
		s.takeAll()
		second.texts <- pageText(true)
		s.takeAll()
		if s.hasRow("b", "3"); s.link().Audits != 1 {
			t.Errorf("%d audits, want 1", s.link().Audits)
		}
	})
}

// TestAnAuditEndsIfNoPageFollowsUpdates for some seconds, also if one has followed those before.
func TestAnAuditEndsIfNoPageFollowsUpdates(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		second := streams.at(1)
		update := func(times int) {
			for i := range times {
				second.texts <- updateText(rowText("network", "a", i, now(0)))
				s.after(time.Second)
			}
		}
		update(2)
		second.texts <- pageText(false, rowText("network", "b", 2, old))
		s.after(6 * time.Second)
		if second.isClosed() {
			t.Error("the audit has ended, although a page has followed")
		}
		update(6)
		if !second.isClosed() {
			t.Error("the audit goes on")
		}
		s.isLive()
	})
}

// TestStreamThatMissesUpdatesIsClosed: an audit has seen a change of today that the stream has not sent.
func TestStreamThatMissesUpdatesIsClosed(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		page := func() string {
			return pageText(true, rowText("network", "a", 9, now(-1)), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		}
		streams.at(1).texts <- page() // a change in the gap: the stream stays open
		s.after(10 * time.Second)
		if streams.at(0).isClosed() {
			t.Error("the stream is closed because of an update that its gap has lost")
		}
		s.after(time.Minute)
		s.feed.Resync()
		s.takeAll()
		streams.at(streams.count() - 1).texts <- page()
		s.after(4 * time.Second)
		s.isLive()
		s.after(1500 * time.Millisecond)
		if !streams.at(0).isClosed() {
			t.Error("the stream is not closed")
		}
		s.problemIs("misses updates")
		s.rows("network/a 9", "network/b 2", "network/c 3")
	})
}

func TestStreamThatIsLateIsNotClosed(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		s.after(time.Minute)
		s.feed.Resync()
		s.takeAll()
		at := now(-1)
		last := streams.count() - 1
		streams.at(last).texts <- pageText(true, rowText("network", "a", 9, at), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		s.after(3 * time.Second)
		streams.at(0).texts <- updateText(rowText("network", "a", 9, at))
		s.after(10 * time.Second)
		s.isLive()
		if streams.at(0).isClosed() {
			t.Error("the stream is closed")
		}
	})
}

// TestAnAuditWaitsWhileTheServiceDoesNotRespond to a check, and comes later.
func TestAnAuditWaitsWhileTheServiceDoesNotRespond(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "b", 1))
		s.node.SetMarginResponse(1, sim.Response{Status: 503})
		s.watch("network", "")
		s.after(12 * time.Second) // a check has failed
		s.feed.Resync()
		s.after(time.Second)
		if s.link().Auditing || s.link().Audits != 0 {
			t.Error("an audit has begun")
		}
		s.after(20 * time.Second)
		if s.link().Audits != 1 {
			t.Errorf("%d audits, want 1", s.link().Audits)
		}
	})
}

// TestScheduleOfAudits of a stream with updates: some soon after it was opened, then one in five minutes.
func TestScheduleOfAudits(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1000))
		s.watch("network", "")
		began := time.Now()
		for volume := range int64(720) {
			s.after(5 * time.Second)
			s.node.Update(held("network", "b", volume+1))
		}
		s.takeAll()
		var times []time.Duration
		for _, r := range s.node.Requests() {
			if strings.Contains(r.URI, wire.StreamPath) {
				times = append(times, r.At.Sub(began))
			}
		}
		if first := times[1]; first != time.Second {
			t.Errorf("the first audit was after %s", first)
		}
		var gaps []time.Duration
		for i := 2; i < len(times); i++ {
			gaps = append(gaps, times[i]-times[i-1])
		}
		for _, young := range gaps[:2] {
			if young < 4*time.Second || young > 6*time.Second {
				t.Errorf("an early audit came after %s, want about 5 s", young)
			}
		}
		gaps = gaps[2:]
		if shortest, longest := slices.Min(gaps), slices.Max(gaps); shortest < 270*time.Second || longest > 332*time.Second || shortest == longest {
			t.Errorf("audits come after %s to %s, want about 5 minutes", shortest, longest)
		}
		if got, audits := s.link().Audits, len(times)-1; got != audits {
			t.Errorf("the link has %d audits, want %d", got, audits)
		}
	})
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		s.after(time.Hour)
		if got := len(s.streams()); got != 1 {
			t.Errorf("%d streams without audits", got)
		}
	})
	play(t, func(s *trial) {
		s.fill(50_001)
		s.watch("network", "")
		s.after(8 * time.Second)
		if got := len(s.streams()); got != 1 {
			t.Error("a large snapshot is audited as soon as a small one")
		}
		s.after(4 * time.Second)
		if got := len(s.streams()); got != 2 {
			t.Errorf("%d streams after 12 s", got)
		}
	})
}

// TestAHintBringsAnAuditForward, and later each one that has found nothing makes the next wait twice as long: some
// services give hints all the time. One that has found something ends that.
func TestAHintBringsAnAuditForward(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "")
		for volume := range int64(60) {
			s.after(time.Second / 2)
			s.node.Update(held("network", "b", volume+1))
		}
		pass := func(seconds int) (audits int) {
			before := s.link().Audits
			for volume := range int64(seconds) {
				s.feed.RequestAudit(s.watched[0])
				s.node.Update(held("network", "b", volume+1))
				s.after(time.Second)
			}
			return s.link().Audits - before
		}
		if got := pass(4 * 60); got != 11 && got != 12 { // each 2.5 s until 15 s, and after 20, 30, 50, 90 and 170 s
			t.Errorf("%d audits in four minutes with hints", got)
		}
		for volume := range int64(2) {
			s.node.Put(held("network", "c", volume+1)) // is not sent
			s.feed.RequestAudit(s.watched[0])
			s.after(5 * time.Minute)
			s.sameAsService()
		}
		if got := pass(6); got == 0 {
			t.Error("no audit with a hint after one that has found something")
		}
	})
}

// TestFirstAuditAfterDroppedStreams: only an audit finds what their gaps have lost, so it begins although dials are
// used.
func TestFirstAuditAfterDroppedStreams(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("network", "")
		for range 5 {
			s.after(4 * time.Second)
			s.node.Drop()
			s.takeAll()
		}
		connected := func() bool { return len(s.links) > 0 && s.link().Phase == model.Live }
		for i := 0; i < 120 && !connected(); i++ {
			s.after(time.Second)
		}
		s.node.Put(held("network", "b", 6)) // not sent to any stream
		s.after(15 * time.Second)
		s.sameAsService()
	})
}

// TestReconnectToANodeThatIsBehindIsReported until the node has caught up. No row goes back, and none is removed.
func TestReconnectToANodeThatIsBehindIsReported(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		latest := now(-1)
		streams.at(0).texts <- updateText(rowText("network", "a", 4, latest))
		s.takeAll()
		close(streams.at(0).texts)
		s.after(time.Second)
		streams.at(2).texts <- pageText(true, rowText("network", "a", 3, latest-int64(20*time.Second)), rowText("network", "b", 2, old))
		s.takeAll()
		s.is(model.Live, model.FreshBehind)
		if got := s.link().Behind(time.Now()); got != 20*time.Second {
			t.Errorf("behind by %s, want 20s", got)
		}
		s.rows("network/a 4", "network/b 2", "network/c 3")
		streams.at(2).texts <- updateText(rowText("network", "a", 4, latest))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
	})
}

func TestRowWithAFutureTimeIsStillUpdatedAndAudited(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(0).texts <- updateText(rowText("network", "b", 4, now(3600)))
		s.takeAll()
		s.hasRow("b", "4")
		streams.at(0).texts <- updateText(rowText("network", "b", 5, now(-1)))
		s.takeAll()
		s.hasRow("b", "5")
		streams.at(1).texts <- pageText(true, rowText("network", "a", 8, now(3600)), rowText("network", "b", 5, now(-1)), rowText("network", "c", 3, old))
		s.takeAll()
		s.hasRow("a", "8")
		streams.at(0).texts <- updateText(rowText("network", "a", 9, now(-1)))
		s.takeAll()
		s.hasRow("a", "9")
		s.isLive()
	})
}

// hasRow asserts the volume of one of the network's positions; none if want is empty.
func (s *trial) hasRow(market, want string) {
	s.t.Helper()
	got := ""
	if row, ok := s.book.Find(model.Key{Party: model.MakeID("network"), Market: model.MakeID(market)}); ok {
		got = row.Number(model.OpenVolume).String()
	}
	if got != want {
		s.t.Errorf("%s is %q, want %q", market, got, want)
	}
}
