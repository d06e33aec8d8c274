package record

import (
	"cmp"
	"slices"
	"time"

	"blotter/feed/secrets"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// state is what the screen has got up to a moment, with its consequences. It goes on in one of two ways: take applies
// what the feed delivers, and finds what it changes; load applies entries that take has found before.
type state struct {
	start   time.Time
	service string         // replaces addresses
	secrets *secrets.Hider // are hidden in the words of links
	limit   int            // of positions; 0 is none
	emit    func(*entry)   // gets what take finds, and what load has applied

	*book.Book
	links   []model.Link
	margins marginsOf     // of the newest page
	finder  *event.Finder // nil if the events come with the entries
	at      time.Duration

	arrival event.Arrival    // of what is taken
	changed []model.Position // by it
	removed []model.Key
	staged  map[model.Subscription]*book.Rows // of snapshots whose last entry has not been loaded
}

// newState returns a state without rows, which goes on by load.
func newState(start time.Time, limit int) *state {
	return &state{start: start, limit: limit, emit: func(*entry) {}, Book: book.New(limit), staged: make(map[model.Subscription]*book.Rows)}
}

// newTakingState returns a state without rows, which goes on by take. The hider may be nil.
func newTakingState(header *Header, limit int, hider *secrets.Hider) *state {
	s := newState(header.Start, limit)
	s.service, s.secrets, s.finder = header.Service, cmp.Or(hider, new(secrets.Hider)), new(event.Finder)
	return s
}

// clone returns a copy that shares nothing with the state.
func (s *state) clone() *state {
	clone := *s
	clone.Book = s.Clone()
	clone.finder = s.finder.Clone()
	clone.changed, clone.removed, clone.staged = nil, nil, make(map[model.Subscription]*book.Rows)
	clone.links = slices.Clone(s.links)
	return &clone
}

// now is the time of what is taken or loaded.
func (s *state) now() time.Time { return s.start.Add(s.at) }

// notAfterOf is the time after which the times of the positions of an entry are ahead.
func (s *state) notAfterOf(rows *rowsOf) int64 { return cmp.Or(rows.NotAfter, s.notAfter()) }

// notAfter is the time after which the times of positions are ahead, of what is received now.
func (s *state) notAfter() int64 {
	return model.ServiceTime(s.links, s.now()).Add(model.AheadFor).UnixNano()
}

// note emits the event of a change, if there is one.
func (s *state) note(c *book.Change) {
	if c.Source == book.NoEvent {
		return
	}
	e, isEvent, missed := s.finder.Find(c.Before, c.After, c.Source, &s.arrival)
	if isEvent {
		s.emitEvent(e)
	}
	if missed {
		s.emit(&entry{At: s.at, Missed: 1})
	}
}

// applyMoment applies what the screen got at once, and emits what it changes.
func (s *state) applyMoment(m *moment) {
	s.at = m.At
	s.takeLinks(m.Links)
	if m.Missed > 0 {
		s.emit(&entry{At: s.at, Missed: m.Missed})
	}
	s.arrival = event.NewArrival(s.links, s.now())
	for i := range m.Snapshots {
		s.takeSnapshot(&m.Snapshots[i])
	}
	for i := range m.Updates {
		s.takeUpdates(&m.Updates[i])
	}
	for i := range m.Audits {
		s.takeAudit(&m.Audits[i])
	}
	for i := range m.Doubts {
		s.Mark(&m.Doubts[i])
		s.emit(&entry{At: s.at, Doubts: &m.Doubts[i]})
	}
	for i := range m.Margins {
		e := s.marginsEntry(&m.Margins[i], s.at)
		s.putMargins(e.Margins, e.levels)
		s.emit(e)
	}
	for s.finder.CompareKept(s.Book, &s.arrival, s.emitEvent) { // rows that can be used again
	}
}

func (s *state) takeLinks(links []model.Link) {
	if len(links) == 0 {
		return // they are as before
	}
	links = s.recordedLinks(links)
	emitLinks(s.links, links, s.at, func(e *entry) {
		if e.Watched != nil {
			s.loadWatched(*e.Watched)
		}
		s.emit(e)
	})
	s.links = links
}

func (s *state) emitEvent(e event.Event) { s.emit(eventEntry(s.at, &e)) }

// noteAll notes what has changed, and emits the events.
func (s *state) noteAll(changes []book.Change) {
	for i := range changes {
		c := &changes[i]
		switch {
		case c.IsOfRatio:
			continue
		case c.After == nil:
			s.removed = append(s.removed, c.Before.Key)
		case c.Before == nil, c.WasUnsent, !c.Before.Equal(c.After):
			s.changed = append(s.changed, *c.After)
		}
		s.note(c)
	}
}

func (s *state) takeUpdates(u *book.Updates) {
	before, beginsPartial := s.Table(u.Subscription).Told(), u.BeginsPartial
	for more := true; more; {
		changes := s.ApplyUpdates(u)
		s.noteAll(changes.Rows)
		more = changes.More
	}
	if beginsPartial {
		s.emit(&entry{At: s.at, Partial: &u.Subscription})
		before = 0
	}
	told := s.Table(u.Subscription).Told()
	if newest := book.NewestTime(s.changed, u.NotAfter); told == before || newest > 0 && told == max(before, newest) {
		told = 0 // the positions say it
	}
	s.emitRows(rowsOf{Subscription: u.Subscription, Told: told, NotAfter: u.NotAfter}, ofUpdates)
}

func (s *state) takeAudit(page *book.AuditPage) {
	for more := true; more; {
		changes := s.ApplyAudit(page)
		s.noteAll(changes.Rows)
		more = changes.More
	}
	s.emitRows(rowsOf{Subscription: page.Subscription, Last: page.Last && s.IsAudited(page.Subscription),
		Told: s.Table(page.Subscription).Told(), NotAfter: page.NotAfter}, ofAudit)
}

func (s *state) takeSnapshot(snapshot *book.Snapshot) {
	s.Settle(snapshot)
	for row := range snapshot.Rows.All {
		if before, is := s.Find(row.Key); !is || !before.Equal(&row) {
			s.emitRow(snapshot.Subscription, row)
		}
	}
	for row := range s.Narrowed([]model.Subscription{snapshot.Subscription}).All {
		if !snapshot.Rows.Has(row.Key) {
			s.removed = append(s.removed, row.Key)
		}
	}
	after := s.Replaced(*snapshot)
	s.emitRows(rowsOf{Subscription: snapshot.Subscription, Last: true,
		Told: after.Table(snapshot.Subscription).Told(), NotAfter: snapshot.NotAfter}, ofSnapshot)
	for change := range s.SnapshotChanges(snapshot) {
		s.note(change)
	}
	s.Book = after
}

func ofUpdates(rows *rowsOf) entry  { return entry{Updates: rows} }
func ofSnapshot(rows *rowsOf) entry { return entry{Snapshot: rows} }
func ofAudit(rows *rowsOf) entry    { return entry{Audit: rows} }

// emitRow emits a row of a snapshot together with others, because all of them may take much memory.
func (s *state) emitRow(of model.Subscription, row model.Position) {
	if s.changed = append(s.changed, row); len(s.changed) == rowsOfLine {
		s.emitRows(rowsOf{Subscription: of}, ofSnapshot)
	}
}

// emitRows emits what has changed, in one entry or several. The last of them says what is in end: whether it is the
// last of a snapshot or an audit, and up to which time the stream has told something, unless that is 0.
func (s *state) emitRows(end rowsOf, entryOf func(*rowsOf) entry) {
	emit := func(rows rowsOf, positions []model.Position) {
		rows.Subscription = end.Subscription
		hasNoTime := func(p model.Position) bool { _, usable := p.ChangedAt(end.NotAfter); return !usable }
		if end.NotAfter != s.notAfter() && (rows.Last || slices.ContainsFunc(positions, hasNoTime)) {
			rows.NotAfter = end.NotAfter
		}
		e := entryOf(&rows)
		e.At, e.positions = s.at, positions
		s.emit(&e)
	}
	for some := range slices.Chunk(s.changed, rowsOfLine) {
		emit(rowsOf{}, some)
	}
	for some := range slices.Chunk(s.removed, rowsOfLine) {
		emit(rowsOf{Removed: some}, nil)
	}
	if end.Last || end.Told != 0 {
		emit(rowsOf{Last: end.Last, Told: end.Told}, nil)
	}
	s.changed, s.removed = s.changed[:0], s.removed[:0]
}

// marginsEntry returns the entry of what was read of margin levels at a time.
func (s *state) marginsEntry(read *book.MarginsRead, at time.Duration) *entry {
	e := &entry{At: at, Margins: &marginsOf{Ended: read.Ended, Whole: read.Whole}}
	if read.Err != nil {
		e.Margins.Problem = s.secrets.Hide(read.Err.Error())
	}
	if page := read.Page; page != nil {
		e.Margins.ReadAt, e.Margins.ServedAt, e.Margins.Block, e.levels = page.ReadAt, page.ServedAt, page.Block, page.Rows
	}
	return e
}

func (s *state) putMargins(m *marginsOf, levels []model.MarginLevels) {
	before := s.margins
	s.margins = *m
	s.margins.Whole = before.Whole || m.Whole
	if m.ReadAt.IsZero() { // the request has failed
		s.margins.ReadAt = before.ReadAt
	}
	if len(levels) == 0 {
		return
	}
	s.MergeMargins(m.page(levels))
}
