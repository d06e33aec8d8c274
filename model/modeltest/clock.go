package modeltest

import (
	"time"
	"unsafe"
)

// Set returns a time as a machine reads it that has slept for so long, or whose wall clock was set by so much: the
// monotonic clock goes on without that. In a bubble, package time makes no times with both clocks, so they are written
// into the memory of a time.Time: the seconds since 1885 and the nanoseconds, then the monotonic clock.
func Set(monotonic time.Time, by time.Duration) time.Time {
	type layout struct {
		wall uint64
		ext  int64
		loc  *time.Location
	}
	const hasMonotonic, bitsOfNanoseconds = 1 << 63, 30
	now := monotonic.Add(by)
	since1885 := now.Unix() - time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	at := (*layout)(unsafe.Pointer(&now))
	at.wall = hasMonotonic | uint64(since1885)<<bitsOfNanoseconds | uint64(now.Nanosecond())
	at.ext = monotonic.Sub(time.Unix(0, 0)).Nanoseconds()
	return now
}
