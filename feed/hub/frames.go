package hub

import (
	"sync"
	"time"
)

// The time between two Deltas of a session follows how busy the processors are: a key of a trader waits for the same
// processors as the frames of all screens, and a trader sees that a key is late sooner than that numbers are.
const (
	longestFrame = time.Second / 2
	framesEvery  = time.Second          // how often it is set
	lateFrames   = 4 * time.Millisecond // on average: then the frames get longer, else shorter
	longerBy     = 5                    // a part of the frame: a fifth
	shorterBy    = 20
)

// frames is the time between two Deltas of a session.
type frames struct {
	shortest time.Duration

	mu    sync.Mutex
	frame time.Duration
	since time.Time     // Deltas are counted from then on
	late  time.Duration // how late they were, together
	count int
}

func newFrames(shortest time.Duration) *frames { return &frames{shortest: shortest, frame: shortest} }

// length returns the time between two Deltas now.
func (f *frames) length() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.frame
}

// note notes that a session, which waited for the time of its Delta, went on now. It was late because the processors
// were busy.
func (f *frames) note(due, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.late, f.count = f.late+now.Sub(due), f.count+1
	if now.Sub(f.since) < framesEvery {
		return
	}
	if f.late/time.Duration(f.count) > lateFrames {
		f.frame = min(f.frame+f.frame/longerBy, max(longestFrame, f.shortest))
	} else {
		f.frame = max(f.frame-f.frame/shorterBy, f.shortest)
	}
	f.since, f.late, f.count = now, 0, 0
}
