package record

import (
	"container/heap"
	"time"

	"blotter/feed/clock"
)

// The speeds of a replay.
const (
	MinSpeed = 0.125
	MaxSpeed = 1024
)

// tooLate is by how much a replay may be behind its speed and still catch up. Beyond that, it continues from where it
// is.
const tooLate = 100 * time.Millisecond

// timeline is the clock of a replay. It does not pass what has not been played. The lock of Replay guards it.
type timeline struct {
	at     time.Time // the time of the replay at since
	since  time.Time // by the clock of the machine
	limit  time.Time // what is played next
	speed  float64
	paused bool
	until  time.Time // all before this is played at once
	step   bool      // play at once, until something has changed
	timers timers
}

// now returns the time of the replay.
func (t *timeline) now() time.Time {
	if t.paused || t.playsAtOnce() {
		return t.at
	}
	at := t.at.Add(time.Duration(float64(time.Since(t.since)) * t.speed))
	if at.After(t.limit) {
		return t.limit
	}
	return at
}

// playsAtOnce reports whether what is next is played at once.
func (t *timeline) playsAtOnce() bool { return t.step || t.until.After(t.at) }

// rebase continues the clock from its current time.
func (t *timeline) rebase() { t.at, t.since = t.now(), time.Now() }

// left returns how long to wait, by the clock of the machine, for a time of the replay.
func (t *timeline) left(at time.Time) time.Duration {
	return time.Duration(float64(at.Sub(t.at))/t.speed) - time.Since(t.since)
}

// reach sets the clock to a time that was waited for, or that is skipped to.
func (t *timeline) reach(at time.Time) {
	late := -t.left(at)
	if at.After(t.limit) {
		t.limit = at
	}
	if t.playsAtOnce() || t.paused || late > tooLate || t.now().Before(at) {
		t.at, t.since = at, time.Now()
	}
}

// timers are the timers of a timeline, as a heap: the first is the next.
type timers []*replayTimer

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].at.Before(t[j].at) }
func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].index, t[j].index = i, j
}

// Push implements heap.Interface.
func (t *timers) Push(timer any) {
	added := timer.(*replayTimer)
	added.index = len(*t)
	*t = append(*t, added)
}

// Pop implements heap.Interface.
func (t *timers) Pop() any {
	last := (*t)[len(*t)-1]
	(*t)[len(*t)-1] = nil
	*t = (*t)[:len(*t)-1]
	last.index = -1
	return last
}

// replayTimer is a timer by the clock of a replay.
type replayTimer struct {
	replay *Replay
	at     time.Time
	index  int // in timers; -1 if it does not run
	c      chan time.Time
	do     func()
}

// NewTimer returns a timer that sends once on its channel after d.
func (r *Replay) NewTimer(d time.Duration) clock.Timer {
	return r.startTimer(&replayTimer{replay: r, index: -1, c: make(chan time.Time, 1)}, d)
}

// AfterFunc returns a timer that calls do in its own goroutine after d.
func (r *Replay) AfterFunc(d time.Duration, do func()) clock.Timer {
	return r.startTimer(&replayTimer{replay: r, index: -1, do: do}, d)
}

func (r *Replay) startTimer(t *replayTimer, d time.Duration) clock.Timer {
	t.Reset(d)
	return t
}

func (t *replayTimer) C() <-chan time.Time { return t.c }

func (t *replayTimer) Reset(d time.Duration) bool {
	r := t.replay
	r.mu.Lock()
	defer r.mu.Unlock()
	ran := t.stop()
	t.at = r.timeline.now().Add(max(d, 0))
	heap.Push(&r.timeline.timers, t)
	if t.index == 0 {
		r.changed()
	}
	return ran
}

func (t *replayTimer) Stop() bool {
	t.replay.mu.Lock()
	defer t.replay.mu.Unlock()
	return t.stop()
}

// stop stops the timer, and takes back what it has sent. The lock is held.
func (t *replayTimer) stop() bool {
	ran := t.index >= 0
	if ran {
		heap.Remove(&t.replay.timeline.timers, t.index)
	}
	select {
	case <-t.c:
	default:
	}
	return ran
}

// fire ends the timer. The lock is held.
func (t *replayTimer) fire() {
	if t.do != nil {
		go t.do()
		return
	}
	select {
	case t.c <- t.at:
	default:
	}
}
