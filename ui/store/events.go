package store

import (
	"maps"
	"slices"
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
	if d.arrival.isCurrent && d.finder.IsIdle() && before != nil && after != nil && before.HasSameHolding(after) {
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
	if d.rewound[s.Subscription] {
		return
	}
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

// rewind is the last jump back in a recording.
type rewind struct {
	to      time.Time
	pending bool // from the jump until the first snapshot after it
}

// JumpBack notes that a recording is played again from its beginning up to a time. The first snapshot of each
// subscription then has no events, and a new log begins with it. What is later than that time is dropped: totals,
// trends, and a baseline.
func (s *Store) JumpBack(to time.Time) tea.Cmd {
	d := &s.data
	d.rewound = make(map[model.Subscription]bool)
	for _, subscription := range d.subscriptions {
		d.rewound[subscription] = true
	}
	s.rewind = rewind{to, true}
	s.moves.dropAfter(to)
	if at, ok := d.book.Baseline().At(); ok && at.After(to) && d.book.HasTakenBaseline() {
		s.notices.add("Baseline removed: it was taken at " + s.format.ClockOn(at, s.Now()) + ", later than now.")
		return s.DropBaseline()
	}
	return nil
}

// restartEvents begins a new log with the first of some snapshots after a jump back.
func (s *Store) restartEvents(snapshots []book.Snapshot) {
	isFirst := func(of book.Snapshot) bool { return s.data.rewound[of.Subscription] }
	if s.rewind.pending && slices.ContainsFunc(snapshots, isFirst) {
		s.log, s.data.finder = new(event.Log), new(event.Finder)
		s.rewind.pending = false
		s.moves.dropAfter(s.rewind.to) // what was added since the jump is of the time before it
	}
}

// rewoundWithout returns a set of subscriptions without those that have a snapshot.
func rewoundWithout(rewound map[model.Subscription]bool, snapshots []book.Snapshot) map[model.Subscription]bool {
	rest := maps.Clone(rewound)
	for i := range snapshots {
		delete(rest, snapshots[i].Subscription)
	}
	return rest
}
