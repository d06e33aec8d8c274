package hub

import (
	"runtime"
	"testing"
	"time"
)

// TestFewerFramesWhileProcessorsAreBusy, and as many as before a while after that.
func TestFewerFramesWhileProcessorsAreBusy(t *testing.T) {
	f, now := newFrames(), time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	after := func(seconds int, late ...time.Duration) time.Duration {
		for i := range 100 * seconds {
			f.note(now, now.Add(late[i%len(late)]))
			now = now.Add(time.Second / 100)
		}
		return f.length()
	}
	seldom, often := make([]time.Duration, 50), make([]time.Duration, 10)
	seldom[7], often[7] = time.Second, time.Second
	for _, c := range []struct {
		situation string
		frame     time.Duration
		want      time.Duration
	}{
		{"at rest", after(60, time.Millisecond), time.Second / 20},
		{"some are late", after(60, seldom...), time.Second / 20},
		{"more are late", after(3, often...), time.Second / 13},
		{"for a minute", after(60, often...), time.Second / 2},
		{"less busy", after(21, 0), time.Second / 6},
		{"at rest again", after(80, 0), time.Second / 20},
	} {
		if c.frame != c.want {
			t.Errorf("%s: a frame each %s, want %s", c.situation, c.frame, c.want)
		}
	}
}

// TestManySessionsGetFewerFrames, so that their screens leave two thirds of the processors for the rest, and more again
// when there are fewer of them.
func TestManySessionsGetFewerFrames(t *testing.T) {
	f, now := newFrames(), time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		sessionsOfProcessor int
		seconds             int // after they have joined or left
		want                time.Duration
	}{
		{1, 0, time.Second / 20},
		{3, 0, time.Second / 20},
		{15, 0, time.Second / 4},
		{15, 60, time.Second / 4},
		{1000, 0, time.Second / 2},
		{3, 100, time.Second / 20},
	} {
		f.share(c.sessionsOfProcessor * runtime.GOMAXPROCS(0))
		for range c.seconds {
			now = now.Add(time.Second)
			f.note(now, now)
		}
		if f.length() != c.want {
			t.Errorf("%+v: a frame each %s", c, f.length())
		}
	}
}
