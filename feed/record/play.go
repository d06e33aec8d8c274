package record

import (
	"container/heap"
	"errors"
	"net/http"
	"sync"
	"time"
)

// How long, by the clock of the machine, the replay waits for the feed.
const (
	reactWithin  = 200 * time.Millisecond // to do what it did while the recording was made
	readWithin   = 10 * time.Second       // to read, if much waits to be read
	handleWithin = 5 * time.Millisecond   // to handle what it has read, before a timer fires
)

var errTooSlow = errors.New("the replay is too fast for the feed")

// run plays the recording to its end.
func (r *Replay) run() {
	defer close(r.done)
	var left []event // the ends of streams that blotter closed, not played yet
	var leftAt time.Duration
	for {
		e, err := r.reader.next()
		r.mu.Lock()
		isLeft := err == nil && r.isLeft(&e)
		if (err == nil && !isLeft) || r.reader.last-leftAt > quitWithin {
			for i := range left {
				r.awaitFeed()
				r.play(&left[i])
			}
			left = nil
		}
		r.awaitFeed()
		more := r.advance(r.reader.header.Start.Add(r.reader.last))
		switch {
		case !more:
		case err != nil:
			r.finish(err)
			more = false
		case r.isFull(&e):
			r.finish(r.reader.damaged("it keeps more responses open than a recording has"))
			more = false
		case isLeft:
			left, leftAt = append(left, e), r.reader.last
		default:
			r.play(&e)
		}
		r.mu.Unlock()
		if !more {
			return
		}
	}
}

// The limits of what a replay keeps of a recording.
const (
	maxOpen = 10_000    // requests that have not ended, and streams of different queries
	maxKept = 256 << 20 // bytes of all responses, with what they take besides their bodies
)

// isFull reports whether the replay cannot keep what an event brings. All responses are counted again when as many
// bytes came as a sixteenth of the limit.
func (r *Replay) isFull(e *event) bool {
	switch e.Kind {
	case opened:
		return len(r.requests) >= maxOpen || len(r.streams) >= maxOpen
	case answered, body:
		r.came += len(e.Text) + len(e.Bytes) + headerSize(e.Header)
	}
	if r.came < r.maxKept/16 {
		return false
	}
	r.came = 0
	kept := r.pages.size
	for _, x := range r.requests {
		kept += x.size()
	}
	for _, s := range r.streams {
		for _, x := range s.taken {
			if x.ended { // the others are among the requests
				kept += x.size()
			}
		}
	}
	return kept > r.maxKept
}

// quitWithin is the longest time from the end of the streams to the end of the recording if the user quit blotter.
const quitWithin = time.Second

// isLeft reports whether an event is that blotter closed a stream. If it did so because the user quit, the event is
// not played: at the end the rows are as they were on the screen.
func (r *Replay) isLeft(e *event) bool {
	x := r.requests[e.Request]
	return e.Kind == ended && e.Left && x != nil && x.key.isStream()
}

// finish ends the replay: its clock is stopped from now on.
func (r *Replay) finish(err error) {
	r.timeline.rebase()
	if !isEnd(err) {
		r.damaged = err
	}
	r.timeline.paused, r.timeline.step, r.timeline.until = true, false, time.Time{}
	r.over = true
	r.wakeAll()
	close(r.ended)
}

// wait waits until something has changed, or for a time by the clock of the machine.
func (r *Replay) wait(d time.Duration) {
	timer := time.AfterFunc(d, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed()
	})
	r.wake.Wait()
	timer.Stop()
}

// advance waits until the clock is at a time, and fires the timers before it. It reports false if the replay is
// closed.
func (r *Replay) advance(target time.Time) bool {
	t := &r.timeline
	for !r.closed {
		at := target
		if len(t.timers) > 0 && t.timers[0].at.Before(at) {
			at = t.timers[0].at
		}
		if t.until.After(t.at) && t.until.Before(at) {
			at = t.until
		}
		if at.Before(t.at) {
			at = t.at
		}
		t.limit = at
		if !t.playsAtOnce() {
			if t.paused {
				r.wake.Wait()
				continue
			}
			if left := t.left(at); left > 0 {
				r.wait(left)
				continue
			}
		}
		if rest := handleWithin - time.Since(r.played); at.Before(target) && rest > 0 {
			r.wait(rest) // the timer may wait for what came last
			continue
		}
		t.reach(at)
		r.fire(at)
		if !at.Before(target) {
			return true
		}
	}
	return false
}

// fire fires the timers that are due.
func (r *Replay) fire(now time.Time) {
	for t := &r.timeline.timers; len(*t) > 0 && !(*t)[0].at.After(now); {
		heap.Pop(t).(*replayTimer).fire()
	}
}

// soon is how far the clock may go while the replay waits for the feed: as far as its shortest backoff.
const soon = time.Microsecond

// awaitFeed waits until the feed has done what it did after the last event: it has requested a stream that was opened,
// or has read what came.
func (r *Replay) awaitFeed() {
	x := r.last
	if x == nil {
		return
	}
	began := time.Now()
	for !r.closed && !r.hasReacted(x) {
		within := reactWithin
		if len(x.data) > maxBacklog {
			within = readWithin
		}
		left := within - time.Since(began)
		if x.ended && x.left {
			left = handleWithin - time.Since(r.played)
		}
		if left <= 0 {
			r.skipReaction(x)
			return
		}
		if t := &r.timeline; len(t.timers) > 0 && t.timers[0].at.Sub(t.now()) <= soon {
			at := t.timers[0].at
			t.reach(at)
			r.fire(at)
		}
		r.wait(left)
	}
}

// hasReacted reports whether the feed has done what it did after an event of x.
func (r *Replay) hasReacted(x *exchange) bool {
	switch {
	case !x.key.isStream():
		return true
	case x.taken && x.ended:
		return x.left && time.Since(r.played) >= handleWithin
	case x.taken:
		return x.isRead()
	case x.ended || x.lost:
		return true
	case x.ofAudit:
		return false
	}
	s := r.streamsOf(x.key)
	return s.unrequested || s.isActive()
}

// skipReaction continues without a reaction of the feed.
func (r *Replay) skipReaction(x *exchange) {
	switch {
	case !x.taken && x.ofAudit:
		x.ofAudit = false
	case !x.taken:
		r.streamsOf(x.key).unrequested = true
	case len(x.data) > maxBacklog:
		x.add(func() { x.data, x.ended, x.err = nil, true, errTooSlow })
	}
}

// play plays an event.
func (r *Replay) play(e *event) {
	if e.Kind == opened {
		x := &exchange{replay: r, key: e.key(), changed: sync.NewCond(&r.mu)}
		r.requests[e.Request], r.last = x, x
		r.offer(x)
		return
	}
	x := r.requests[e.Request]
	if x == nil {
		return
	}
	r.last, r.played = x, time.Now()
	switch e.Kind {
	case answered:
		x.add(func() { x.status, x.header = e.Status, e.Header })
		r.beginAuditOf(x)
	case body:
		r.playBody(x, e.data())
	case ended:
		delete(r.requests, e.Request)
		r.playEnd(x, e)
	}
}

// offer gives a stream to a request that waits for it, or keeps it for one.
func (r *Replay) offer(x *exchange) {
	if !x.key.isStream() {
		r.pages.open(x)
		return
	}
	s := r.streamsOf(x.key)
	s.recorded = true
	if len(s.waiters) == 0 {
		s.unclaimed = append(s.unclaimed, x)
		return
	}
	w := s.waiters[0]
	s.waiters = s.waiters[1:]
	s.take(x)
	w.exchange = x
	w.changed.Broadcast()
}

// beginAuditOf makes the feed begin an audit if x is the stream of an audit.
func (r *Replay) beginAuditOf(x *exchange) {
	if x.taken || !x.key.isStream() || x.status != http.StatusOK || !r.streamsOf(x.key).isActive() || r.beginAudit == nil {
		return
	}
	x.ofAudit = true
	r.mu.Unlock()
	defer r.mu.Lock()
	r.beginAudit(x.key.query)
}

func (r *Replay) playBody(x *exchange, data []byte) {
	switch {
	case x.left || x.lost:
		return
	case !x.taken && x.key.isStream() && len(x.data)+len(data) > maxBacklog:
		x.lost = true
		r.unclaim(x)
		return
	}
	x.add(func() { x.data = append(x.data, data...) })
	if t := &r.timeline; x.taken && t.step {
		t.step = false
	}
}

func (r *Replay) playEnd(x *exchange, e *event) {
	x.add(func() {
		x.ended = true
		switch {
		case e.Error != "" && !e.Left:
			x.err = errors.New(e.Error)
		case e.Left:
			x.err = errLeft
		}
	})
	if !x.key.isStream() {
		r.pages.end(x, e)
		return
	}
	if !x.taken {
		r.unclaim(x)
	}
}

// unclaim removes a stream that no request has taken.
func (r *Replay) unclaim(x *exchange) {
	s := r.streamsOf(x.key)
	for i, other := range s.unclaimed {
		if other == x {
			s.unclaimed = append(s.unclaimed[:i:i], s.unclaimed[i+1:]...)
			x.data = nil
			return
		}
	}
}
