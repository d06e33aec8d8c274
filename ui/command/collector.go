package command

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// minGrowthPercent is by how many percent the memory may grow at least before the garbage collector runs. A million
// rows have few pointers, so it takes little time even if it runs more often than by default. With 15 instead of 30,
// the peak of -bench Million/200000 is a fifteenth lower, and its processors take the same time.
const minGrowthPercent = 15

// minGrowth is by how many bytes the memory may grow at least. With few rows, 15 percent are allocated within a second:
// then the collector would take a third of what -bench Idle measures.
const minGrowth = 16 << 20

// paceCollector sets by how much the memory may grow before the garbage collector runs, now and after each of its runs.
// It does so until stop is called.
func paceCollector() (stop func()) {
	return afterCollections(func() { debug.SetGCPercent(growthPercent(liveMemory())) })
}

// afterCollections calls do now and after each run of the garbage collector, until stop is called.
func afterCollections(do func()) (stop func()) {
	var stopped atomic.Bool
	var next func(struct{})
	next = func(struct{}) {
		if stopped.Load() {
			return
		}
		do()
		runtime.AddCleanup(new(garbage), next, struct{}{})
	}
	next(struct{}{})
	return func() { stopped.Store(true) }
}

// garbage is an object that nothing uses, so its cleanup runs after the next collection. It has a pointer, because the
// runtime may keep small objects without pointers.
type garbage struct{ _ *byte }

// growthPercent returns by how many percent memory of the given number of bytes may grow.
func growthPercent(live uint64) int {
	return max(minGrowthPercent, int(100*minGrowth/max(live, 1<<20)))
}

// liveMemory returns how many bytes the last collection kept, or 0 before the first one.
func liveMemory() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
