package store

import (
	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/history"
)

// noteChange notes what a change in the book has traded, and adds its event to the log, if there is one. Most
// changes are of the price alone.
func (d *data) noteChange(moves *Moves, c *book.Change) {
	if c.Source == book.NoEvent {
		return
	}
	isPriceAlone := c.Before != nil && c.After != nil && analysis.IsPriceAlone(c.Before, c.After)
	if !isPriceAlone || c.Before.Status() != c.After.Status() {
		moves.noteChange(c)
	}
	if !d.happening.findsEvents {
		return
	}
	if !isPriceAlone {
		d.trades.note(c.Before, c.After, d.instruments)
	}
	if d.happening.finder.IsNone(c.Before, c.After, &d.arrival) {
		if d.scope.Covers(c.Key()) {
			d.happening.troubles.NoteUnchanged(d.happening.log, c.Before, c.After, d.arrival.Seen())
		}
		return
	}
	d.noteEvent(d.happening.finder, d.happening.log, c, d.happening.take)
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

// take adds an event to the log, with what it means for the story of its position.
func (h *happenings) take(e event.Event) {
	h.troubles.Take(h.log, e)
	h.keptChanged = h.keptChanged || e.Story != nil || h.troubles.Present.IsTroubled(e.Key)
}

// narrow drops the stories under way of positions outside of a scope, if it is another one than before: what happens to
// them is not seen any more.
func (h *happenings) narrow(scope model.Scope) {
	if !scope.Equal(h.storyScope) {
		h.storyScope, h.keptChanged = scope, true
		h.troubles.Narrow(scope)
	}
}

// keepRows shows the rows of flat positions whose story has ended a short time ago, and no longer those of others.
func (d *data) keepRows() {
	if !d.happening.keptChanged || d.isRead() || d.isApart() {
		return
	}
	d.happening.keptChanged = false
	d.view.KeepOnly(d.happening.troubles.Present.KeptKeys())
}
