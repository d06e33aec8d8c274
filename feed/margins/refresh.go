package margins

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// How often the margin levels of a scope are read; those that have changed every model.MarginRefresh.
const (
	walkEvery    = 5 * time.Minute // all of them
	againAfter   = time.Minute     // all of them, if the end of a list is from a node that is behind
	hurriedEvery = time.Second     // those of parties that are hurried
	refreshSize  = 1000            // records on a page
	hurriedLists = 5               // at once

	manyLists   = 10               // a pass through more of them takes long
	newestEvery = 10 * time.Second // the newest records of the whole service, if there are more than manyLists

	ownEvery = model.MarginRefresh // a page on a connection of its own: another node may have other records
)

// Refresh reads the margin levels of a scope in the background, so that every position has its record. It goes through
// the lists of the scope one after the other, one request at a time, in passes:
//
//	full       every page, the oldest records first: see walk
//	refresh    the newest records first, as far as they are new
//	hurried    a refresh of the lists with the records of some parties
//
// A scope of many lists takes minutes. So the newest records of the whole service are read meanwhile, one page every
// newestEvery: they may show that an update was missed.
//
// The first pass is full. Then a refresh follows every model.MarginRefresh, and a full pass every walkEvery.
type Refresh struct {
	lister  *Lister
	reading chan struct{} // has room for one caller of Next
	newest  int64         // the height of the newest block of all pages; of that caller
	ownAt   time.Time     // when the next page gets a connection of its own; of that caller
	isSoon  atomic.Bool   // the trader waits for the next page

	mu      sync.Mutex
	scope   model.Scope
	lists   []*refreshedList
	changed chan struct{} // is closed if what Next waits for has changed
	hurried map[model.ID]bool

	left      []*refreshedList // the lists of the pass that are still to be read; none between two passes
	kind      passKind
	began     time.Time // the last pass
	dueAt     time.Time // the next pass
	retryAt   time.Time // the request that has failed
	walkedAt  time.Time // when the last full pass began; zero if there was none
	newestAt  time.Time // the next page of the newest records of the service; zero if none is read
	isPartial bool      // the pass may have missed records
	isBehind  bool      // because of a node that is behind
	isRefused bool      // because the service has refused a list
}

// refreshedList is one list of the scope, and what was read of it.
type refreshedList struct {
	key   model.Key
	known knownRecords
	walk  *walk // of the pass; nil before its first request and after its last one
}

type passKind uint8

const (
	fullPass passKind = iota
	refreshPass
	hurriedPass
)

// NewRefresh returns a Refresh of nothing, until Watch.
func (l *Lister) NewRefresh() *Refresh {
	return &Refresh{lister: l, reading: make(chan struct{}, 1), changed: make(chan struct{})}
}

// Watch begins to read the margin levels of a scope, from the beginning. It does not wait.
func (r *Refresh) Watch(scope model.Scope) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scope, r.lists, r.left, r.hurried = scope, nil, nil, nil
	for _, key := range scope.Pairs() {
		r.lists = append(r.lists, &refreshedList{key: key, known: newKnown()})
	}
	r.dueAt, r.retryAt, r.walkedAt, r.newestAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	if len(r.lists) > manyLists {
		r.newestAt = time.Now().Add(newestEvery)
	}
	r.wake()
}

// Hurry reads the levels of parties soon, but not more often than once a second. It does not wait.
func (r *Refresh) Hurry(parties []model.ID) {
	if len(parties) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.hurried) == 0 {
		r.hurried = make(map[model.ID]bool, len(parties))
		r.wake()
	}
	for _, party := range parties {
		r.hurried[party] = true
	}
}

// Hasten makes the next page of the scope one for which the trader waits: it is requested without the pace of the
// background. The caller counts it.
func (r *Refresh) Hasten() { r.isSoon.Store(true) }

// wake makes Next look again at what is due. The lock is held.
func (r *Refresh) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Next waits until the next page is due, and reads it. It returns an error only if ctx ends before that. A request that
// has failed is in the result; it is sent again by a later call, after model.MarginRetry.
func (r *Refresh) Next(ctx context.Context) (book.MarginsRead, error) {
	select {
	case r.reading <- struct{}{}:
		defer func() { <-r.reading }()
	case <-ctx.Done():
		return book.MarginsRead{}, ctx.Err()
	}
	for {
		r.mu.Lock()
		list, at := r.due(time.Now())
		changed, newestAt, scope := r.changed, r.newestAt, r.scope
		r.mu.Unlock()
		if isDue := !newestAt.IsZero() && !newestAt.After(time.Now()); isDue {
			if page := r.readNewest(ctx, scope); page != nil {
				return book.MarginsRead{Page: page}, nil
			}
			if ctx.Err() != nil {
				return book.MarginsRead{}, ctx.Err()
			}
			continue
		}
		if list == nil {
			if !newestAt.IsZero() && (at.IsZero() || newestAt.Before(at)) {
				at = newestAt
			}
			if err := endpoint.Pause(ctx, at, changed); err != nil {
				return book.MarginsRead{}, err
			}
			continue
		}
		page, err := list.walk.next(ctx)
		if err != nil && ctx.Err() != nil {
			return book.MarginsRead{}, ctx.Err()
		}
		if read, isWatched := r.take(list, page, err, time.Now()); isWatched {
			return read, nil
		}
	}
}

// readNewest reads the newest records of the whole service, and returns a page with those of the scope. It returns nil
// if there are none, or if the request has failed. If it is refused, it is not sent again.
func (r *Refresh) readNewest(ctx context.Context, scope model.Scope) *model.Page {
	query := endpoint.PageQuery{NewestFirst: true, Size: refreshSize, OwnConnection: r.isOwnDue()}
	page, err := r.lister.pages.Page(ctx, endpoint.BackgroundPage, query)
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if !r.newestAt.IsZero() {
		r.newestAt = now.Add(newestEvery)
	}
	if err != nil {
		if endpoint.OutcomeOf(err).IsRefusal() {
			r.newestAt = time.Time{}
		}
		return nil
	}
	isOther := func(levels model.MarginLevels) bool { return !scope.Covers(levels.Key) }
	rows := slices.DeleteFunc(slices.Clone(page.Rows), isOther)
	if len(rows) == 0 || !scope.Equal(r.scope) {
		return nil
	}
	return &model.Page{Rows: rows, Block: page.Block, ReadAt: now, ServedAt: page.ServedAt}
}

// isOwnDue reports whether the next page gets a connection of its own.
func (r *Refresh) isOwnDue() bool {
	now := time.Now()
	if now.Before(r.ownAt) {
		return false
	}
	r.ownAt = now.Add(ownEvery)
	return true
}

// due returns the list whose next page is due, or nil and when one is; zero is never. The lock is held.
func (r *Refresh) due(now time.Time) (list *refreshedList, at time.Time) {
	if len(r.lists) == 0 {
		return nil, time.Time{}
	}
	at = endpoint.Later(r.dueAt, r.retryAt)
	switch {
	case len(r.left) > 0:
		at = r.retryAt
	case len(r.hurried) > 0 && r.began.Add(hurriedEvery).Before(at):
		at = endpoint.Later(r.began.Add(hurriedEvery), r.retryAt)
	}
	if at.After(now) {
		return nil, at
	}
	if len(r.left) == 0 {
		r.begin(now)
	}
	list = r.left[0]
	if list.walk == nil {
		list.walk = r.walk(list)
	}
	return list, at
}

// begin begins a pass. The lock is held.
func (r *Refresh) begin(now time.Time) {
	r.left, r.isPartial, r.isBehind, r.isRefused = slices.Clone(r.lists), false, false, false
	switch {
	case now.Sub(r.walkedAt) >= walkEvery: // also if there was none
		r.kind = fullPass
	case !now.Before(r.dueAt):
		r.kind = refreshPass
	default:
		r.kind = hurriedPass
		hurried := slices.DeleteFunc(slices.Clone(r.lists), func(l *refreshedList) bool {
			return !l.key.Party.IsZero() && !r.hurried[l.key.Party]
		})
		if r.left = hurried[:min(len(hurried), hurriedLists)]; len(r.left) == 0 {
			r.left = r.lists[:1] // of parties that are not watched
		}
	}
	r.began, r.hurried = now, nil
}

func (r *Refresh) walk(list *refreshedList) *walk {
	query := endpoint.PageQuery{Key: list.key, NewestFirst: r.kind != fullPass}
	request := func(ctx context.Context, cursor string, size int, ownConnection bool) (*endpoint.Page, error) {
		query.Cursor, query.Size, query.OwnConnection = cursor, size, r.isOwnDue() || ownConnection
		kind := endpoint.BackgroundPage
		if r.isSoon.Swap(false) {
			kind = endpoint.UserPage
		}
		return r.lister.pages.Page(ctx, kind, query)
	}
	w := &walk{request: request, size: refreshSize, known: list.known, refreshes: query.NewestFirst}
	w.ending = ending{newest: &r.newest, mostAsks: 1}
	if r.kind == fullPass {
		w.known, w.earlier, w.ending.expected = newKnown(), list.known, len(list.known.records)
	}
	return w
}

// take continues after a page of a list, or after an error. It reports false if the list is no longer watched.
func (r *Refresh) take(list *refreshedList, page *endpoint.Page, err error, now time.Time) (read book.MarginsRead, isWatched bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.lists, list) {
		return read, false
	}
	if err != nil {
		r.lister.log(err, "")
		r.retryAt = now.Add(model.MarginRetry)
		read.Err = err
		switch {
		case list.walk.began && isCursorRefused(err): // what was not read may have changed
			r.left, r.walkedAt, list.walk = nil, time.Time{}, nil
		case endpoint.OutcomeOf(err).IsRefusal() && len(r.lists) > 1: // the others are read, and the next pass asks again
			read.Err = inList(err, list.key, len(r.lists))
			r.isPartial, r.isRefused = true, true
			r.end(list, &read, now)
		}
		return read, true
	}
	read.Page = &model.Page{Rows: requested(list.key, page.Rows), Block: page.Block, ReadAt: now, ServedAt: page.ServedAt}
	if !list.walk.ended {
		return read, true
	}
	list.known = list.walk.known
	isBehind := errors.Is(list.walk.problem, errBehind)
	if isBehind || errors.Is(list.walk.problem, errMayMiss) {
		r.isPartial, r.isBehind, read.Err = true, r.isBehind || isBehind, list.walk.problem
	}
	r.end(list, &read, now)
	return read, true
}

// end ends a list of the pass, and the pass if it was the last one. The lock is held.
func (r *Refresh) end(list *refreshedList, read *book.MarginsRead, now time.Time) {
	list.walk = nil
	if r.left = r.left[1:]; len(r.left) > 0 || r.kind == hurriedPass {
		return
	}
	r.dueAt = now.Add(model.MarginRefresh)
	if r.kind == fullPass {
		r.walkedAt = r.began
		if r.isBehind {
			r.walkedAt = r.began.Add(againAfter - walkEvery)
		}
	}
	read.Ended = !r.isBehind && !r.isRefused
	read.Whole = r.kind == fullPass && !r.isPartial
}
