package store

import (
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/history"
)

// noteChange notes what a change in the book has traded, and adds its event to a log, if there is one. Most changes are
// of the price alone.
func (d *data) noteChange(log *event.Log, moves *Moves, c *book.Change) {
	if c.Source == book.NoEvent {
		return
	}
	isPriceAlone := c.Before != nil && c.After != nil && analysis.IsPriceAlone(c.Before, c.After)
	if !isPriceAlone || c.Before.Status() != c.After.Status() {
		moves.noteChange(c, d)
	}
	if !d.happening.findsEvents {
		return
	}
	if !isPriceAlone {
		d.trades.note(c.Before, c.After, d.instruments)
	}
	if d.happening.finder.IsNone(c.Before, c.After, &d.arrival) {
		if d.scope.Covers(c.Key()) {
			d.happening.troubles.NoteUnchanged(log, c.Before, c.After, d.arrival.Seen())
		}
		return
	}
	d.noteEvent(d.happening.finder, log, c, func(e event.Event) { d.happened(log, e) })
}

// noteListing notes a position if it has come, or has left the list.
func (d *data) noteListing(c *book.Change) {
	if c.Before != nil && c.After != nil {
		return
	}
	if in := d.view.Instruments(); d.relisted.IsZero() {
		d.relisted = history.NewLearned(in, in)
	}
	if relisted := d.book.Baselines().NoteListing(c.Before, c.After, d.arrival.Ahead()); d.scope.Covers(c.Key()) {
		d.relisted.Relist(relisted)
	}
}

// noteEvent adds the event of a change to a log with a function, if there is one.
func (d *data) noteEvent(finder *event.Finder, log *event.Log, c *book.Change, add func(event.Event)) {
	if !d.scope.Covers(c.Key()) {
		return
	}
	e, isEvent, missed := finder.Find(c.Before, c.After, c.Source, &d.arrival)
	if isEvent {
		add(e)
	}
	if missed {
		log.AddMissed(1)
	}
}

// noteSnapshotChange adds to logs the event and the trade that a change by a snapshot shows. It is called in a command.
func (d *data) noteSnapshotChange(c *book.Change, finder *event.Finder, log *event.Log, trades *analysis.Log) {
	before := d.job.since.Add(-1) // a baseline that is taken together with the snapshots has these changes already
	trades.Note(c.Before, c.After, d.instruments, before)
	d.noteEvent(finder, log, c, func(e event.Event) { log.Add(e) })
}
