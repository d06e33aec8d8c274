package sim_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/sim/memnet"
)

// tiny returns a listener whose connections hold hardly more than one message.
func tiny() *sim.Listener { return memnet.ListenBuffer(1 << 10) }

// stall opens a stream whose reader takes the snapshot and then nothing. The first two blocks after it fill the
// connection and the current write.
func stall(s *service) *openStream {
	stream := s.stream("")
	stream.lines()
	s.Update(many(4)...)
	return stream
}

func TestASlowReaderGetsTheBacklogAndThenTheError(t *testing.T) {
	bubbleOn(t, sim.Config{Limits: sim.Limits{Backlog: 3}}, tiny, func(t *testing.T, s *service) {
		stream := stall(s)
		synctest.Wait()
		for i := range int64(6) {
			s.Update(position(alice, gold, 100+i))
		}
		time.Sleep(41 * time.Millisecond)
		text := stream.lines()
		backlog := updates(position(alice, gold, 100)) + updates(position(alice, gold, 101)) + updates(position(alice, gold, 102))
		if !strings.HasSuffix(text, backlog+dropped+"[end]") {
			t.Errorf("a stalled reader got: ...%.1500q", text[max(0, len(text)-1500):])
		}
		if c := s.Counters(); c.StreamsDropped != 1 || c.BlockedUpdates == 0 || c.BlockedWrites < c.BlockedUpdates || c.StreamsOpen != 0 {
			t.Errorf("counters: %+v", c)
		}
	})
}

func TestAReaderThatCatchesUpInTimeStays(t *testing.T) {
	bubbleOn(t, sim.Config{Limits: sim.Limits{Backlog: 3}}, tiny, func(t *testing.T, s *service) {
		stream := stall(s)
		synctest.Wait()
		for i := range int64(6) {
			s.Update(position(alice, gold, 100+i))
		}
		time.Sleep(30 * time.Millisecond)
		text := stream.lines()
		if strings.Contains(text, "error") || !strings.HasSuffix(text, updates(position(alice, gold, 105))) {
			t.Errorf("a slow reader got: ...%.700q", text[max(0, len(text)-700):])
		}
		p := position(alice, gold, 7)
		s.Update(p)
		want(t, "an update later", stream.lines(), updates(p))
	})
}

func TestOneBlockTooManyIsEnough(t *testing.T) {
	bubbleOn(t, sim.Config{Limits: sim.Limits{Backlog: 3}}, tiny, func(t *testing.T, s *service) {
		stream := stall(s)
		synctest.Wait()
		for range 4 {
			s.Update(position(alice, gold, 1))
		}
		time.Sleep(41 * time.Millisecond)
		if text := stream.lines(); !strings.HasSuffix(text, dropped+"[end]") {
			t.Errorf("a stalled reader got: ...%.700q", text[max(0, len(text)-700):])
		}
	})
}

func TestABacklogWithinTheLimitIsKept(t *testing.T) {
	bubbleOn(t, sim.Config{Limits: sim.Limits{Backlog: 3}}, tiny, func(t *testing.T, s *service) {
		stream := stall(s)
		synctest.Wait()
		for i := range int64(3) {
			s.Update(position(alice, gold, 100+i))
		}
		time.Sleep(time.Hour)
		if text := stream.lines(); strings.Contains(text, "error") || !strings.HasSuffix(text, updates(position(alice, gold, 102))) {
			t.Errorf("after an hour: ...%.700q", text[max(0, len(text)-700):])
		}
	})
}

func TestOnlyUpdatesFillTheBacklog(t *testing.T) {
	bubbleOn(t, sim.Config{Limits: sim.Limits{Backlog: 3}}, tiny, func(t *testing.T, s *service) {
		stall(s)
		synctest.Wait()
		for i := range 10 {
			s.PutMargins(record(i, 1))
			s.Put(position(alice, gold, 1))
			s.Remove(sim.Key{Party: alice, Market: gold})
		}
		time.Sleep(time.Second)
		if c := s.Counters(); c.StreamsDropped != 0 || c.StreamsOpen != 1 {
			t.Errorf("counters: %+v", c)
		}
	})
}

func TestADropBeforeAnyDataIsAStatus(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		a := s.send(streams + "?partyId=" + alice + "&marketId=" + gold)
		want(t, "before", a.read(), "")
		s.Drop()
		want(t, "after", a.read(), "HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nVary: Origin\r\n"+
			"Date: Sat, 01 Jan 2000 00:00:01 GMT\r\nTransfer-Encoding: chunked\r\n\r\nb7\r\n"+dropped+"\r\n0\r\n\r\n")
	})
}

func TestTheConnectionOutlivesADrop(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		stream := s.stream("")
		stream.lines()
		s.Drop()
		want(t, "drop", stream.lines(), dropped+"[end]")
		if _, err := io.WriteString(stream.conn, "GET / HTTP/1.1\r\nHost: sim\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if text := stream.read(); !strings.HasPrefix(text, "HTTP/1.1 404 ") {
			t.Errorf("a second request: %q", text)
		}
	})
}

func TestEnds(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(*service)
		want string
	}{
		{"drop", func(s *service) { s.Drop() }, dropped + "[end]"},
		{"shutdown", func(s *service) { s.Shutdown() }, closing + "[end]"},
		{"end", func(s *service) { s.End() }, "[end]"},
		{"cut", func(s *service) { s.Cut() }, "[cut]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, sim.Config{}, func(t *testing.T, s *service) {
				stream := s.stream("")
				stream.lines()
				p := position(alice, gold, 1)
				s.Update(p)
				test.end(s)
				s.Update(position(alice, gold, 2))
				want(t, "the end", stream.lines(), updates(p)+test.want)
				want(t, "the next stream", s.stream("").lines(), snapshot(position(alice, gold, 2)))
			})
		})
	}
}

func TestServeEndsItsStreams(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		stream, silent := s.stream(""), s.send(streams+"?partyId="+alice+"&marketId="+gold)
		stream.lines()
		s.HoldSnapshot(0)
		held := s.stream("")
		want(t, "held", held.lines(), "")
		t.Cleanup(func() {
			want(t, "stream", stream.lines(), closing+"[end]")
			if text := silent.read(); !strings.HasPrefix(text, "HTTP/1.1 500 ") || !strings.Contains(text, closing) {
				t.Errorf("a stream that had sent nothing: %q", text)
			}
		})
	})
}

func TestServeCutsWhatDoesNotEndInTime(t *testing.T) {
	bubbleOn(t, sim.Config{}, tiny, func(t *testing.T, s *service) {
		stall(s) // never reads again; Serve must still return
		synctest.Wait()
	})
}

func TestAKilledListener(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		stream := s.stream("")
		stream.lines()
		s.Kill()
		if text := stream.read(); !strings.Contains(text, "connection reset by peer") {
			t.Errorf("a killed connection: %q", text)
		}
		client := &http.Client{Transport: &http.Transport{DialContext: s.DialContext}}
		if _, err := client.Get("http://sim/"); err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("a dial while killed: %v", err)
		}
		s.Revive()
		want(t, "once revived", s.stream("").lines(), empty)
		if s.Dials() != 3 {
			t.Errorf("%d dials", s.Dials())
		}
	})
}
