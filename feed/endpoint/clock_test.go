package endpoint

import (
	"net/http"
	"testing"
	"time"

	"blotter/feed/sim"
)

// offsetIs asserts how the clock of the first address differs from this machine's, to half a second.
func (s *scene) offsetIs(when string, want time.Duration) {
	s.Helper()
	if got := s.pool.ClockOffset(oneTest); (got - want).Abs() > time.Second/2 {
		s.Errorf("%s: the clocks differ by %s, want %s", when, got, want)
	}
}

// heldBackIs opens a stream, closes it, and asserts for how long its response was held back, to a second.
func (s *scene) heldBackIs(want time.Duration) {
	s.Helper()
	stream := openStream(s)
	stream.lease.Healthy()
	stream.Close()
	stream.lease.Release(nil)
	if held := stream.HeldBackFor(); (held - want).Abs() > time.Second {
		s.Errorf("held back for %s, want %s", held, want)
	}
}

func TestDatesThatShowNothing(t *testing.T) {
	const ofThePast = "Fri, 31 Dec 1999 12:00:00 GMT"
	for _, header := range []http.Header{{"Date": nil}, {"Date": {"soon"}}, {"Date": {ofThePast}, "Age": {"600"}}} {
		playBefore(t, []http.Handler{respondingWith(func() http.Header { return header })}, Config{}, func(s *scene) {
			openStream(s).Close()
			s.offsetIs("no date", 0)
		})
	}
}

// TestDateWithinItsRequest: a response that was held back, or that took long, has an old date. That is not a difference
// of the clocks.
func TestDateWithinItsRequest(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetProxy(sim.Proxy{Hold: 25 * time.Second})
		s.heldBackIs(24 * time.Second)
		s.offsetIs("a snapshot that was held back for 25 s", 0)
		s.node.SetProxy(sim.Proxy{Hold: 1200 * time.Millisecond})
		stream := openStream(s)
		if held := stream.HeldBackFor(); held != 0 {
			s.Errorf("held back for %s, which is too little to be sure", held)
		}
		stream.lease.Healthy()
		stream.Close()
		stream.lease.Release(nil)
		s.node.SetProxy(sim.Proxy{})
		s.after(250 * time.Millisecond)
		s.heldBackIs(0)
		s.offsetIs("at once, in the middle of a second", 0)
	})
}

// TestClockIsMeasuredAgain: each response shows the difference of the clocks, whichever of them was set.
func TestClockIsMeasuredAgain(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.page()
		s.offsetIs("at first", 0)
		for _, ahead := range []time.Duration{time.Hour, -time.Hour, 3 * time.Second, 0} {
			s.node.SetClock(ahead)
			s.after(1300 * time.Millisecond)
			s.page()
			s.offsetIs("a page", ahead)
			s.after(1700 * time.Millisecond)
			s.node.SetProxy(sim.Proxy{Hold: 9 * time.Second})
			s.heldBackIs(8 * time.Second)
			s.node.SetProxy(sim.Proxy{})
			s.offsetIs("a stream that was held back, after the page", ahead)
		}
		s.node.SetClock(time.Minute)
		if _, err := s.pool.Verify(s.Context(), oneTest, time.Now()); err != nil {
			t.Error(err)
		}
		s.offsetIs("a check", time.Minute)
		s.node.SetClock(2 * time.Minute)
		s.node.SetMarginResponse(1, sim.Response{Status: 500, Body: "broken"})
		_ = s.pageError()
		s.offsetIs("a page that failed", 2*time.Minute)
	})
}
