package feed

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
)

func TestSnapshotThenUpdates(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5), held("a1", "b", -3))
		s.watch("", "")
		s.is(model.Live, model.FreshLive)
		s.rows("a1/b -3", "network/b 5")
		s.node.Update(held("a1", "b", 0), held("a1", "c", 7))
		s.takeAll()
		s.rows("a1/b 0", "a1/c 7", "network/b 5")
		s.sameAsService()
	})
}

func TestHalfASnapshotIsNotShown(t *testing.T) {
	play(t, func(s *trial) {
		for i := range 120 {
			s.node.Put(held("network", string(rune('a'+i%26))+string(rune('a'+i/26)), int64(i+1)))
		}
		s.node.HoldSnapshot(2)
		s.watch("network", "")
		s.rows()
		s.is(model.Syncing, model.FreshConnecting)
		if l := s.link(); l.StagedRows != 100 || l.StagedPages != 2 {
			t.Errorf("the link has %d rows in %d pages, want 100 in 2", l.StagedRows, l.StagedPages)
		}
		s.node.Release()
		s.takeAll()
		s.sameAsService()
	})
}

func TestCutKeepsRowsStaleAndRecovers(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("", "")
		s.listener.Kill()
		s.takeAll()
		s.is(model.Waiting, model.FreshStale)
		s.rows("network/b 5")
		s.problemIs("connection lost or the service ended the stream")
		s.node.Put(held("network", "b", 0), held("network", "c", 6))
		s.listener.Revive()
		s.after(time.Second)
		s.is(model.Live, model.FreshLive)
		s.problemIs("")
		s.rows("network/b 0", "network/c 6")
	})
}

// TestAPartyInAMarketIsNarrowedHere: the response to a stream of both would not come until there is a position.
func TestAPartyInAMarketIsNarrowedHere(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "bb")
		s.is(model.Live, model.FreshLive) // the empty snapshot of the party
		s.rows()
		s.node.Update(held("network", "bb", 4), held("network", "cc", 5))
		s.takeAll()
		s.rows("network/bb 4")
		if got := s.streams(); !slices.Equal(got, []string{"partyId=network"}) {
			t.Errorf("requested %q", got)
		}
		s.watch("network", "cc")
		s.rows("network/cc 5")
		if got := len(s.streams()); got != 1 {
			t.Errorf("%d streams for another market of the same party, want 1", got)
		}
	})
}

// TestPositionsThatWereNotRequestedAreLeftOut: each position belongs to one subscription.
func TestPositionsThatWereNotRequestedAreLeftOut(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(true, rowText("network", "a", 1, 1), rowText("other", "a", 2, 1))+
			updateText(rowText("other", "b", 3, 2), rowText("network", "b", 4, 2))))
		s.watch("network", "")
		s.rows("network/a 1", "network/b 4")
		if got := s.link().Unrequested; got != 2 {
			t.Errorf("%d positions were left out, want 2", got)
		}
		s.node.Cut()
		s.after(2 * time.Second)
		if got := s.link().Unrequested; got != 0 {
			t.Errorf("%d positions of the second stream were left out", got)
		}
	})
}

// TestSnapshotOverTheLimit of rows: new rows are left out and counted, and the others still change.
func TestSnapshotOverTheLimit(t *testing.T) {
	config := unaudited
	config.Limits.Rows = 2
	playWith(t, sim.Config{}, config, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(false, rowText("network", "a", 1, 1), rowText("network", "b", 2, 2))+
			pageText(true, rowText("network", "c", 3, 3), rowText("network", "a", 4, 2), rowText("network", "b", 5, 1))))
		s.node.Put(held("network", "a", 6))
		s.watch("network", "")
		s.rows("network/a 4", "network/b 2")
		if got := s.link().LeftOut; got != 1 {
			t.Errorf("%d positions were left out, want 1", got)
		}
		s.node.Raw([]byte(pageText(true, rowText("network", "a", 7, 4))))
		s.takeAll()
		if s.rows("network/a 7"); s.link().LeftOut != 0 {
			t.Errorf("%d positions of a second snapshot of the stream were left out", s.link().LeftOut)
		}
		s.node.Cut()
		s.after(2 * time.Second)
		if s.rows("network/a 6"); s.link().LeftOut != 0 {
			t.Errorf("%d positions of the second snapshot were left out", s.link().LeftOut)
		}
	})
}

func TestPartyWithoutPositionsIsEmptyAtOnce(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "")
		s.is(model.Live, model.FreshLive)
		s.rows()
		if s.commits != 1 {
			t.Errorf("%d snapshots, want 1", s.commits)
		}
		s.node.Update(held("network", "b", 4))
		s.takeAll()
		s.rows("network/b 4")
	})
}

func TestSilenceOfAPartyIsNoSnapshot(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Silence()
		s.watch("network", "")
		s.after(29 * time.Second)
		s.is(model.Connecting, model.FreshConnecting)
		s.after(1100 * time.Millisecond)
		s.is(model.Waiting, model.FreshConnecting)
		s.problemIs("sends no snapshot")
		s.node.EndSilence()
		s.after(time.Second)
		s.is(model.Live, model.FreshLive)
	})
}

func TestPageAndUpdateInOneMessage(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(`{"result":{"updates":{"positions":[`+rowText("a", "b", 2, 2)+
			`]},"snapshot":{"lastPage":true,"positions":[`+rowText("a", "b", 1, 1)+`]}}}`))
		s.watch("", "")
		s.is(model.Live, model.FreshLive)
		s.rows("a/b 2")
	})
}

func TestEmptyMessagesAreNoSnapshot(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse("{}\n"))
		s.watch("network", "")
		for range 3 {
			s.after(9 * time.Second)
			s.node.Raw([]byte(`{"result":null}{"heartbeat":1}`))
		}
		s.is(model.Connecting, model.FreshConnecting)
		s.after(4 * time.Second)
		s.is(model.Live, model.FreshLive) // from a stream that was requested again
		if got := len(s.streams()); got != 2 {
			t.Errorf("%d streams were requested, want 2", got)
		}
	})
}

// endings are ways for a stream to end, each with a part of the error.
var endings = []struct {
	name  string
	end   func(*trial)
	words string
}{
	{"kicked", func(s *trial) { s.node.Drop() }, "internal stream failure: channel closed"},
	{"shut down", func(s *trial) { s.node.Shutdown() }, "the client connection is closing"},
	{"ended", func(s *trial) { s.node.End() }, "the service ended the stream"},
	{"cut", func(s *trial) { s.node.Cut() }, "connection lost"},
	// A service whose connections break may find that before its client does, and end the stream first.
	{"killed", func(s *trial) { s.listener.Kill() }, "connection lost (reset by the other end) or the service ended the stream"},
	{"cut in a message", func(s *trial) { s.node.Raw([]byte(`{"result":{"upda`)); s.node.Cut() }, "connection lost"},
	{"error", func(s *trial) { s.node.Raw([]byte(`{"error":{"code":13,"message":"bad day"}}`)) }, "bad day"},
	{"error beside a result", func(s *trial) {
		s.node.Raw([]byte(`{"result":{"updates":{"positions":[` + rowText("network", "x", 9, 9) + `]}},"error":{"message":"worse day"}}`))
	}, "worse day"},
	{"error after a result", func(s *trial) {
		s.node.Raw([]byte(`{"error":{},"result":{"snapshot":{"lastPage":true}}}`))
	}, "ended the stream"},
	{"no JSON", func(s *trial) { s.node.Raw([]byte("<html>")) }, "not JSON"},
	{"no text", func(s *trial) { s.node.Raw([]byte("{\"result\":{\"x\":\"\xff\"}}")) }, "UTF-8"},
	{"no object", func(s *trial) { s.node.Raw([]byte("1\n")) }, "the service sent a number; an object is expected"},
	{"wrong shape", func(s *trial) { s.node.Raw([]byte(`{"result":{"updates":{"positions":[7]}}}`)) }, "; a position is expected"},
}

func TestEveryEndingKeepsTheRowsStaleAndRecovers(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.Put(held("network", "b", 5), held("network", "c", 6))
				s.watch("network", "")
				s.node.HoldSnapshot(0)
				e.end(s)
				s.takeAll()
				s.is(model.Waiting, model.FreshStale)
				s.problemIs(e.words)
				s.rows("network/b 5", "network/c 6")
				if l := s.link(); l.Attempt != 1 || time.Until(l.RetryAt) <= 0 || time.Until(l.RetryAt) > time.Second {
					t.Errorf("retry %d in %s, want 1 within a second", l.Attempt, time.Until(l.RetryAt))
				}
				s.listener.Revive()
				s.node.Put(held("network", "b", 7))
				s.after(time.Second)
				s.is(model.Connecting, model.FreshStale)
				s.rows("network/b 5", "network/c 6") // until the new snapshot is whole
				s.node.Release()
				s.takeAll()
				s.is(model.Live, model.FreshLive)
				s.problemIs("")
				s.sameAsService()
			})
		})
	}
}

// TestWhichEndingsAreFailuresAfterAWhile: proxies close connections, but they send no errors. Before the last page of
// the snapshot, each is a failure.
func TestWhichEndingsAreFailuresAfterAWhile(t *testing.T) {
	for _, partial := range []bool{false, true} {
		for _, e := range endings {
			playWith(t, sim.Config{}, unaudited, func(s *trial) {
				if s.node.Put(held("network", "b", 5)); partial {
					s.node.SetStreamResponse(1, openResponse(updateText(rowText("network", "b", 3, 1))))
				}
				s.watch("network", "")
				s.after(endpoint.EndsFrom)
				e.end(s)
				s.takeAll()
				isClosed := slices.Contains([]string{"ended", "cut", "killed", "cut in a message"}, e.name)
				if l := s.link(); l.Phase != model.Waiting || l.Attempt > 0 != (partial || !isClosed) {
					t.Errorf("partial %t, %s: it is %s before try %d", partial, e.name, l.Phase, l.Attempt)
				}
			})
		}
	}
}

func TestEveryEndingBetweenPagesShowsNoHalf(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.fill(120)
				s.node.Put(held("network", "zz", 1))
				s.watch("network", "")
				s.sameAsService()
				before := s.book.Len()
				s.node.Put(held("network", "zz", 2))
				s.node.HoldSnapshot(2)
				s.node.Cut()
				s.after(time.Second)
				s.is(model.Syncing, model.FreshStale)
				if got := s.link().StagedPages; got != 2 {
					t.Errorf("%d pages have come, want 2", got)
				}
				e.end(s)
				s.takeAll()
				s.is(model.Waiting, model.FreshStale)
				s.problemIs(e.words)
				if s.book.Len() != before {
					t.Errorf("%d rows, want %d as before", s.book.Len(), before)
				}
				s.listener.Revive()
				s.node.Release()
				s.after(3 * time.Second)
				s.is(model.Live, model.FreshLive)
				s.sameAsService()
			})
		})
	}
}

func TestFailureBeforeAnyData(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.node.SetStreamResponse(1, sim.Response{Status: 500, Body: `{"error":{"code":13,"message":"Internal error","details":[{"message":"internal stream failure","inner":"channel closed"}]}}`})
		s.watch("network", "")
		s.is(model.Waiting, model.FreshConnecting)
		s.problemIs("Internal error: internal stream failure: channel closed")
		if s.link().Problem.Status != 500 {
			t.Errorf("the problem is %+v, want a 500", s.link().Problem)
		}
		s.after(time.Second)
		s.is(model.Live, model.FreshLive)
		s.rows("network/b 5")
	})
}

// fill puts the given number of positions of one party into the service.
func (s *trial) fill(n int) {
	for i := range n {
		s.node.Put(held("network", fmt.Sprintf("%04x", i), int64(i+1)))
	}
}

// TestCutAtEveryByte cuts a stream after each fourth of its bytes, and around the ends of its messages; after each byte
// if the tests are thorough. It does so with and without rows of an earlier stream. Only rows of
// whole messages, or earlier rows, are shown. In the end the rows are those of the service.
func TestCutAtEveryByte(t *testing.T) {
	messages := []string{
		pageText(false, rowText("network", "a", 1, 1), rowText("network", "b", 2, 1)),
		pageText(true, rowText("network", "c", 3, 1)),
		updateText(rowText("network", "a", 10, 2), rowText("network", "b", 0, 2)),
		updateText(rowText("network", "d", 4, 3)),
	}
	tables := [][]string{
		nil, nil, {"network/a 1", "network/b 2", "network/c 3"}, {"network/a 10", "network/b 0", "network/c 3"},
		{"network/a 10", "network/b 0", "network/c 3", "network/d 4"},
	}
	text := strings.Join(messages, "")
	config := Config{Times: Times{
		StreamTimes: follow.StreamTimes{AuditEvery: -1, ProbeAfter: time.Hour}, RequestTimes: endpoint.RequestTimes{HealthyAfter: time.Second},
	}}
	playWith(t, sim.Config{}, config, func(s *trial) {
		s.node.Put(held("network", "e", 5))
		for n := range len(text) + 1 {
			whole, end := 0, 0
			for _, m := range messages {
				if end += len(m); n >= end-1 { // a message is whole without its line end
					whole++
				}
			}
			isAtEnd := slices.ContainsFunc(messages, func(m string) bool {
				return strings.HasSuffix(text[:n], m) || strings.HasSuffix(text[:min(n+1, len(text))], m)
			})
			if n%4 != 0 && !isAtEnd && !modeltest.IsThorough {
				continue
			}
			cut := sim.Response{Status: 200, Body: text[:n], Cut: true}
			s.node.SetStreamResponse(1, cut)
			s.watch("network", "")
			s.rows(tables[whole]...)
			s.after(2 * time.Minute) // no more than six dials in a minute; then it is believed that the rows are gone
			s.rows("network/e 5")
			s.node.SetStreamResponse(1, cut)
			s.node.Cut()
			for before := len(s.streams()); len(s.streams()) == before; {
				time.Sleep(10 * time.Millisecond)
				s.takeAll()
			}
			if whole < 2 {
				s.rows("network/e 5")
			} else {
				s.rows(append(slices.Clone(tables[whole]), "network/e 5")...)
			}
			s.after(2 * time.Minute)
			s.is(model.Live, model.FreshQuiet)
			s.sameAsService()
			s.watchAgain()
			if t.Failed() {
				s.t.Fatalf("cut after %d bytes", n)
			}
		}
	})
}

// TestCountsOfAConnection: what came, over all streams of a subscription, and how often one was opened.
func TestCountsOfAConnection(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("network", "")
		s.takeAll()
		first := *s.link()
		if first.Tries != 1 || first.Messages < 1 || first.Bytes < 100 {
			t.Errorf("%d tries, %d messages, %d bytes after the snapshot", first.Tries, first.Messages, first.Bytes)
		}
		s.after(3 * time.Second)
		if got := time.Since(s.link().Since); got != 3*time.Second {
			t.Errorf("live for %s, want 3s", got)
		}
		for volume := range int64(5) {
			s.node.Update(held("network", "b", 10+volume))
			s.takeAll()
		}
		l := *s.link()
		if l.Messages != first.Messages+5 || l.Bytes < first.Bytes+5*100 {
			t.Errorf("%d messages and %d bytes after 5 updates, from %d and %d", l.Messages, l.Bytes, first.Messages, first.Bytes)
		}
		s.node.Cut()
		s.takeAll()
		if got := s.link(); got.Phase != model.Waiting || time.Since(got.Since) != 0 || got.Messages != l.Messages {
			t.Errorf("%s for %s, with %d messages, want waiting since now, with %d messages", got.Phase, time.Since(got.Since), got.Messages, l.Messages)
		}
		s.after(2 * time.Second)
		if got := s.link(); got.Tries != 2 || got.Messages <= l.Messages || got.Bytes <= l.Bytes {
			t.Errorf("%d tries, %d messages, %d bytes on the second stream", got.Tries, got.Messages, got.Bytes)
		}
	})
}
