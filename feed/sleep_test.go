package feed

import (
	"sync/atomic"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model/modeltest"
)

// TestAfterASleepAllRowsAreComparedAtOnce: the connection may have lost updates meanwhile. Without a sleep, the next
// audit comes minutes later.
func TestAfterASleepAllRowsAreComparedAtOnce(t *testing.T) {
	for _, slept := range []time.Duration{0, time.Hour} {
		var set atomic.Int64
		clock := func() time.Time { return modeltest.Set(time.Now(), time.Duration(set.Load())) }
		playWith(t, sim.Config{}, Config{now: clock}, func(s *trial) {
			s.node.Put(held("network", "b", 1), held("network", "c", 1))
			s.watch("network", "")
			s.after(time.Minute)
			streams := len(s.streams())
			set.Store(int64(slept))
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

// TestAfterASleepTheServiceIsCheckedAtOnce, also if the stream has just sent a message.
func TestAfterASleepTheServiceIsCheckedAtOnce(t *testing.T) {
	var set atomic.Int64
	clock := func() time.Time { return modeltest.Set(time.Now(), time.Duration(set.Load())) }
	playWith(t, sim.Config{}, Config{now: clock}, func(s *trial) {
		s.watch("network", "")
		s.after(5 * time.Second)
		set.Store(int64(time.Hour))
		s.node.Update(held("network", "b", 1))
		s.after(time.Second) // an audit may come before
		if got := s.probes(); got != 1 {
			t.Errorf("%d checks, want 1", got)
		}
	})
}
