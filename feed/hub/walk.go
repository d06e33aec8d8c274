package hub

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// walk is what a session reads of margin levels. Its lock is taken after that of a marginList.
type walk struct {
	wake chan struct{} // holds a token if something may have come

	mu     sync.Mutex
	scope  model.Scope
	isOver bool // there are lists that the hub does not read for the session
	lists  map[*marginList]*listWalk
	reads  []book.MarginsRead // that wait
	unread int                // records in them
}

// listWalk is how far a session has read a list.
type listWalk struct {
	fromStart bool // all records that are known are given first
	hasEnded  bool // all that have changed were read, since the walk has ended last
	isWhole   bool // all records of the list are known
}

// maxUnread is how many records may wait for a session. If there are more, all that are known are given instead.
const maxUnread = 20_000

func newWalk() *walk { return &walk{wake: make(chan struct{}, 1)} }

// beginLists begins to read lists, or none.
func (w *walk) beginLists(scope model.Scope, lists []*marginList, isOver bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scope, w.isOver, w.lists, w.reads, w.unread = scope, isOver, make(map[*marginList]*listWalk, len(lists)), nil, 0
	for _, l := range lists {
		w.lists[l] = &listWalk{fromStart: true}
	}
	if isOver {
		w.reads = []book.MarginsRead{{Err: errFewLists}}
	}
	endpoint.Signal(w.wake)
}

func (w *walk) all() []*marginList {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.lists))
}

func (w *walk) isEmpty() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.reads) == 0
}

// offer adds what was read of a list, of which all records may be known.
func (w *walk) offer(l *marginList, read book.MarginsRead, isWhole bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.lists[l]
	if of == nil {
		return
	}
	of.hasEnded, of.isWhole = of.hasEnded || read.Ended, isWhole
	read.Ended, read.Whole = w.end()
	w.addRead(read)
	if w.unread > maxUnread {
		w.reads, w.unread = nil, 0
		for _, of := range w.lists {
			of.fromStart = true
		}
	}
	endpoint.Signal(w.wake)
}

// end reports whether all lists have ended since it was true last, and whether all of their records are known.
func (w *walk) end() (is, isWhole bool) {
	for _, of := range w.lists {
		if !of.hasEnded {
			return false, false
		}
	}
	isWhole = !w.isOver
	for _, of := range w.lists {
		of.hasEnded = false
		isWhole = isWhole && of.isWhole
	}
	return true, isWhole
}

// addRead adds what was read, without the records that are not in the scope.
func (w *walk) addRead(read book.MarginsRead) {
	if read.Page != nil {
		read.Page = w.inScope(read.Page)
		w.unread += len(read.Page.Rows)
	}
	w.reads = append(w.reads, read)
}

// inScope returns a page without the records that are not in the scope.
func (w *walk) inScope(page *model.Page) *model.Page {
	isOutside := func(levels model.MarginLevels) bool { return !w.scope.Covers(levels.Key) }
	if !slices.ContainsFunc(page.Rows, isOutside) {
		return page
	}
	narrowed := *page
	narrowed.Rows = slices.DeleteFunc(slices.Clone(page.Rows), isOutside)
	return &narrowed
}

// nextRead returns what waits, and false if nothing does.
func (w *walk) nextRead() (read book.MarginsRead, ok bool) {
	w.readKnown()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.reads) == 0 {
		return read, false
	}
	read = w.reads[0]
	w.reads[0] = book.MarginsRead{}
	if w.reads = w.reads[1:]; read.Page != nil {
		w.unread -= len(read.Page.Rows)
	}
	if len(w.reads) == 0 {
		for l := range w.lists {
			endpoint.Signal(l.changed)
		}
	}
	return read, true
}

// readKnown adds the known records of lists that are read from the start, before what waits.
func (w *walk) readKnown() {
	for _, l := range w.all() {
		w.mu.Lock()
		of := w.lists[l]
		isDue := of != nil && of.fromStart
		w.mu.Unlock()
		if !isDue {
			continue
		}
		pages := l.pages()
		w.mu.Lock()
		if w.lists[l] == of { // else another walk has begun
			waiting := w.reads
			w.reads, of.fromStart = nil, false
			for _, page := range pages {
				w.addRead(book.MarginsRead{Page: page})
			}
			w.reads = append(w.reads, waiting...)
		}
		w.mu.Unlock()
	}
}

// WatchMargins begins to read the margin levels of a scope for NextMargins. It does not wait. What the hub knows
// already comes first.
func (s *Session) WatchMargins(scope model.Scope) { s.hub.watchMargins(s, scope) }

// NextMargins waits for the next of these margin levels. They must not be changed: other sessions have them too. What
// comes between two Deltas is given with the second one, so that a screen is drawn once for both. The error is
// ErrClosed if the session has ended.
func (s *Session) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	for {
		if read, ok := s.margins.nextRead(); ok {
			return read, nil
		}
		err := endpoint.Pause(ctx, time.Time{}, s.margins.wake)
		if due := s.nextDue(); err == nil && !due.IsZero() {
			err = endpoint.Pause(ctx, due, nil)
		}
		if err != nil {
			return book.MarginsRead{}, err
		}
	}
}

// HurryMargins reads the margin levels of parties soon, if the session reads them. It does not wait.
func (s *Session) HurryMargins(parties []model.ID) {
	if len(parties) == 0 {
		return
	}
	for _, l := range s.margins.all() {
		switch {
		case l.key.Party.IsZero():
			l.hurry(parties)
		case slices.Contains(parties, l.key.Party):
			l.hurry([]model.ID{l.key.Party})
		}
	}
}
