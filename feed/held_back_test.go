package feed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

const heldBack = "a proxy seems to hold back the stream: 8 KiB came, and not the rest of a message"

// rowsOf gives the service a party with the given number of positions.
func (s *trial) rowsOf(party string, positions int) {
	for i := range positions {
		s.node.Put(held(party, fmt.Sprintf("%064x", i+1), int64(i+1)))
	}
}

// TestAProxyThatHoldsBackASnapshot shows itself within seconds, by the bytes that came. It is still the problem when
// the stream was opened again, until the snapshot comes.
func TestAProxyThatHoldsBackASnapshot(t *testing.T) {
	play(t, func(s *trial) {
		s.rowsOf("a1", 30)
		s.node.SetProxy(sim.Proxy{Buffer: 8 << 10})
		s.watch("a1", "")
		s.problemIs("")
		s.after(4 * time.Second)
		s.is(model.Connecting, model.FreshConnecting)
		s.problemIs(heldBack)
		for _, words := range []string{"proxy_buffering off", "X-Accel-Buffering: no"} {
			if advice := s.link().Problem.Advice; !strings.Contains(advice, words) {
				t.Errorf("the advice is %q", advice)
			}
		}
		s.after(time.Minute)
		s.problemIs(heldBack)
		if s.link().Tries < 2 {
			t.Error("the stream was not opened again")
		}
		s.node.SetProxy(sim.Proxy{})
		s.after(time.Minute)
		s.isLive()
		s.sameAsService()
	})
}

// TestHalfAMessageOfAnotherSizeIsNotHeldBack: a service that hangs stops anywhere.
func TestHalfAMessageOfAnotherSizeIsNotHeldBack(t *testing.T) {
	for _, c := range []struct {
		bytes int
		held  bool
	}{
		{2000, false}, {3500, true}, {4096, true}, {4097, false}, {6000, false}, {8192 - 300, true}, {12288, true}, {13000, false},
	} {
		play(t, func(s *trial) {
			text := `{"result":{"snapshot":{"positions":[{"marketId":"` + strings.Repeat("a", 20_000)
			s.node.SetStreamResponse(sim.Always, openResponse(text[:c.bytes]))
			s.watch("a1", "")
			s.after(40 * time.Second)
			if problem := s.link().Problem; problem == nil || problem.HeldBack != c.held {
				t.Errorf("%d bytes: the problem is %+v", c.bytes, problem)
			}
			s.node.SetStreamResponse(0, sim.Response{})
		})
	}
}

// TestAProxyThatHoldsBackAnUpdate of a stream whose snapshot was whole.
func TestAProxyThatHoldsBackAnUpdate(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.rowsOf("a1", 30)
		s.node.SetProxy(sim.Proxy{Buffer: 8 << 10})
		s.watch("a1", "")
		s.node.Update(s.node.Positions()...)
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.after(25 * time.Second)
		s.node.SetStreamResponse(sim.Always, sim.Response{})
		s.after(15 * time.Second)
		if problem := s.link().Problem; problem == nil || !problem.HeldBack || s.link().Phase == model.Live {
			t.Errorf("%s, and the problem is %+v", s.link().Phase, problem)
		}
		s.node.SetStreamResponse(0, sim.Response{})
	})
}

// TestAllStreamsAreHeldBack if one shows it and the others have sent nothing: of a small snapshot nothing comes.
func TestAllStreamsAreHeldBack(t *testing.T) {
	play(t, func(s *trial) {
		s.rowsOf("a1", 30)
		s.rowsOf("a2", 3)
		s.node.SetProxy(sim.Proxy{Buffer: 8 << 10})
		s.watch("a1 a2", "")
		for range 300 { // until the larger one is opened
			s.after(time.Second)
			problem := func(i int) bool { return s.links[i].Problem != nil && s.links[i].Problem.HeldBack }
			switch is := model.AreHeldBack(s.links, time.Now()); {
			case is && !problem(0) || problem(1):
				t.Fatalf("the links are %+v", s.links)
			case is:
				s.node.SetProxy(sim.Proxy{})
				s.after(time.Minute)
				s.isLive()
				if model.AreHeldBack(s.links, time.Now()) {
					t.Error("all have come")
				}
				return
			}
		}
		t.Errorf("the links are %+v", s.links)
	})
}
