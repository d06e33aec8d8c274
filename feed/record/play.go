package record

import (
	"context"
	"time"

	"blotter/model"
	"blotter/model/book"
)

const (
	frame    = 33 * time.Millisecond // at most one Delta in this time
	mostRows = 4096                  // of updates in a Delta
)

// Next waits for what the recording has next and takes it, at most once in a frame's time. See feed.Feed.Next. While
// only links are taken, the data goes on unseen: then the first Delta with data has all rows.
func (p *Player) Next(ctx context.Context, linksOnly bool) (book.Delta, error) {
	for {
		p.mu.Lock()
		changed, wait := p.changed, time.Until(p.next)
		p.mu.Unlock()
		if wait <= 0 {
			delta, due, ok, err := p.advance(linksOnly)
			if err != nil {
				return book.Delta{}, err
			}
			if ok {
				return delta, nil
			}
			wait = due
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-p.done:
			timer.Stop()
			return book.Delta{}, errClosed
		case <-ctx.Done():
			timer.Stop()
			return book.Delta{}, ctx.Err()
		}
		timer.Stop()
	}
}

// never is how long Next waits if the clock is stopped.
const never = 24 * time.Hour

// advance reads what is due. If that is nothing, it returns how long it is until something is.
func (p *Player) advance(linksOnly bool) (delta book.Delta, due time.Duration, ok bool, err error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.mu.Lock()
	request, watched := p.request, p.watched
	if p.request.isPending() {
		p.request.jump, p.request.step = false, 0
		p.wake()
	}
	p.mu.Unlock()
	select {
	case <-p.done:
		return delta, 0, false, errClosed
	default:
	}
	show := &showing{Player: p, watched: watched}
	switch {
	case request.jump:
		err = show.jump(request.to)
	case request.step < 0:
		err = show.stepBack()
	case request.step > 0:
		err = show.stepForward()
	default:
		err = show.play()
	}
	if err != nil {
		return delta, 0, false, p.failed(err)
	}
	delta, ok = show.delta(linksOnly)
	p.mu.Lock()
	defer p.mu.Unlock()
	if delta.Restart {
		p.problem = nil
	}
	if show.more && request.step > 0 && p.request.number == request.number {
		p.request.step = request.step // it goes on
	}
	if show.moved && p.request.number == request.number {
		p.clock.move(show.to)
	}
	if !ok {
		due = never
		if at, more := p.cursor.peek(); more {
			if until, comes := p.clock.until(at); comes {
				due = until
			}
		}
		return delta, due, false, nil
	}
	if p.clock.set.IsZero() {
		p.clock.move(p.clock.at) // the clock starts with the first rows
	}
	p.keepEvents(show)
	if p.next = time.Now().Add(frame); delta.More {
		p.next = time.Time{}
	}
	return delta, 0, true, nil
}

// failed notes why the recording cannot be read further. It is shown as it was.
func (p *Player) failed(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problem = err
	p.clock.move(p.clock.now())
	p.clock.paused = true
	return err
}

// keepEvents keeps the events of what is shown. The lock is held.
func (p *Player) keepEvents(show *showing) {
	if show.restarts {
		p.events = pendingEvents{restart: true, events: p.tape.happened(-1, show.at)}
		return
	}
	p.events.events = append(p.events.events, p.tape.happened(show.from, show.at)...)
}

// showing is what one Delta shows.
type showing struct {
	*Player
	watched  []model.Subscription
	from, at time.Duration // what was and is shown
	restarts bool
	moved    bool // the clock goes to a time
	to       time.Duration

	links  bool // they have changed
	shows  book.Delta
	rows   int
	commit bool // a snapshot has come: all rows of its subscriptions are shown
	more   bool
}

// jump makes the state of a time.
func (s *showing) jump(to time.Duration) error {
	cursor, err := s.tape.open(to)
	if err != nil {
		return err
	}
	for at, ok := cursor.peek(); ok && at <= to; at, ok = cursor.peek() {
		if err := cursor.next(func(*entry) {}); err != nil {
			return err
		}
	}
	s.cursor, s.restarts, s.at = cursor, true, to
	s.shown, s.restart = make(map[model.Subscription]bool), true
	return nil
}

// play takes what is due by the clock.
func (s *showing) play() error {
	s.mu.Lock()
	now := s.clock.now()
	s.mu.Unlock()
	s.from, s.at = s.cursor.state.at, now
	for at, ok := s.cursor.peek(); ok && at <= now; at, ok = s.cursor.peek() {
		if s.isFull() {
			s.at, s.more = at-1, true
			return nil
		}
		if err := s.cursor.next(s.take); err != nil {
			return err
		}
	}
	return nil
}

// isFull reports whether what comes next must be in another Delta: what an audit has corrected and margin levels come
// last in one, and a snapshot first.
func (s *showing) isFull() bool {
	return s.rows >= mostRows || s.commit || s.shows.Audits != nil || s.shows.Margins != nil
}

// stepForward takes what comes up to the next change.
func (s *showing) stepForward() error {
	s.from, s.at = s.cursor.state.at, s.cursor.state.at
	for isChange := false; !isChange; {
		at, ok := s.cursor.peek()
		if !ok || s.isFull() {
			s.more = ok
			return nil
		}
		err := s.cursor.next(func(e *entry) {
			isChange = isChange || e.isChange()
			s.take(e)
		})
		if err != nil {
			return err
		}
		s.moved, s.to, s.at = true, at, at
	}
	return nil
}

// stepBack makes the state of the last change before now. If there is none, that of the beginning.
func (s *showing) stepBack() error {
	s.mu.Lock()
	now := s.clock.now()
	s.mu.Unlock()
	first := s.tape.from
	for before := now - 1; ; {
		cursor, err := s.tape.open(before)
		if err != nil {
			return err
		}
		began, found := cursor.state.at, time.Duration(-1)
		for at, ok := cursor.peek(); ok && at < now; at, ok = cursor.peek() {
			err := cursor.next(func(e *entry) {
				if e.isChange() {
					found = at
				}
			})
			if err != nil {
				return err
			}
		}
		if found < 0 && began > first {
			before = began - 1
			continue
		}
		s.moved, s.to = true, max(found, first)
		return s.jump(s.to)
	}
}
