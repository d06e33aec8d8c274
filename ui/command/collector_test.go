package command

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestGrowthPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{
		{0, 1600}, {8 << 20, 200}, {64 << 20, 25}, {300 << 20, minGrowthPercent}, {1 << 40, minGrowthPercent},
	} {
		if got := growthPercent(c.live); got != c.want {
			t.Errorf("%d bytes may grow by %d percent, want %d", c.live, got, c.want)
		}
	}
}

// TestCollectorIsPaced checks that the percent follows the memory after a collection.
func TestCollectorIsPaced(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	runtime.GC()
	defer paceCollector()()
	kept := make([]byte, 128<<20)
	for range 100 {
		collected := make(chan struct{})
		runtime.AddCleanup(new(garbage), func(collected chan struct{}) { close(collected) }, collected)
		runtime.GC()
		<-collected
		if percent() == minGrowthPercent {
			runtime.KeepAlive(kept)
			return
		}
	}
	t.Errorf("the memory may grow by %d percent with %d bytes, want %d", percent(), len(kept), minGrowthPercent)
}

// percent returns by how many percent the memory may grow now.
func percent() uint64 {
	gogc := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(gogc)
	return gogc[0].Value.Uint64()
}
