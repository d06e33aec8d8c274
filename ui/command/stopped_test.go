package command

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestStoppedTerminal: while it takes no output, the socket is read all the same, and what piles up is bounded
// by the rows and not by the updates. It takes real time: a program that waits for its terminal stops the time of a bubble.
func TestStoppedTerminal(t *testing.T) {
	desks := twoDesks()
	// The machine may be busy: the service waits for its reader, for longer than any buffer would hide one that sleeps.
	desks.service.Limits = sim.Limits{Patience: time.Minute, Backlog: 100}
	desks.feed.Times.AuditEvery = -1
	desks.perform(t, func() {}, func(s *show) {
		changed := many(20)
		s.Node.Update(changed...)
		s.until("rows", func() bool { return strings.Contains(s.Screen(), "20 open") })
		before := heap()
		s.StopOutput()
		const updates = 100_000
		for i := range updates / len(changed) {
			for j := range changed {
				changed[j].OpenVolume = int64(7*i + j + 2)
			}
			s.Node.Update(changed...)
		}
		s.until("end of updates", func() bool { return s.Node.Counters().UpdatesSent >= updates })
		if did := s.Node.Counters(); did.StreamsOpened != 1 || did.StreamsDropped > 0 {
			t.Errorf("the socket was not drained: %+v", did)
		}
		if grown := heap() - before; grown > 4<<20 {
			t.Errorf("%d bytes more are in use", grown)
		}
		s.Shows("+1.019") // nothing was drawn
		s.ResumeOutput()
		s.until("truth", func() bool {
			got, want := s.rowsAndTruth()
			return slices.Equal(got, want)
		})
		s.Shows("LIVE")
	})
}

// until waits for something, in real time.
func (s *show) until(what string, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
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
