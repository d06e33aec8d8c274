package record

import "time"

// Now returns the time of the replay.
func (r *Replay) Now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.timeline.now()
}

// control changes the pace of the replay. At its end nothing can be changed.
func (r *Replay) control(change func(t *timeline)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.timeline.rebase()
	change(&r.timeline)
	r.changed()
	r.pages.changed.Broadcast()
}

// Pause stops the clock, or starts it again.
func (r *Replay) Pause(paused bool) { r.control(func(t *timeline) { t.paused = paused }) }

// Step plays up to the next bytes of a stream, and stops the clock there.
func (r *Replay) Step() { r.control(func(t *timeline) { t.paused, t.step = true, true }) }

// SetSpeed sets how much faster than it was recorded the recording is played, from MinSpeed to MaxSpeed.
func (r *Replay) SetSpeed(speed float64) {
	r.control(func(t *timeline) { t.speed = min(max(speed, MinSpeed), MaxSpeed) })
}

// Skip plays everything before a time at once. A time that is over changes nothing.
func (r *Replay) Skip(to time.Time) { r.control(func(t *timeline) { t.until = to }) }

// State returns the speed, whether the clock is stopped, and whether all is played.
func (r *Replay) State() (speed float64, paused, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.timeline.speed, r.timeline.paused, r.over
}
