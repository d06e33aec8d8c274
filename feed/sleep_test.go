package feed

import (
	"testing"
	"time"

	"blotter/feed/feedtest"
	"blotter/feed/sim"
)

// TestAfterASleepAllRowsAreComparedAtOnce: the connection may have lost updates meanwhile. Without a sleep, the next
// audit comes minutes later.
func TestAfterASleepAllRowsAreComparedAtOnce(t *testing.T) {
	for _, slept := range []time.Duration{0, time.Hour} {
		c := new(feedtest.Clock)
		playWith(t, sim.Config{}, Config{now: c.Now}, func(s *trial) {
			s.node.Put(held("network", "b", 1), held("network", "c", 1))
			s.watch("network", "")
			s.after(time.Minute)
			streams := len(s.streams())
			c.Set.Store(int64(slept))
			s.node.SetClock(slept)
			s.node.Put(held("network", "b", 2)) // not sent
			s.node.Update(held("network", "c", 2))
			s.after(time.Second)
			want := []string{"network/b 1", "network/c 2"}
			if slept > 0 {
				streams++
				want[0] = "network/b 2"
			}
			if got := len(s.streams()); got != streams {
				t.Errorf("%d streams after a sleep of %s, want %d", got, slept, streams)
			}
			s.rows(want...)
		})
	}
}
