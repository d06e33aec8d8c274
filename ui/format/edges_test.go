package format

import (
	"math"
	"testing"
	"time"
)

// TestSpans: two spans that differ by a second, or from an hour on by a minute, are not the same text.
func TestSpans(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 59*time.Second + 999*time.Millisecond: "59s", time.Minute: "1m", 90 * time.Second: "1m30s",
		time.Hour: "1h", 2*time.Hour + 5*time.Minute + 6*time.Second: "2h5m", 47*time.Hour + 59*time.Minute: "47h59m",
		48 * time.Hour: "2d0h", 76 * time.Hour: "3d4h", math.MaxInt64: "106751d23h",
	} {
		if got := Span(d); got != want {
			t.Errorf("Span(%d) is %s, want %s", d, got, want)
		}
	}
}

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
