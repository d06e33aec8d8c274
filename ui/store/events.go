package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
)

// noteChange notes what a change in the book has traded, and adds its event to a log, if there is one. Most changes
// have none.
func (d *data) noteChange(log *event.Log, before, after *model.Position, source book.ChangeSource) {
	d.noteTrouble(before, after, source)
	if !d.findsEvents {
		return
	}
	if before == nil || after == nil || !analysis.IsPriceAlone(before, after) {
		d.trades.note(before, after, d.instruments)
	}
	if !d.finder.IsNone(before, after, &d.arrival) {
		d.noteEvent(d.finder, log, before, after, source)
	}
}

// noteEvent adds the event of a change to a log, if there is one.
func (d *data) noteEvent(finder *event.Finder, log *event.Log, before, after *model.Position, source book.ChangeSource) {
	if !d.scope.Covers(book.ChangedKey(before, after)) {
		return
	}
	e, isEvent, missed := finder.Find(before, after, source, &d.arrival)
	if isEvent {
		log.Add(e)
	}
	if missed {
		log.AddMissed(1)
	}
}

// snapshotObserver returns what adds to logs the events, the trades and the changes of positions in trouble that
// snapshots show; nil if events are not looked for. It is called in a command.
func (d *data) snapshotObserver(finder *event.Finder, log *event.Log, trades *analysis.Log, trouble *[]troubleChange) book.ChangeObserver {
	if !d.findsEvents {
		return nil
	}
	before := d.job.since.Add(-1) // a baseline that is taken together with the snapshots has these changes already
	return func(was, is *model.Position, source book.ChangeSource) {
		if change, ok := d.troubleOf(was, is, source); ok {
			*trouble = append(*trouble, change)
		}
		trades.Note(was, is, d.instruments, before)
		d.noteEvent(finder, log, was, is, source)
	}
}

// settleEvents adds the events of rows that can be used again to the log. It returns a command that makes it go on if
// there are many.
func (d *data) settleEvents(f *Flow, log *event.Log, now time.Time) tea.Cmd {
	arrival := event.NewArrival(f.links, now)
	if d.job.running || f.frozen || f.held != nil || !d.finder.CompareKept(d.book, &arrival, log.Add) {
		return nil
	}
	return func() tea.Msg { return unappliedMsg{} }
}
