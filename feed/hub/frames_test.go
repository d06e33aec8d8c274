package hub

import (
	"testing"
	"time"
)

// TestFramesAreLongerWhileProcessorsAreBusy, and as short as before a while after that.
func TestFramesAreLongerWhileProcessorsAreBusy(t *testing.T) {
	f, now := newFrames(50*time.Millisecond), time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	after := func(seconds int, late time.Duration) time.Duration {
		for range 30 * seconds {
			due := now
			f.note(due, now.Add(late))
			now = now.Add(time.Second / 30)
		}
		return f.length()
	}
	for _, c := range []struct {
		seconds   int
		late      time.Duration
		from, to  time.Duration
		situation string
	}{
		{60, time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond, "at rest"},
		{5, 20 * time.Millisecond, 100 * time.Millisecond, 150 * time.Millisecond, "busy"},
		{60, 20 * time.Millisecond, longestFrame, longestFrame, "busy for a minute"},
		{10, 0, 250 * time.Millisecond, 350 * time.Millisecond, "less busy"},
		{60, 0, 50 * time.Millisecond, 50 * time.Millisecond, "at rest again"},
	} {
		if frame := after(c.seconds, c.late); frame < c.from || frame > c.to {
			t.Errorf("%s: a frame each %s, want %s to %s", c.situation, frame, c.from, c.to)
		}
	}
}
