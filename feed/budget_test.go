package feed

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// largePage returns a whole snapshot of one message, of 3 MiB.
func largePage() string {
	return `{"padding":"` + strings.Repeat("x", 3<<20) + `",` + strings.TrimPrefix(pageText(true, rowText("network", "a", 1, 1)), "{")
}

// TestStreamsThatEndGiveTheirMemoryBack: what large messages take of the memory that all of them share does not count
// after the end of their stream, also if they were half read or wait.
func TestStreamsThatEndGiveTheirMemoryBack(t *testing.T) {
	large := largePage()
	for name, text := range map[string]string{
		"half a message":            large[:len(large)-100],
		"a message with an error":   strings.TrimSuffix(large, "}\n") + `,"error":{"message":"no"}}`,
		"a message that is no JSON": large[:len(large)-100] + "!",
	} {
		t.Run(name, func(t *testing.T) {
			config := Config{Limits: Limits{MessageBytes: 16 << 20, BufferBytes: 8 << 20}}
			playWith(t, sim.Config{}, config, func(s *trial) {
				s.node.SetStreamResponse(4, sim.Response{Status: 200, Body: text})
				s.node.SetStreamResponse(1, openResponse(large))
				s.watch("", "")
				s.after(time.Minute)
				s.is(model.Live, model.FreshQuiet)
				if got := s.link(); got.Tries != 5 {
					t.Errorf("%d tries, with %+v", got.Tries, got.Problem)
				}
			})
		})
	}
}

// TestASubscriptionThatEndsGivesItsMemoryBack while a large message waits for the rest of it.
func TestASubscriptionThatEndsGivesItsMemoryBack(t *testing.T) {
	large := largePage()
	config := Config{Limits: Limits{MessageBytes: 16 << 20, BufferBytes: 8 << 20}}
	playWith(t, sim.Config{}, config, func(s *trial) {
		s.node.SetStreamResponse(4, openResponse(large[:len(large)-100]))
		s.node.SetStreamResponse(1, openResponse(large))
		for range 5 {
			s.watchAgain()
			s.watch("", "")
		}
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 1")
	})
}

// TestMessagesThatWaitGiveTheirMemoryBack if their subscription ends before they are handled, also the one that has no
// room beside the others.
func TestMessagesThatWaitGiveTheirMemoryBack(t *testing.T) {
	const ahead = 128 // messages are read before they are handled
	var busy atomic.Pointer[chan struct{}]
	config := Config{Limits: Limits{MessageBytes: 16 << 20, BufferBytes: 8 << 20}, now: func() time.Time {
		if until := busy.Load(); until != nil {
			<-*until
		}
		return time.Now()
	}}
	large := largePage()
	playWith(t, sim.Config{}, config, func(s *trial) {
		for _, before := range []int{ahead - 1, ahead - 1, ahead, ahead} {
			s.watch("", "")
			s.isLive()
			until := make(chan struct{})
			busy.Store(&until)
			s.node.Update(held("network", "b", 1))
			s.takeAll()
			s.node.Raw([]byte(strings.Repeat(updateText(rowText("network", "b", 2, now(0))), before) + large))
			s.takeAll()
			s.watchAgain()
			busy.Store(nil)
			close(until)
			s.takeAll()
		}
		s.node.SetStreamResponse(1, openResponse(large))
		s.watch("", "")
		s.isLive()
		s.rows("network/a 1", "network/b 1") // which was watched just now
	})
}
