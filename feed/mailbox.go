package feed

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// mailbox keeps what the screen has not taken yet: the newest snapshot and the newest state of each subscription, and
// its updates. If many updates wait, only those with an event and the newest of each row are kept: see pending. It
// is the only place that the goroutines of the feed and of the screen share. Only an audit waits for the screen in it.
type mailbox struct {
	mu           sync.Mutex
	boxes        map[model.Subscription]*box
	order        []model.Subscription
	first        int              // the index in order of the subscription whose updates are taken first
	wake         chan struct{}    // holds one token if something may have come
	taken        chan struct{}    // closed and replaced when something was taken
	linksChanged bool             // since they were taken last
	reused       []model.Position // the memory of the rows of the last Delta, reused for the next
	limit        int              // how many rows may wait for the screen; 0 is no limit
	bufferLimit  int              // how many updates may wait as they came, before they are stored
	historyLimit int              // how many updates may wait that are not the newest of their rows
}

// box has the data of one subscription in the mailbox. The data is taken in the order of the fields.
type box struct {
	link       model.Link
	snapshot   *book.Snapshot
	superseded pending    // the updates before the snapshot, of which only the events count
	earlier    pending    // the updates of streams before the one that begins
	before     *book.Rows // of late pages of the first of those streams
	between    *book.Rows // of pages of the others, of which the screen has taken nothing, with the updates of their rows
	begins     bool       // another stream begins, and the rows before stay
	isPartial  bool       // its snapshot has no last page
	pages      *book.Rows // of pages that came after the rows were shown, before the updates
	updates    pending
	latePages  *book.Rows // the same, after some of the updates. No update of these rows came later
	audit      auditRows
	doubts     *book.Doubts // nil if they have not changed
	notAfter   int64
	changes    int // rows that came since all was taken last; a row that changes twice counts twice
}

// auditRows are rows of an audit that wait to be compared.
type auditRows struct {
	first, last bool
	rows        []model.Position
	notAfter    int64
	// What is believed, as in book.AuditPage.
	removed, believed []model.Key
	isBelieved        bool
}

func (a *auditRows) isEmpty() bool {
	return !a.first && !a.last && len(a.rows)+len(a.removed)+len(a.believed) == 0
}

// hasRoom reports whether the rows of a page can wait with those that wait already.
func (a *auditRows) hasRoom(page *book.AuditPage) bool {
	return len(a.rows) == 0 || len(a.rows)+len(page.Positions) <= auditAhead && a.isBelieved == page.IsBelieved
}

func (a *auditRows) add(page *book.AuditPage) {
	a.rows = append(a.rows, page.Positions...)
	a.last, a.notAfter = a.last || page.Last, page.NotAfter
	a.removed, a.believed, a.isBelieved = page.Removed, page.Believed, page.IsBelieved
}

const (
	maxBuffered = 1 << 14 // those of several frames, 2 MiB
	maxHistory  = 1 << 17
	leastRoom   = 1 << 10 // how many of each kind a subscription may always have
)

// batch is how many updates a Delta holds at most. The data is delivered once in a frame's time, in as many Deltas as
// needed, one right after the other. A key press may have to wait while the screen merges one, which takes some
// milliseconds; and each Delta takes some time however small it is.
const batch = 2048

// auditAhead is how many rows of an audit may wait for the screen.
const auditAhead = 4096

var (
	errFull       = errors.New("too many positions have changed while the screen took none of the changes")
	errNotWatched = errors.New("the subscription is no longer watched")
)

func newMailbox(limit int) *mailbox {
	return &mailbox{
		boxes: make(map[model.Subscription]*box), wake: make(chan struct{}, 1), taken: make(chan struct{}),
		limit: limit, bufferLimit: maxBuffered, historyLimit: maxHistory,
	}
}

// setSubscriptions sets the subscriptions. Data of all others is dropped, now and when it comes later.
func (m *mailbox) setSubscriptions(subscriptions []model.Subscription) {
	m.mu.Lock()
	defer m.mu.Unlock()
	boxes := make(map[model.Subscription]*box, len(subscriptions))
	for _, s := range subscriptions {
		if boxes[s] = m.boxes[s]; boxes[s] == nil {
			boxes[s] = &box{link: model.Link{Subscription: s}}
		}
	}
	m.boxes, m.order, m.linksChanged = boxes, slices.Clone(subscriptions), true
	m.notify()
}

// change calls do with the box of subscription s, if s is still watched.
func (m *mailbox) change(s model.Subscription, do func(*box)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.boxes[s]; b != nil {
		do(b)
		m.notify()
	}
}

// Publish keeps the newest state of a subscription.
func (m *mailbox) Publish(link model.Link) {
	m.change(link.Subscription, func(b *box) {
		b.link = link
		m.linksChanged = true
	})
}

// Doubt keeps the newest doubts of a subscription.
func (m *mailbox) Doubt(doubts book.Doubts) {
	m.change(doubts.Subscription, func(b *box) { b.doubts = &doubts })
}

// Update keeps updates. It fails if too many rows wait already.
func (m *mailbox) Update(u book.Updates) (err error) {
	m.change(u.Subscription, func(b *box) {
		b.notAfter = u.NotAfter
		b.changes += len(u.Positions)
		if u.LatePage {
			b.putLatePage(u)
		} else {
			b.removeLatePages(u.Positions)
			b.updates.put(u.Positions, m.roomOfEach())
		}
		if m.isOver(b.before.Len()+b.between.Len()+b.pages.Len()+b.latePages.Len()) ||
			m.isOver(b.earlier.rowsAtLeast()+b.updates.rowsAtLeast()) {
			err = errFull
		}
	})
	return err
}

// isOver reports whether the given number of rows is more than may wait.
func (m *mailbox) isOver(rows int) bool { return m.limit > 0 && rows > m.limit }

// putLatePage keeps a page that came after the rows were shown. It is given after the updates and pages that wait now.
func (b *box) putLatePage(u book.Updates) {
	to := &b.pages
	if b.updates.len() > 0 || b.latePages.Len() > 0 {
		to = &b.latePages
		b.updates.mark()
	}
	if *to == nil {
		*to = book.NewRows()
	}
	(*to).PutPage(u.Positions, u.NotAfter)
}

// removeLatePages removes the rows of late pages that updates replace.
func (b *box) removeLatePages(updates []model.Position) {
	for i := range updates {
		if b.latePages.Len() == 0 {
			return
		}
		if page, found := b.latePages.Remove(updates[i].Key); found && !event.NoneBetween(&page, &updates[i]) {
			b.updates.missed++
		}
	}
}

// BeginPartial begins the rows of a stream whose snapshot has no last page so far.
func (m *mailbox) BeginPartial(s model.Subscription) {
	m.change(s, func(b *box) {
		b.isPartial, b.audit = true, auditRows{}
		m.begin(b)
	})
}

// BeginStream begins the updates of a stream whose snapshot was not taken.
func (m *mailbox) BeginStream(s model.Subscription) { m.change(s, m.begin) }

// begin puts what waits before what comes from now on, which is of another stream. The caller holds the lock.
func (m *mailbox) begin(b *box) {
	to := &b.before
	if b.begins {
		to = &b.between
	}
	if *to == nil {
		*to = book.NewRows()
	}
	for _, pages := range []*book.Rows{b.pages, b.latePages} {
		for pages.Len() > 0 {
			(*to).PutPage(pages.Take(batch, nil), b.notAfter)
		}
	}
	b.updates.moveTo(&b.earlier, m.roomOfEach(), func(update *model.Position) {
		if b.between.Has(update.Key) && !b.between.IsNewer(update, b.notAfter) {
			b.between.Put(update)
		}
	})
	b.begins, b.pages, b.latePages = true, nil, nil
}

// roomOfEach returns how many updates of each subscription may wait. The caller holds the lock.
func (m *mailbox) roomOfEach() room {
	return room{bufferLimit: max(m.bufferLimit/len(m.boxes), leastRoom), historyLimit: max(m.historyLimit/len(m.boxes), leastRoom)}
}

// Commit keeps a whole snapshot. It replaces all earlier data, except for rows that are newer and were never shown, and
// for updates that may have events; of too many updates none is kept.
func (m *mailbox) Commit(snapshot book.Snapshot) {
	m.change(snapshot.Subscription, func(b *box) {
		b.supersede(&snapshot, m.roomOfEach())
		if m.isOver(b.superseded.rowsAtLeast()) {
			b.superseded = pending{missed: b.superseded.missed + b.superseded.len()}
		}
		b.begins, b.isPartial = false, false
		b.snapshot, b.before, b.between, b.pages, b.latePages, b.audit = &snapshot, nil, nil, nil, nil, auditRows{}
		b.changes = snapshot.Rows.Len()
	})
}

// supersede puts into a snapshot what has waited before it and is newer: an earlier snapshot, and pages that were shown
// without the last one. Updates are superseded, and the book compares them: here, only rows that were never shown are.
func (b *box) supersede(snapshot *book.Snapshot, room room) {
	waited, updated := book.NewRows(), make(map[model.Key]bool)
	if b.snapshot != nil {
		waited = b.snapshot.Rows
	}
	hasRows := waited.Len()+b.before.Len()+b.between.Len()+b.pages.Len()+b.latePages.Len() > 0
	putUpdate := func(p *model.Position) {
		if hasRows {
			waited.PutUnlessOlder(p, snapshot.NotAfter)
			updated[p.Key] = true
		}
	}
	putPages := func(all ...*book.Rows) {
		for _, pages := range all {
			for p := range pages.All {
				if !updated[p.Key] || waited.IsOlder(&p, snapshot.NotAfter) {
					waited.PutUnlessOlder(&p, snapshot.NotAfter)
				}
			}
		}
	}
	b.earlier.moveTo(&b.superseded, room, putUpdate)
	putPages(b.before)
	if b.begins {
		clear(updated) // by another stream
	}
	putPages(b.between, b.pages)
	b.updates.moveTo(&b.superseded, room, putUpdate)
	putPages(b.latePages)
	if !snapshot.AsIs {
		book.KeepNewer(snapshot.Rows, waited, snapshot.NotAfter)
		snapshot.AsIs = b.snapshot != nil && b.snapshot.AsIs
	}
}

// Audit keeps a page of an audit. It waits until there is room for it; the first page of an audit waits until the
// screen has taken it. The screen gets a page after the updates that came before it. In another order, the changes
// of those updates would be counted as errors that the audit has found, and would have no events.
func (m *mailbox) Audit(ctx context.Context, page book.AuditPage) error {
	put := false
	for {
		m.mu.Lock()
		b, taken := m.boxes[page.Subscription], m.taken
		switch {
		case ctx.Err() != nil: // another audit may have begun
			m.mu.Unlock()
			return context.Cause(ctx)
		case b == nil:
			m.mu.Unlock()
			return errNotWatched
		case put && !b.audit.first:
			m.mu.Unlock()
			return nil
		case page.First && !put && !b.audit.isEmpty(): // the screen has not taken all of the last audit
		case page.First && !put:
			b.audit = auditRows{first: true}
			b.updates.mark()
			put = true
			m.notify()
		case !put && b.audit.hasRoom(&page):
			b.audit.add(&page)
			b.updates.mark()
			m.notify()
			m.mu.Unlock()
			return nil
		}
		m.mu.Unlock()
		if err := endpoint.Pause(ctx, time.Time{}, taken); err != nil {
			return err
		}
	}
}

// notify wakes Next.
func (m *mailbox) notify() { endpoint.Signal(m.wake) }

// states returns the newest state of every subscription.
func (m *mailbox) states() []model.Link {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.linksNow()
}

// linksNow returns the newest state of every subscription, in their order. The caller holds the lock.
func (m *mailbox) linksNow() []model.Link {
	links := slices.Grow([]model.Link(nil), len(m.order)) // nil without subscriptions
	for _, subscription := range m.order {
		b := m.boxes[subscription]
		link := b.link
		link.Changes = b.changes
		links = append(links, link)
	}
	return links
}
