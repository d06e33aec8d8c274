package feed

import (
	"testing"
	"time"
)

// TestBatchesFollowTheTimeThatTheyTake has a screen that takes some time for each batch, and some for each update.
func TestBatchesFollowTheTimeThatTheyTake(t *testing.T) {
	for _, c := range []struct {
		name               string
		perBatch, perRow   time.Duration
		atLeast, atMost    int // updates in a batch, in the end
		leastUpdatesSecond int
	}{
		{"a fast screen gets large batches", 0, 100 * time.Nanosecond, mostBatch, mostBatch, 5_000_000},
		{"a batch takes about 4 ms", 0, 2 * time.Microsecond, 1024, 2048, 400_000},
		{"a slow screen is not slower because of small batches", 10 * time.Millisecond, time.Microsecond, leastBatch, leastBatch, 90_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, now := batchSize{updates: leastBatch}, time.Now()
			began, updates := now, 0
			for range 100 {
				b.requested(now)
				b.delivered(now, true, time.Second/60)
				updates += b.updates
				now = now.Add(c.perBatch + time.Duration(b.updates)*c.perRow)
			}
			if b.updates < c.atLeast || b.updates > c.atMost {
				t.Errorf("a batch has %d updates, want %d to %d", b.updates, c.atLeast, c.atMost)
			}
			if inSecond := float64(updates) / now.Sub(began).Seconds(); inSecond < float64(c.leastUpdatesSecond) {
				t.Errorf("the screen gets %.0f updates a second, want at least %d", inSecond, c.leastUpdatesSecond)
			}
		})
	}
}
