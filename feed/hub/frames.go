package hub

import (
	"runtime"
	"sync"
	"time"
)

// A session gets as many Deltas a second as leave the processors free for keys: a key of a trader waits for the same
// processors as the frames of all screens, and a late key hurts more than late numbers.
const (
	mostFrames   = 20 // a second
	fewestFrames = 2

	// frameTime is about how much time of a processor a frame takes, from the book to the bytes of a screen of 160x50.
	frameTime   = 5 * time.Millisecond
	frameShare  = 3                     // all screens together take a third of the processors, or less
	lateFrame   = 10 * time.Millisecond // after its time: then the processors are busy
	lateShare   = 20                    // if more than one frame in 20 is late, there are fewer from then on
	framesCheck = time.Second
	restsFor    = 5 // checks in a row without more than that, before there is one more
)

// frames is how often sessions get their Deltas, in times a second.
type frames struct {
	mu        sync.Mutex
	most      int // with the sessions that there are
	perSecond int
	rested    int       // checks in a row without many late frames
	since     time.Time // frames are counted from then on
	count     int
	late      int
}

func newFrames() *frames { return &frames{most: mostFrames, perSecond: mostFrames} }

// share sets how many sessions share the processors.
func (f *frames) share(sessions int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	affordable := time.Duration(runtime.GOMAXPROCS(0)) * time.Second / (frameShare * frameTime * time.Duration(max(sessions, 1)))
	f.most = max(min(int(affordable), mostFrames), fewestFrames)
	f.perSecond = min(f.perSecond, f.most)
}

// length returns the time between two Deltas now. A second has a whole number of them.
func (f *frames) length() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Second / time.Duration(f.perSecond)
}

// note notes that a session, which waited until its Delta was due, goes on now.
func (f *frames) note(due, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if now.Sub(due) > lateFrame {
		f.late++
	}
	if now.Sub(f.since) < framesCheck {
		return
	}
	if f.late*lateShare > f.count {
		f.perSecond, f.rested = max(f.perSecond-max(f.perSecond/5, 1), fewestFrames), 0
	} else if f.rested++; f.rested == restsFor {
		f.perSecond, f.rested = min(f.perSecond+1, f.most), 0
	}
	f.since, f.count, f.late = now, 0, 0
}
