package hub

import (
	"context"
	"sync"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
)

// marginList is the list of margin levels of a party, of a market, or of all. It is read once for all sessions, while
// one of them waits for more.
type marginList struct {
	key       model.Key
	idleSince time.Time // when its last reader left, zero if it has any; the lock of the Hub guards it
	refresh   *margins.Refresh
	stop      context.CancelFunc
	ended     <-chan struct{} // is closed by stop
	changed   chan struct{}   // holds a token if a session may wait for more, or is in a hurry

	mu        sync.Mutex
	records   *book.Book           // without positions
	sorted    []model.MarginLevels // the records, the newest first, for known; nil if they have changed
	isRead    bool                 // something was read
	isWhole   bool                 // all records were read
	isHurried bool
	due       time.Time // when the next page is, and when it is if it is hurried
	hurriedAt time.Time
	checkedAt time.Time // when all that have changed were read last
	readers   map[*walk]struct{}
	awaitedBy *Session      // the first of those whose page waits for the list; nil if none does
	hasten    chan struct{} // is closed while there is one
	answer    chan struct{} // is closed when the next page is read, or cannot be; nil if nobody waits for it
}

// renew begins to read the list from the beginning.
func (l *marginList) renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sorted = nil
	l.records, l.isRead, l.isWhole, l.due, l.hurriedAt = book.New(0), false, false, time.Time{}, time.Time{}
	var scope model.Scope
	if !l.key.Party.IsZero() {
		scope.Parties = []model.ID{l.key.Party}
	}
	if !l.key.Market.IsZero() {
		scope.Markets = []model.ID{l.key.Market}
	}
	l.refresh.Watch(scope)
}

// take gives what was read to the sessions.
func (l *marginList) take(read book.MarginsRead, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isRead, l.isWhole, l.isHurried = true, l.isWhole || read.Whole, false
	switch {
	case read.Page == nil:
		l.due = now.Add(model.MarginRetry)
		l.hurriedAt = l.due
	case read.Ended:
		l.checkedAt = now
		l.due = now.Add(model.MarginRefresh)
		l.hurriedAt = now.Add(hurriedEvery)
	}
	if read.Page != nil {
		l.records.MergeMargins(read.Page)
		l.sorted = nil
	}
	for w := range l.readers {
		w.offer(l, read, l.isWhole)
	}
	if l.awaitedBy != nil {
		close(l.answer)
		l.awaitedBy, l.hasten, l.answer = nil, make(chan struct{}), nil
	}
}

// await makes the next page of a list that was not read yet come soon, for a page of a session. It returns a channel
// that is closed then, nil if all records are known, and reports false if none is read now.
func (l *marginList) await(s *Session, now time.Time) (answer <-chan struct{}, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.isWhole:
		return nil, true
	case now.Before(l.due): // it has failed
		return nil, false
	case l.awaitedBy == nil:
		l.awaitedBy, l.answer = s, make(chan struct{})
		close(l.hasten)
		endpoint.Signal(l.changed)
	}
	return l.answer, true
}

// awaiting returns the session that waits for the next page, and a channel that is closed while there is one.
func (l *marginList) awaiting() (*Session, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.awaitedBy, l.hasten
}

// nextDue returns when the next page is due, and its rank among those of all lists. It reports false if no session
// waits for more: one that has not taken what it has does not.
func (l *marginList) nextDue() (due time.Time, rank rank, isWanted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.readers {
		if isWanted = w.isEmpty(); isWanted {
			break
		}
	}
	switch {
	case l.awaitedBy != nil:
		return time.Time{}, first, true
	case !l.isRead:
		return time.Time{}, first, isWanted
	case l.isHurried:
		return l.hurriedAt, first, isWanted
	}
	return l.due, usual, isWanted
}

// hurriedEvery is how often a list is read at most because a session is in a hurry.
const hurriedEvery = time.Second

// hurry reads the records of parties soon.
func (l *marginList) hurry(parties []model.ID) {
	l.refresh.Hurry(parties)
	l.mu.Lock()
	l.isHurried = true
	l.mu.Unlock()
	endpoint.Signal(l.changed)
}

// pages returns all records.
func (l *marginList) pages() []*model.Page {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records.Margins().Pages(pageOfRecords)
}

// pageOfRecords is how many records a page of those has that were read before.
const pageOfRecords = 1000

// readList reads a list until it ends. Of all lists, few are read at the same time.
func (h *Hub) readList(ctx context.Context, l *marginList) {
	for {
		due, rank, isWanted := l.nextDue()
		if now := time.Now(); !isWanted || due.After(now) {
			if !isWanted {
				due = time.Time{}
			}
			if endpoint.Pause(ctx, due, l.changed) != nil {
				return
			}
			continue
		}
		if !h.readPage(ctx, l, rank) {
			return
		}
	}
}

// readPage reads the next page of a list, and reports false if ctx has ended.
func (h *Hub) readPage(ctx context.Context, l *marginList, rank rank) bool {
	leave, err := h.enterList(ctx, l, rank)
	if err != nil {
		return false
	}
	defer leave()
	read, err := l.refresh.Next(ctx)
	if err != nil {
		return false
	}
	h.recordMargins(l.key, read)
	l.take(read, time.Now())
	return true
}

// enterList waits until the next page of a list may be read: one that a session waits for when it is the turn of that
// session, and others in the background.
func (h *Hub) enterList(ctx context.Context, l *marginList, rank rank) (leave func(), err error) {
	by, hasten := l.awaiting()
	if by == nil {
		isIn, err := h.listGate.enter(ctx, rank, hasten)
		if isIn || err != nil {
			return h.listGate.leave, err
		}
		by, _ = l.awaiting()
	}
	if leave, err = h.pages.turns.await(ctx, by, 1); err == nil {
		l.refresh.Hasten()
	}
	return leave, err
}

// watchMargins begins to read the margin levels of a scope for a session.
func (h *Hub) watchMargins(s *Session, scope model.Scope) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, isIn := h.sessions[s]; !isIn || h.ctx.Err() != nil {
		return
	}
	h.leaveLists(s)
	var lists []*marginList
	isOver := false
	for _, of := range scope.Subscriptions(nil, 0) { // the list of each party, or of each market; the walk drops the rest
		if len(lists) == h.limits.SessionStreams {
			isOver = true
			break
		}
		if l := h.list(of.Key); l != nil {
			lists = append(lists, l)
		} else {
			isOver = true
		}
	}
	s.margins.beginLists(scope, lists, isOver)
	for _, l := range lists {
		l.mu.Lock()
		l.readers[s.margins] = struct{}{}
		l.mu.Unlock()
		l.idleSince = time.Time{}
		endpoint.Signal(l.changed)
	}
}

// list returns the list with a key, and nil if there are too many. The lock is held, as for leaveLists.
func (h *Hub) list(key model.Key) *marginList {
	if l := h.lists[key]; l != nil {
		return l
	}
	if len(h.lists) >= h.limits.Streams && !h.endIdleList() {
		return nil
	}
	l := &marginList{key: key, changed: make(chan struct{}, 1), readers: make(map[*walk]struct{}), hasten: make(chan struct{})}
	l.refresh = h.feed.NewRefresh()
	l.renew()
	ctx, stop := context.WithCancel(h.ctx)
	l.stop, l.ended = stop, ctx.Done()
	h.lists[key] = l
	h.spawn(func() { h.readList(ctx, l) }, l.renew)
	return l
}

// endIdleList ends the list that has had no reader for the longest time, and reports whether there is one.
func (h *Hub) endIdleList() bool {
	var longest *marginList
	for _, l := range h.lists {
		if !l.idleSince.IsZero() && (longest == nil || l.idleSince.Before(longest.idleSince)) {
			longest = l
		}
	}
	if longest != nil {
		longest.stop()
		delete(h.lists, longest.key)
	}
	return longest != nil
}

// leaveLists ends what a session reads.
func (h *Hub) leaveLists(s *Session) {
	for _, l := range s.margins.all() {
		l.mu.Lock()
		delete(l.readers, s.margins)
		isIdle := len(l.readers) == 0
		l.mu.Unlock()
		if isIdle {
			l.idleSince = time.Now()
			endpoint.Signal(h.idle)
		}
	}
	s.margins.beginLists(model.Scope{}, nil, false)
}
