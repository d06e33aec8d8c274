package format

import (
	"math"
	"testing"
	"time"
)

// TestDurationsAtTheEdges: the least duration has no opposite, and the largest cannot be rounded up.
func TestDurationsAtTheEdges(t *testing.T) {
	for d, want := range map[time.Duration]string{math.MinInt64: "-106751d", math.MinInt64 + 1: "-106751d", math.MaxInt64: "106751d"} {
		if got := Age(d); got != want {
			t.Errorf("Age(%d) is %s, want %s", d, got, want)
		}
	}
	if got := Ago(math.MinInt64); got != "106751d ahead of the service's clock" {
		t.Errorf("Ago is %s", got)
	}
	if got := Until(math.MaxInt64); got != "106751d" {
		t.Errorf("Until is %s", got)
	}
}
