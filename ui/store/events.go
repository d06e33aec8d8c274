package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
)

// noteChange notes what a change in the book has traded, and adds its event to a log, if there is one. Most changes are
// of the price alone.
func (d *data) noteChange(log *event.Log, moves *Moves, c *book.Change) {
	d.view.Book().Baselines().NoteListing(c.Before, c.After, d.arrival.Ahead())
	if c.Source == book.NoEvent {
		return
	}
	d.noteTrouble(c)
	isPriceAlone := c.Before != nil && c.After != nil && analysis.IsPriceAlone(c.Before, c.After)
	if !isPriceAlone || c.Before.Status() != c.After.Status() {
		moves.noteChange(c, d)
	}
	if !d.findsEvents {
		return
	}
	if !isPriceAlone {
		d.trades.note(c.Before, c.After, d.instruments)
	}
	if !d.finder.IsNone(c.Before, c.After, &d.arrival) {
		d.noteEvent(d.finder, log, c)
	}
}

// noteEvent adds the event of a change to a log, if there is one.
func (d *data) noteEvent(finder *event.Finder, log *event.Log, c *book.Change) {
	if !d.scope.Covers(c.Key()) {
		return
	}
	e, isEvent, missed := finder.Find(c.Before, c.After, c.Source, &d.arrival)
	if isEvent {
		log.Add(e)
	}
	if missed {
		log.AddMissed(1)
	}
}

// noteSnapshotChange adds to logs the event, the trade and the change of a position in trouble that a change by a
// snapshot shows. It is called in a command.
func (d *data) noteSnapshotChange(c *book.Change, finder *event.Finder, log *event.Log, trades *analysis.Log, trouble *[]troubleChange) {
	if d.isOfTrouble(c) {
		*trouble = append(*trouble, *d.troubleOf(c))
	}
	before := d.job.since.Add(-1) // a baseline that is taken together with the snapshots has these changes already
	trades.Note(c.Before, c.After, d.instruments, before)
	d.noteEvent(finder, log, c)
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
