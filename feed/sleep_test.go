package feed

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"blotter/feed/sim"
)

// sleepingClock is the clock of a machine that has slept: the monotonic clock has stood still meanwhile.
type sleepingClock struct {
	slept atomic.Int64 // in nanoseconds
}

// Now returns a time that has both clocks. In a bubble, package time makes none, so it is written into the memory of a
// time.Time: the seconds since 1885 and the nanoseconds, then the monotonic clock.
func (c *sleepingClock) Now() time.Time {
	type layout struct {
		wall uint64
		ext  int64
		loc  *time.Location
	}
	const hasMonotonic, bitsOfNanoseconds = 1 << 63, 30
	awake := time.Now()
	now := awake.Add(time.Duration(c.slept.Load()))
	since1885 := now.Unix() - time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	at := (*layout)(unsafe.Pointer(&now))
	at.wall = hasMonotonic | uint64(since1885)<<bitsOfNanoseconds | uint64(now.Nanosecond())
	at.ext = awake.Sub(time.Unix(0, 0)).Nanoseconds()
	return now
}

// TestAfterASleepAllRowsAreComparedAtOnce: the connection may have lost updates meanwhile. Without a sleep, the next
// audit comes minutes later.
func TestAfterASleepAllRowsAreComparedAtOnce(t *testing.T) {
	for _, slept := range []time.Duration{0, time.Hour} {
		c := new(sleepingClock)
		playWith(t, sim.Config{}, Config{now: c.Now}, func(s *trial) {
			s.node.Put(held("network", "b", 1), held("network", "c", 1))
			s.watch("network", "")
			s.after(time.Minute)
			streams := len(s.streams())
			c.slept.Store(int64(slept))
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
