package command

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

var stoppedFor = flag.Duration("stopped", time.Second/2, "how long TestStoppedTerminal stops the terminal")

// TestStoppedTerminal: while the terminal reads no output, the socket is still read; the memory in use is limited by
// the rows and the events and not by the updates; and when the terminal reads again, the newest state is shown, and
// every event once. It takes real time: a program that waits for its terminal stops the time of a bubble.
func TestStoppedTerminal(t *testing.T) {
	const (
		updates = 100_000
		bursts  = 500 // each of which a socket has room for
	)
	desks := twoDesks()
	// The machine may be busy, so the service waits up to a minute: it drops only a reader that has stopped.
	desks.service.Limits = sim.Limits{BacklogTime: time.Minute, Backlog: 100}
	desks.feed.Times.AuditEvery = -1
	desks.runWith(t, func() {}, func(s *dashboardTest) {
		changed := many(20)
		s.Node.Update(changed...)
		s.until("rows", time.Minute, func() bool { return strings.Contains(s.Screen(), "20 open") })
		s.Press("z") // there is room for all rows
		before, most := heap(), int64(0)
		s.StopOutput()
		for burst := range bursts {
			expected := s.Node.Counters().UpdatesSent + updates/bursts
			for i := range updates / bursts / len(changed) {
				for j := range changed {
					changed[j].UnrealisedPnl = fmt.Sprint(7*i + 11*burst + j)
					if i == 0 && burst%2 == 0 { // once in 20 updates, a flip
						changed[j].OpenVolume = int64(burst+j+1) * int64(1-burst%4)
					}
				}
				s.Node.Update(changed...)
			}
			time.Sleep(*stoppedFor / bursts)
			s.until("end of a burst", time.Minute, func() bool { return s.Node.Counters().UpdatesSent >= expected && s.Listener.Unread() == 0 })
			if burst%(bursts/10) == 0 {
				most = max(most, heap())
			}
		}
		if did := s.Node.Counters(); did.StreamsOpened != 1 || did.StreamsDropped > 0 || s.Listener.Waits() > 0 {
			t.Errorf("the socket was not drained: the service had to wait %d times, %+v", s.Listener.Waits(), did)
		}
		if grown := max(most, heap()) - before; grown > 8<<20 { // the updates alone would take 12 MiB
			t.Errorf("%d bytes more are in use", grown)
		}
		s.Shows("+1.019") // nothing was drawn
		s.ResumeOutput()
		began := time.Now()
		s.until("newest state", time.Minute, func() bool {
			got, want := s.shownAndExpected()
			return slices.Equal(got, want)
		})
		s.Shows("LIVE")
		took := time.Since(began)
		s.Type("e", "/", "event:flipped", "enter")
		s.until("every flip among the events, once", time.Minute, func() bool {
			return strings.Contains(s.Screen(), " 4,980 events of 5,020 ") // 20 rows were opened and then reduced
		})
		t.Logf("after %s and %d updates: %d KiB more in use, the newest state after %s", *stoppedFor, updates, (max(most, heap())-before)>>10, took)
	})
}

// until waits for something, in real time.
func (s *dashboardTest) until(what string, within time.Duration, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(within); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("no %s: %+v\n%s", what, s.Node.Counters(), s.Screen())
		}
	}
}

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
