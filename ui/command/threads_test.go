package command

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

// idleThreads paces the threads of a program that is idle, until end is called. There is no limit of the memory: other
// tests may have left any amount.
func idleThreads(t *testing.T) (end func()) {
	runtime.GC()
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	ctx, cancel := context.WithCancel(t.Context())
	ticks := make(chan time.Time)
	var pacing sync.WaitGroup
	pacing.Go(func() { paceThreads(ctx, ticks, math.MaxUint64) })
	for range 3 { // the loop has handled a tick when it takes the next one
		ticks <- time.Time{}
	}
	return func() { cancel(); pacing.Wait() }
}

// TestThreadsAfterAScreen checks that a screen that was idle leaves as many threads as it found.
func TestThreadsAfterAScreen(t *testing.T) {
	const before = minThreads + 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(before))
	end := idleThreads(t)
	end()
	if n := runtime.GOMAXPROCS(0); n != before {
		t.Errorf("%d threads after an idle screen, %d before it", n, before)
	}
}

// TestAnIdleProgramHasOneThread checks that there is one thread while the garbage collector does not run, and more
// again once it has run.
func TestAnIdleProgramHasOneThread(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	end := idleThreads(t)
	defer end()
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("%d threads while nothing happens, with %d bytes", n, liveMemory())
	}
	for range 100 {
		collected := make(chan struct{})
		runtime.AddCleanup(new(garbage), func(collected chan struct{}) { close(collected) }, collected)
		runtime.GC()
		<-collected
		runtime.Gosched() // another collection at once would be begun before the threads are set
		if runtime.GOMAXPROCS(0) >= minThreads {
			return
		}
	}
	t.Errorf("%d threads after collections, want %d at least", runtime.GOMAXPROCS(0), minThreads)
}
