package record

import "time"

// clock is the clock of a player. Times are since the start of the recording.
type clock struct {
	at     time.Duration // the time when it was set
	set    time.Time     // when that was; zero if the clock has not started
	speed  float64
	paused bool
	end    time.Duration // where it stops
}

func (c *clock) now() time.Duration {
	at := c.at
	if !c.paused && !c.set.IsZero() {
		at += time.Duration(min(float64(time.Since(c.set))*c.speed, float64(c.end))) // else weeks at a high speed overflow
	}
	return min(at, c.end)
}

// until returns how long the clock needs to a time that is still to come: never if it does not reach that.
func (c *clock) until(at time.Duration) time.Duration {
	if c.paused || c.set.IsZero() || at > c.end {
		return never
	}
	return time.Duration(float64(at-c.now())/c.speed) + 1
}

func (c *clock) move(to time.Duration) { c.at, c.set = to, time.Now() }

// Now returns the time of the replay.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tape.header.Start.Add(p.clock.now())
}

// control changes the clock, or what is requested.
func (p *Player) control(change func(c *clock)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock.move(p.clock.now())
	change(&p.clock)
	p.wake()
}

// Pause stops the clock, or starts it again.
func (p *Player) Pause(paused bool) { p.control(func(c *clock) { c.paused = paused }) }

// SetSpeed sets the speed, from MinSpeed to MaxSpeed; 1 is that of the recording.
func (p *Player) SetSpeed(speed float64) {
	p.control(func(c *clock) { c.speed = min(max(speed, MinSpeed), MaxSpeed) })
}

// Step goes to the next change of a position, or with -1 to the state before the last one, and stops the clock there.
// Changes within a millisecond are one. If there is none, it only stops the clock. It does not wait: the next Delta
// shows it. A jump that is requested comes first.
func (p *Player) Step(direction int) {
	p.control(func(c *clock) {
		c.paused = true
		p.step = direction
	})
}

// Jump goes to a time, forward or back. It does not wait: the next Delta has Restart and all rows of that time. Before
// that, Now returns that time already.
func (p *Player) Jump(to time.Time) {
	p.control(func(c *clock) {
		at := min(max(to.Sub(p.tape.header.Start), p.tape.from), c.end)
		c.at, p.jumpTo, p.step = at, &at, 0
	})
}

// IsJumping reports whether the rows of the time of a Jump are not read yet.
func (p *Player) IsJumping() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.jumpTo != nil
}

// State returns the speed, whether the clock is stopped, whether all is played, and what is wrong with the recording
// once it is played up to there.
func (p *Player) State() (speed float64, paused, ended bool, problem error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ended, problem = p.clock.now() >= p.clock.end, p.problem
	if ended && problem == nil {
		problem = p.Damage()
	}
	return p.clock.speed, p.clock.paused, ended, problem
}
