package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// arrival is what is known of the rows that are being applied.
type arrival struct {
	links     []model.Link // as they are with these rows
	at        time.Time
	seenAt    time.Time // the same by the clock of the service
	isCurrent bool      // no stream is behind
}

// isUsable reports whether the rows of a subscription are not out of date.
func (a *arrival) isUsable(of model.Subscription) bool {
	for i := range a.links {
		if link := &a.links[i]; link.Subscription == of {
			return !link.MayBeOutOfDate(a.at)
		}
	}
	return true
}

// newArrival returns what is known of the rows that are applied next.
func newArrival(f *Flow, now, serviceNow time.Time) arrival {
	a := arrival{links: f.links, at: now, seenAt: serviceNow, isCurrent: true}
	if f.held.Links != nil {
		a.links = f.held.Links
	}
	for i := range a.links {
		a.isCurrent = a.isCurrent && a.links[i].Behind(now) == 0
	}
	return a
}

// noteChange adds the event of a change to the log, if there is one. It is a book.ChangeObserver.
func (s *Store) noteChange(before, after *model.Position, source book.ChangeSource) {
	d := &s.data
	if !d.findsEvents {
		return
	}
	if d.arrival.isCurrent && d.finder.IsIdle() && event.NoneBetween(before, after) {
		return // most updates
	}
	d.noteEvent(d.finder, s.log, before, after, source)
}

// noteEvent adds the event of a change to a log, if there is one.
func (d *data) noteEvent(finder *event.Finder, log *event.Log, before, after *model.Position, source book.ChangeSource) {
	key := book.ChangedKey(before, after)
	if !d.scope.Covers(key) {
		return
	}
	change := event.Change{Before: before, After: after, Source: source, Link: model.LinkOf(d.arrival.links, key), Seen: d.arrival.seenAt}
	e, isEvent, missed := finder.Find(&change, d.arrival.at)
	if isEvent {
		log.Add(e)
	}
	if missed {
		log.AddMissed(1)
	}
}

// snapshotEvents adds the events that a snapshot shows to a log. It is called in a command.
func (d *data) snapshotEvents(finder *event.Finder, log *event.Log, b *book.Book, s *book.Snapshot) {
	b.SnapshotChanges(s, func(before, after *model.Position, source book.ChangeSource) {
		d.noteEvent(finder, log, before, after, source)
	})
}

// settleEvents adds the events of rows that can be used again to the log. It returns a command that makes it go on if
// there are many.
func (d *data) settleEvents(f *Flow, log *event.Log, now, serviceNow time.Time) tea.Cmd {
	if d.cycle.preparing || f.frozen || f.held != nil || !d.finder.Settle(f.links, d.book, serviceNow, now, log.Add) {
		return nil
	}
	return func() tea.Msg { return uncomparedMsg{} }
}

// takeEvents takes the events of a recording with what was applied. After a jump they begin a new log.
func (s *Store) takeEvents() {
	if s.options.Events == nil {
		return
	}
	restart, events := s.options.Events()
	if restart {
		s.log = new(event.Log)
	}
	for i := range events {
		s.log.Add(events[i])
	}
}

// restart begins again with the rows of another time of a recording. Totals and trends that are later are dropped.
func (s *Store) restart() {
	s.data.restarted = true
	s.data.heldPages = nil
	s.walk.watch(s.source, s.data.scope)
	s.moves.dropAfter(s.Now())
}

// JumpBack notes that a recording goes back to a time. What is later is dropped: totals, trends, and a baseline.
func (s *Store) JumpBack(to time.Time) tea.Cmd {
	d := &s.data
	s.moves.dropAfter(to)
	if at, ok := d.book.Baseline().At(); ok && at.After(to) && d.book.HasTakenBaseline() {
		s.notices.add("Baseline removed: it was taken at " + s.format.ClockOn(at, s.Now()) + ", later than now.")
		return s.DropBaseline()
	}
	return nil
}
