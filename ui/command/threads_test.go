package command

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

// TestAnIdleProgramHasOneThread checks that there is one thread while the garbage collector does not run, and more
// again once it has run.
func TestAnIdleProgramHasOneThread(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	ctx, cancel := context.WithCancel(t.Context())
	ticks := make(chan time.Time)
	var pacing sync.WaitGroup
	pacing.Go(func() { paceThreads(ctx, ticks) })
	defer pacing.Wait()
	defer cancel()
	for range 3 { // the loop has handled a tick when it takes the next one
		ticks <- time.Time{}
	}
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("%d threads while nothing happens, with %d bytes", n, liveMemory())
	}
	for range 100 {
		collected := make(chan struct{})
		runtime.AddCleanup(new(garbage), func(collected chan struct{}) { close(collected) }, collected)
		runtime.GC()
		<-collected
		if runtime.GOMAXPROCS(0) >= minThreads {
			return
		}
	}
	t.Errorf("%d threads after collections, want %d at least", runtime.GOMAXPROCS(0), minThreads)
}
