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

// noteChange adds the event of a change to the log, if there is one. It is a book.ChangeObserver.
func (s *Store) noteChange(before, after *model.Position, source book.ChangeSource) {
	if before != nil && after != nil && before.HasSameHolding(after) {
		return // most updates: the clock is not read for them
	}
	noteEvent(s.log, &s.data.scope, s.ServiceNow(), before, after, source)
}

func noteEvent(log *event.Log, scope *model.Scope, serviceNow time.Time, before, after *model.Position, source book.ChangeSource) {
	if e, ok := event.New(before, after, source, serviceNow); ok && scope.Covers(book.ChangedKey(before, after)) {
		log.Add(e)
	}
}

// snapshotEvents adds the events that a snapshot shows to a log. It is called in a command.
func (d *data) snapshotEvents(log *event.Log, b *book.Book, s *book.Snapshot) {
	if d.rewound[s.Subscription] {
		return
	}
	b.SnapshotChanges(s, func(before, after *model.Position, source book.ChangeSource) {
		noteEvent(log, &d.scope, d.seenAt, before, after, source)
	})
}

// rewind is the last jump back in a recording.
type rewind struct {
	to      time.Time
	pending bool // from the jump until the first snapshot after it
}

// JumpBack notes that a recording is played again from its beginning up to a time. The first snapshot of each
// subscription then has no events, and a new log begins with it. What is later than that time is dropped: totals,
// trends, and a baseline; at is when the one that was dropped was taken, zero if there was none.
func (s *Store) JumpBack(to time.Time) (drop tea.Cmd, at time.Time) {
	d := &s.data
	d.rewound = make(map[model.Subscription]bool)
	for _, subscription := range d.subscriptions {
		d.rewound[subscription] = true
	}
	s.rewind = rewind{to, true}
	s.moves.dropAfter(to)
	if at, ok := d.book.Baseline().At(); ok && at.After(to) && d.book.HasTakenBaseline() {
		return s.changeBaseline(dropBaseline), at
	}
	return nil, time.Time{}
}

// restartEvents begins a new log with the first of some snapshots after a jump back.
func (s *Store) restartEvents(snapshots []book.Snapshot) {
	isFirst := func(of book.Snapshot) bool { return s.data.rewound[of.Subscription] }
	if s.rewind.pending && slices.ContainsFunc(snapshots, isFirst) {
		s.log = new(event.Log)
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
