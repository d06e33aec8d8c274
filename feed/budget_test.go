package feed

import (
	"strings"
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
