package store

import (
	"blotter/model/analysis"
	"blotter/model/event"
	"blotter/ui/history"
)

// applied returns the book that d needs, with what its snapshots show.
func (d *data) applied() Prepared {
	from := d.book
	if d.keepsView() && !d.isApart() {
		from = from.Clone()
	}
	book := from.Narrowed(d.subscriptions)
	if d.rescoped && book.Margins().IsFull() {
		book = book.WithoutMargins()
	}
	if d.restarted.is {
		book = book.Emptied(d.job.since)
	}
	made := Prepared{events: new(event.Log), finder: d.happening.finder, trades: analysis.NewPart()}
	if len(d.snapshots) > 0 {
		made.finder = made.finder.Clone()
	}
	made.learned = history.NewLearned(d.view.Instruments(), d.viewInstruments)
	for _, snapshot := range d.subscribedSnapshots() {
		loss := Report{of: snapshot.Subscription, at: d.job.since}
		for change := range book.SnapshotChanges(&snapshot) {
			if change.After == nil && change.Before.IsOpen() {
				loss.gone++
			}
			if relisted := book.Baselines().NoteListing(change.Before, change.After, d.arrival.Ahead()); d.scope.Covers(change.Key()) {
				made.learned.Relist(relisted)
				made.hidden++
			}
			if d.happening.findsEvents {
				d.noteSnapshotChange(change, made.finder, made.events, made.trades)
			}
		}
		wasWatched := book.Has(snapshot.Subscription)
		book = book.Replaced(snapshot)
		loss.isLoss = !d.restarted.is && d.happening.corrections.isLoss(loss.of, loss.gone, book)
		made.losses = append(made.losses, loss)
		if !wasWatched {
			book.Baselines().NoteFirstRows(book.Table(snapshot.Subscription), d.arrival.Ahead())
		}
	}
	for _, read := range d.restarted.margins {
		if read.Page != nil {
			book.MergeMargins(read.Page)
		}
	}
	made.book = book
	return made
}
