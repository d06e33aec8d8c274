package hub

import (
	"context"
	"slices"
	"sync"
	"time"

	"blotter/feed/endpoint"
)

// A service allows 20 requests a second from one address, and 100 at once. Some of them are for audits, checks and what
// is read in the background.
const (
	pageEvery     = time.Second / 16 // in the long run, of all sessions
	pagesAtOnce   = 60               // requests that need not wait, if there were none lately
	readsAtOnce   = 16               // pages that are read at the same time
	readsOfScreen = 2                // of them, of one session
)

// turns give the sessions their turns to request pages. The session that has had the fewest requests comes next.
type turns struct {
	mu      sync.Mutex
	changed chan struct{} // is closed and replaced if something has changed
	next    time.Time     // when a request can be sent after all before, if one is sent every pageEvery
	reading int
	waiting []*turn // in the order in which they came
	of      map[*Session]*share
}

// share is what a session has had.
type share struct {
	used    int // requests; if it had none for a while, at least as many as the active session that has had the fewest
	reading int
	waiting int
}

// turn is a page that waits for its turn.
type turn struct {
	of       *Session
	requests int
}

func newTurns() *turns { return &turns{changed: make(chan struct{}), of: make(map[*Session]*share)} }

// await waits for the turn of a session to send some requests for a page. Then done must be called when the page is
// read.
func (t *turns) await(ctx context.Context, s *Session, requests int) (done func(), err error) {
	mine := t.join(s, requests)
	for {
		isTurn, at, changed := t.takeTurn(mine, time.Now())
		if isTurn {
			return func() { t.leave(mine, true) }, nil
		}
		if err := endpoint.Pause(ctx, at, changed); err != nil {
			t.leave(mine, false)
			return nil, err
		}
	}
}

func (t *turns) join(s *Session, requests int) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[s]
	if of == nil {
		of = new(share)
		t.of[s] = of
	}
	if !of.isActive() {
		of.used = max(of.used, t.leastUsed())
	}
	of.waiting++
	mine := &turn{s, requests}
	t.waiting = append(t.waiting, mine)
	return mine
}

// isActive reports whether a session waits for a page or reads one.
func (s *share) isActive() bool { return s.waiting+s.reading > 0 }

// leastUsed returns how many requests the active session has had that has had the fewest; 0 if none is active. The lock
// is held.
func (t *turns) leastUsed() (least int) {
	isFirst := true
	for _, of := range t.of {
		if of.isActive() && (isFirst || of.used < least) {
			least, isFirst = of.used, false
		}
	}
	return least
}

// takeTurn reports whether it is the turn of a page, and takes it. Else it returns when to look again, at a time or
// when something has changed.
func (t *turns) takeTurn(mine *turn, now time.Time) (isTurn bool, at time.Time, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.best() != mine {
		return false, time.Time{}, t.changed
	}
	if from := t.next.Add(-pagesAtOnce * pageEvery); from.After(now) {
		return false, from, t.changed
	}
	t.next = endpoint.Later(t.next, now).Add(time.Duration(mine.requests) * pageEvery)
	t.reading++
	of := t.of[mine.of]
	of.used += mine.requests
	of.reading++
	t.remove(mine)
	return true, time.Time{}, nil
}

// best returns the page whose turn it is; nil if none can be read now. The lock is held, as for all that follow.
func (t *turns) best() (best *turn) {
	if t.reading >= readsAtOnce {
		return nil
	}
	for _, each := range t.waiting {
		if of := t.of[each.of]; of.reading < readsOfScreen && (best == nil || of.used < t.of[best.of].used) {
			best = each
		}
	}
	return best
}

// remove removes a page that no longer waits.
func (t *turns) remove(of *turn) {
	t.waiting = slices.DeleteFunc(t.waiting, func(other *turn) bool { return other == of })
	t.of[of.of].waiting--
	t.wake()
}

// wake makes those that wait look again.
func (t *turns) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// leave ends a page that was read, or that no longer waits.
func (t *turns) leave(mine *turn, wasRead bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[mine.of]
	if wasRead {
		t.reading--
		of.reading--
		t.wake()
	} else {
		t.remove(mine)
	}
	if mine.of.ctx.Err() != nil && !of.isActive() {
		delete(t.of, mine.of)
	}
}

// forget forgets a session that has ended.
func (t *turns) forget(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of := t.of[s]; of != nil && !of.isActive() {
		delete(t.of, s)
	}
}
