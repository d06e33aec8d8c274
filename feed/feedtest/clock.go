package feedtest

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// Clock is the clock of a machine that has slept, or whose wall clock was set. The monotonic clock has neither.
type Clock struct {
	Set atomic.Int64 // by so many nanoseconds
}

// Now returns a time that has both clocks. In a bubble, package time makes none, so it is written into the memory of a
// time.Time: the seconds since 1885 and the nanoseconds, then the monotonic clock.
func (c *Clock) Now() time.Time {
	type layout struct {
		wall uint64
		ext  int64
		loc  *time.Location
	}
	const hasMonotonic, bitsOfNanoseconds = 1 << 63, 30
	monotonic := time.Now()
	now := monotonic.Add(time.Duration(c.Set.Load()))
	since1885 := now.Unix() - time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	at := (*layout)(unsafe.Pointer(&now))
	at.wall = hasMonotonic | uint64(since1885)<<bitsOfNanoseconds | uint64(now.Nanosecond())
	at.ext = monotonic.Sub(time.Unix(0, 0)).Nanoseconds()
	return now
}
