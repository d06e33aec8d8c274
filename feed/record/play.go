package record

import (
	"cmp"
	"context"
	"math"
	"time"

	"blotter/model"
	"blotter/model/book"
)

const (
	frameTime = 33 * time.Millisecond // at most one Delta in this time
	maxRows   = 4096                  // of updates in a Delta
	never     = 24 * time.Hour        // how long Next waits if the clock is stopped
)

// Next waits for what the recording has next and takes it, at most once in a frame's time. See feed.Feed.Next. If
// the recording cannot be read any more, the clock stops, the Delta has all rows of the last time that was read, and
// State has the error.
func (p *Player) Next(ctx context.Context) (book.Delta, error) {
	for {
		p.mu.Lock()
		changed, wait := p.changed, time.Until(p.next)
		p.mu.Unlock()
		if wait <= 0 {
			delta, due, err := p.advance()
			if err != nil || due == 0 {
				return delta, err
			}
			wait = due
		}
		if err := p.wait(ctx, changed, wait); err != nil {
			return book.Delta{}, err
		}
	}
}

// wait waits for a change or for some time. It returns an error at the end of ctx or of the player.
func (p *Player) wait(ctx context.Context, changed <-chan struct{}, most time.Duration) error {
	select {
	case <-changed:
	case <-time.After(most):
	case <-p.ctx.Done():
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// advance reads what is due. If that is nothing, it returns how long it is until something is; else 0.
func (p *Player) advance() (delta book.Delta, due time.Duration, err error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	next, show := p.takePlan()
	err = show.read(next)
	if p.ctx.Err() != nil {
		return delta, 0, errClosed
	}
	if err != nil {
		show.showAll(p.cursor)
		show.clockTo = max(p.cursor.state.at, p.tape.from)
	}
	delta, ok := show.delta()
	return delta, p.note(next, show, delta.More, ok, err), nil
}

// plan is what the player was asked for: to go to a time, else to step to the change before or after, else to go on
// with the clock.
type plan struct {
	jump *time.Duration
	step int // below 0: back; 0: none
}

// takePlan returns what comes next, which is no longer asked for, and what shows it.
func (p *Player) takePlan() (plan, *showing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := plan{jump: p.jumpTo}
	if next.jump != nil {
		p.jumpTo = nil
		p.wake()
	} else if p.step != 0 {
		next.step, p.step = p.step, 0
		p.wake()
	}
	return next, &showing{Player: p, watched: p.watched, now: p.clock.now(), paused: p.clock.paused, clockTo: -1}
}

func (s *showing) read(next plan) (err error) {
	switch {
	case next.jump != nil:
		return s.jump(*next.jump)
	case next.step < 0:
		return s.stepBack()
	}
	if s.cursor.err != nil && (next.step > 0 || !s.paused) {
		err = s.jump(s.now) // perhaps it can be read again
	}
	if err == nil {
		err = s.forward(next.step > 0)
	}
	return err
}

// note notes what was shown, and returns how long it is until something is due; 0 if the Delta is shown.
func (p *Player) note(next plan, show *showing, more, ok bool, err error) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if show.jumps || ok {
		p.problem = cmp.Or(err, p.cursor.err)
	}
	if p.jumpTo == nil && p.step == 0 { // no other jump or step was requested meanwhile
		if show.more && !show.changed {
			p.step = next.step // it goes on
		}
		p.clock.paused = p.clock.paused || err != nil
		if show.clockTo >= 0 {
			p.clock.move(show.clockTo)
		}
	}
	if !ok {
		if at, more := p.cursor.peek(); more {
			return p.clock.until(at)
		}
		return never
	}
	if p.clock.set.IsZero() {
		p.clock.move(p.clock.at) // the clock starts with the first rows
	}
	if p.eventsTo = p.cursor.state.at; show.jumps {
		p.eventsFrom = beforeAll
	}
	if p.next = time.Now().Add(frameTime); more {
		p.next = time.Time{}
	}
	return 0
}

// showing is what one Delta shows.
type showing struct {
	*Player
	watched []model.Subscription
	now     time.Duration // of the clock
	paused  bool
	clockTo time.Duration // where the clock goes; -1 if it runs on
	jumps   bool          // all rows are shown

	links  bool // they have changed
	shows  book.Delta
	rows   int
	tells  bool // a stream has told something
	marks  bool // other rows are marked because they are in doubt
	commit bool // a snapshot has come: all rows of its subscriptions are shown
	more   bool

	changed bool // a step has come to a change
}

// jump makes the state of a time.
func (s *showing) jump(to time.Duration) error {
	cursor, err := s.tape.cursor(s.ctx, to)
	if err != nil {
		return err
	}
	if err = cursor.goOn(to, func(*entry) {}); err == nil {
		s.showAll(cursor)
	}
	return err
}

func (s *showing) showAll(cursor *cursor) {
	s.cursor, s.jumps = cursor, true
	s.shown, s.restart = make(map[model.Subscription]bool), true
}

// instantOf returns the time up to which what has changed counts as one change with what has changed at a time: an
// update and the state of its stream are recorded one after the other.
func instantOf(at time.Duration) time.Duration {
	return at.Truncate(time.Millisecond) + time.Millisecond - 1
}

// forward takes what is due by the clock, or what comes up to the next change, with all of its instant.
func (s *showing) forward(toChange bool) error {
	for last := time.Duration(math.MaxInt64); ; {
		at, ok := s.cursor.peek()
		if !ok && (toChange || !s.paused) {
			return s.cursor.err
		}
		if !ok || !toChange && at > s.now || at > last {
			return nil
		}
		if s.isFull() {
			if s.more = true; s.changed {
				s.clockTo = last // what follows in the instant is due then
			}
			return nil
		}
		err := s.cursor.nextEntries(func(e *entry) {
			if toChange && e.changesSeen(s.isSeen) {
				last, s.changed = min(last, instantOf(at)), true
			}
			s.addEntry(e)
		})
		if err != nil {
			return err
		}
		if toChange {
			s.clockTo = at
		}
	}
}

// isFull reports whether what comes next must be in another Delta: what an audit has corrected and margin levels come
// last in one, and a snapshot first.
func (s *showing) isFull() bool {
	return s.rows >= maxRows || s.commit || s.shows.Audits != nil || s.shows.Margins != nil
}

// stepBack makes the state before the last change up to now: that of the change before it. If there is none, that of
// the beginning.
func (s *showing) stepBack() error {
	s.clockTo = s.tape.from
	for before, isFound := s.now, false; !isFound; {
		cursor, err := s.tape.cursor(s.ctx, before)
		if err != nil {
			return err
		}
		began := cursor.state.at
		last := time.Duration(-1)
		err = cursor.goOn(s.now, func(e *entry) {
			if !e.changesSeen(s.isSeen) {
				return
			}
			if last >= 0 && instantOf(e.At) > instantOf(last) {
				s.clockTo, isFound = last, true
			}
			last = e.At
		})
		if err != nil {
			return err
		}
		isFound = isFound || began <= s.tape.from
		before = min(before, began) - 1 // in a file that the program has not written, the state may be later
	}
	return s.jump(s.clockTo)
}
