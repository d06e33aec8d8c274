package feed

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
)

// takesOver runs a scene in which the stream of an audit has just taken the place of one that was behind, and had been
// opened again after a failure.
func takesOver(t *testing.T, scene func(s *trial)) {
	t.Helper()
	behindAnHour(t, Config{}, func(s *trial) {
		s.node.Route([]int{0}, []int{0})
		s.watch("network", "")
		s.node.Cut()
		s.after(15 * time.Second)
		s.is(model.Live, model.FreshBehind)
		s.node.Route([]int{1}, []int{1})
		for tries := s.link().Tries; s.link().Tries == tries; s.after(100 * time.Millisecond) {
		}
		s.is(model.Live, model.FreshLive)
		scene(s)
	})
}

// TestAStreamThatTookOverIsOpenedAgain when it is lost, after a short wait.
func TestAStreamThatTookOverIsOpenedAgain(t *testing.T) {
	takesOver(t, func(s *trial) {
		s.node.Cut()
		s.takeAll()
		if l := s.link(); l.Phase != model.Waiting || l.Attempt != 1 || !l.RetryAt.After(time.Now()) {
			t.Errorf("%s, try %d in %s", l.Phase, l.Attempt, time.Until(l.RetryAt))
		}
		s.after(10 * time.Second)
		s.isLive()
		s.sameAsService()
	})
}

// TestBytesOfAStreamThatTookOver count besides those of the streams before. All have snapshots of the same size.
func TestBytesOfAStreamThatTookOver(t *testing.T) {
	takesOver(t, func(s *trial) {
		before := s.link().Bytes // of two streams
		s.node.Update(held("network", "b", 3))
		s.takeAll()
		if got := s.link().Bytes; got < before*3/2 {
			t.Errorf("%d bytes of three streams, %d of two", got, before)
		}
	})
}

// TestAStreamThatTookOverIsClosed when it is of no use: half a message came.
func TestAStreamThatTookOverIsClosed(t *testing.T) {
	takesOver(t, func(s *trial) {
		s.node.Raw([]byte("{"))
		s.after(time.Minute)
		s.isLive()
		if n := s.node.Counters().StreamsOpen; n != 1 {
			t.Errorf("%d streams are open, want 1", n)
		}
	})
}

// TestWhatTheGapOfAStreamThatTookOverHasLost is no reason to open it again.
func TestWhatTheGapOfAStreamThatTookOverHasLost(t *testing.T) {
	takesOver(t, func(s *trial) {
		tries := s.link().Tries
		s.node.Put(held("network", "b", 3)) // is not sent
		s.after(20 * time.Second)
		if s.rows("network/b 3", "network/c 1"); s.link().Tries != tries {
			t.Error("the stream is closed")
		}
	})
}

// partialTakenOver runs a scene in which an audit has just ended. Its stream has taken the place of one whose snapshot
// had no last page.
func partialTakenOver(t *testing.T, rows int, scene func(s *trial, streams *scriptedStreams, old int64)) {
	t.Helper()
	scripted(t, func(s *trial, streams *scriptedStreams) {
		old := now(-600)
		s.watch("network", "")
		streams.at(0).texts <- pageText(false, rowText("network", "0", 1, old)) + updateText(rowText("network", "0", 2, old+1))
		s.after(8 * time.Second)
		var page []string
		for i := range rows {
			page = append(page, rowText("network", fmt.Sprint(i), 3, old+2))
		}
		streams.at(1).texts <- pageText(false, page...) + updateText(rowText("network", "0", 4, old+3)) + pageText(true)
		s.takeAll()
		s.isLive()
		s.rowCount(rows)
		if !streams.at(0).isClosed() {
			t.Error("the stream was not replaced")
		}
		scene(s, streams, old)
	})
}

// TestASecondSnapshotOfAStreamThatTookOver replaces all rows: it has nothing to do with the pages of the stream before.
func TestASecondSnapshotOfAStreamThatTookOver(t *testing.T) {
	partialTakenOver(t, 2, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(1).texts <- pageText(true, rowText("network", "1", 4, old+3))
		s.takeAll()
		s.isLive()
		s.rows("network/1 4")
	})
}

// TestALargeSnapshotOfAStreamThatTookOver is audited later than a small one, however few rows were shown before.
func TestALargeSnapshotOfAStreamThatTookOver(t *testing.T) {
	partialTakenOver(t, 50_001, func(s *trial, streams *scriptedStreams, _ int64) {
		s.after(8 * time.Second)
		if n := streams.count(); n != 2 {
			t.Errorf("%d streams after 8 s, want 2", n)
		}
		s.after(4 * time.Second)
		if n := streams.count(); n != 3 {
			t.Errorf("%d streams after 12 s, want 3", n)
		}
	})
}
