package command

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// minThreads is how many threads run Go code at the same time, also with fewer processors. When all are busy, the
// kernel runs a thread that waits for a key within a few milliseconds after it is pressed; in Go's scheduler a
// goroutine waits ten or more.
const minThreads = 4

// An idle program has one thread: each tick of Bubble Tea's timer would wake a second one, which finds nothing to do.
// Without that, -bench Idle takes 1.4 times as much.
const (
	idleAfter  = 5 * time.Second // without a garbage collection
	idleMemory = 32 << 20        // bytes: with more rows, some work takes so long that a key would wait for it
)

// paceThreads sets how many threads run Go code at the same time, until ctx ends. The program is idle if the garbage
// collector has not run between two ticks and at most limit bytes are live. Afterwards there are as many threads as
// before: the next screen begins with them.
func paceThreads(ctx context.Context, ticks <-chan time.Time, limit uint64) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	busy := max(minThreads, before)
	var collections atomic.Int64
	defer afterCollections(func() {
		collections.Add(1)
		runtime.GOMAXPROCS(busy)
	})()
	for counted := collections.Load(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		now := collections.Load()
		if now == counted && liveMemory() <= limit {
			runtime.GOMAXPROCS(1)
		}
		counted = now
	}
}
