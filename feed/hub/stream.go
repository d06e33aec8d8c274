package hub

import (
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// stream is one positions stream of the feed: all rows, the state, and the pieces that have changed it lately.
type stream struct {
	subscription model.Subscription // of the feed; the lock of the Hub guards it, and the times
	idleSince    time.Time          // when its last watch left; zero if it has any
	resyncedAt   time.Time
	rowLimit     int

	mu   sync.Mutex
	book *book.Book // of its rows only
	link model.Link
	// notAfter is that of the last change of rows, as in book.Updates.
	notAfter int64
	version  int    // counts the changes of link
	marks    int    // counts the changes of the rows that are marked because they are in doubt
	last     *piece // the newest one, perhaps an empty one
	watches  map[*watch]struct{}
}

// piece is something that has changed the rows of a stream. A piece does not change any more, but its next piece is
// added. Each watch has the piece that its session got last, so pieces that all have got are freed.
type piece struct {
	next     *piece
	snapshot *book.Snapshot // its rows must be copied
	updates  *book.Updates
	audit    *book.AuditPage // what an audit has corrected
	events   []int           // which of the updates change the size, status or loss socialisation amount
	end      int             // the rows of all pieces up to this one
	number   int             // of the piece
}

func (p *piece) rows() int {
	switch {
	case p.snapshot != nil:
		return p.snapshot.Rows.Len()
	case p.updates != nil:
		return len(p.updates.Positions)
	}
	return len(p.audit.Positions) + len(p.audit.Removed)
}

// bytesOfRow is about how much memory a row takes that waits.
const bytesOfRow = 136

// news is what the feed has of a stream in one Delta.
type news struct {
	snapshots []*book.Snapshot
	updates   []*book.Updates
	audits    []*book.AuditPage
	doubts    []*book.Doubts
	link      *model.Link // nil if it has not changed
}

// changes are what has changed the rows of a book.
type changes struct {
	rows    []model.Position
	events  []int // which of them are events
	removed []model.Key
}

func (c *changes) add(list []book.Change) {
	for i := range list {
		of := &list[i]
		switch {
		case of.IsOfRatio:
			continue
		case of.After == nil:
			c.removed = append(c.removed, of.Before.Key)
			continue
		case of.Before == nil, !event.NoneBetween(of.Before, of.After):
			c.events = append(c.events, len(c.rows))
		}
		c.rows = append(c.rows, *of.After)
	}
}

func newStream(subscription model.Subscription, rowLimit int) *stream {
	st := &stream{rowLimit: rowLimit, watches: make(map[*watch]struct{})}
	st.renew(subscription)
	return st
}

// renew begins a stream without rows. Watches get all rows when there are any.
func (st *stream) renew(subscription model.Subscription) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.subscription, st.resyncedAt = subscription, time.Time{}
	st.book, st.last = book.New(st.rowLimit), new(piece)
	st.link = model.Link{Subscription: subscription, Since: time.Now()}
	st.version++
	for w := range st.watches {
		w.place = nil
		w.session.notify()
	}
}

// apply applies what has come, and returns for how many sessions a copy of all rows replaces what waits, because that
// is more than backlog rows.
func (st *stream) apply(n *news, backlog int) (replaced int) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, s := range n.snapshots {
		st.notAfter = s.NotAfter
		st.takeSnapshot(s)
	}
	for _, u := range n.updates {
		st.notAfter = u.NotAfter
		st.takeUpdates(u)
	}
	for _, page := range n.audits {
		st.notAfter = page.NotAfter
		st.takeAudit(page)
	}
	for _, d := range n.doubts {
		st.book.Mark(d)
		st.marks++
	}
	if n.link != nil {
		link := *n.link
		if link.Changes = 0; link != st.link {
			st.link = link
			st.version++
		}
	}
	for w := range st.watches {
		if w.isBehind(backlog) {
			w.lose()
			replaced++
		}
		w.session.notify()
	}
	return replaced
}

// isFollowed reports whether a watch waits for the next piece. The lock is held, as for all that follow.
func (st *stream) isFollowed() bool {
	for w := range st.watches {
		if w.place != nil {
			return true
		}
	}
	return false
}

func (st *stream) addPiece(p *piece) {
	p.end, p.number = st.last.end+p.rows(), st.last.number+1
	st.last.next = p
	st.last = p
}

func (st *stream) takeSnapshot(s *book.Snapshot) {
	st.book.Settle(s)
	applied, kept, isFollowed := *s, *s, st.isFollowed()
	if isFollowed {
		applied.Rows = s.Rows.Clone()
	}
	if st.book = st.book.Replaced(applied); isFollowed {
		kept.Told = st.told()
		st.addPiece(&piece{snapshot: &kept})
	}
}

func (st *stream) takeUpdates(u *book.Updates) {
	changed, taken, before := changes{rows: make([]model.Position, 0, len(u.Positions))}, *u, st.told()
	for more := true; more; {
		list := st.book.ApplyUpdates(u)
		changed.add(list.Rows)
		more = list.More
	}
	if (len(changed.rows) > 0 || taken.BeginsPartial || st.told() != before) && st.isFollowed() {
		taken.Positions, taken.Told, taken.AsIs = changed.rows, st.told(), true
		st.addPiece(&piece{updates: &taken, events: changed.events})
	}
}

func (st *stream) takeAudit(page *book.AuditPage) {
	corrected := book.AuditPage{NotAfter: page.NotAfter, First: page.First, Corrected: true}
	for more := true; more; {
		var changed changes
		for more && len(changed.rows)+len(changed.removed) < rowsOfPiece {
			list := st.book.ApplyAudit(page)
			changed.add(list.Rows)
			more = list.More
		}
		corrected.Last = page.Last && !more && st.book.IsAudited(st.subscription) // not if a snapshot has replaced the rows
		corrected.Positions, corrected.Removed, corrected.Told = changed.rows, changed.removed, st.told()
		if (corrected.First || corrected.Last || len(changed.rows)+len(changed.removed) > 0) && st.isFollowed() {
			of := corrected
			st.addPiece(&piece{audit: &of})
		}
		corrected.First = false
	}
}

// rowsOfPiece is about how many rows a piece of what an audit has corrected has at most.
const rowsOfPiece = 2000

func (st *stream) enter(w *watch) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.watches[w] = struct{}{}
	w.place, w.seen = nil, 0
	if !st.book.Has(st.subscription) {
		w.goTo(st.last)
	}
}

func (st *stream) leave(w *watch) {
	st.mu.Lock()
	defer st.mu.Unlock()
	delete(st.watches, w)
	w.place = nil
}

func (st *stream) isIdle() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	for w := range st.watches {
		if !w.records {
			return false
		}
	}
	return true
}

// told returns up to which time the stream has told something. The lock is held.
func (st *stream) told() int64 { return st.book.Table(st.subscription).Told() }

// copyTo adds a copy of all rows to a Delta.
func (st *stream) copyTo(to *book.Delta, as model.Subscription) {
	for t := range st.book.AllTables {
		rows, sent := t.Copied()
		to.Snapshots = append(to.Snapshots, book.Snapshot{
			Subscription: as, Rows: rows, AsIs: true, NotAfter: st.notAfter,
			IsPartial: st.book.IsPartial(st.subscription), Sent: sent, Told: st.told(),
		})
		if st.book.IsAudited(st.subscription) {
			to.Audits = append(to.Audits, book.AuditPage{Subscription: as, Corrected: true, Last: true, Told: st.told()})
		}
	}
}

// backlog returns how many rows wait for all watches, and how many for the one for which the most wait.
func (st *stream) backlog() (all, most int) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for w := range st.watches {
		if w.place != nil {
			all, most = all+w.waiting(), max(most, w.waiting())
		}
	}
	return all, most
}
