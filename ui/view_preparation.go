package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// slowAfter is how long a view may be prepared before the screen says so: a few frames.
const slowAfter = 100 * time.Millisecond

// preparedMsg hands over a view, whole.
type preparedMsg struct{ view *model.View }

// slowMsg comes when a view takes long enough to be worth a word.
type slowMsg struct{}

// prepare has a view made of what is wanted now. One is made at a time, so none can overtake another: while one is
// being made, what is wanted waits its turn.
func (d *data) prepare(now time.Time) tea.Cmd {
	if d.preparing {
		d.again = true
		return nil
	}
	d.preparing, d.again, d.since = true, false, now
	if !d.isSorted() {
		d.known = d.instruments
	}
	wanted := *d
	d.snapshots, d.rescoped = nil, false
	work := func() tea.Msg { return preparedMsg{wanted.prepared()} }
	return tea.Batch(work, tea.Tick(slowAfter, func(time.Time) tea.Msg { return slowMsg{} }))
}

// isSorted tells whether the view that there is has the rows that are wanted in the order that is wanted: then only the
// filter can be another.
func (d *data) isSorted() bool {
	same := !d.rescoped && len(d.snapshots) == 0 && d.view.Book() == d.book
	return same && d.view.Order == d.order && d.view.Instruments() == d.known
}

// prepared is the view that d wants, of the book that d has. It changes nothing.
func (d *data) prepared() *model.View {
	if d.isSorted() {
		return d.view.Refiltered(d.filter)
	}
	book := d.book.Narrowed(d.subscriptions)
	for _, s := range d.snapshots {
		if d.subscribed(s.Subscription) {
			book = book.Replaced(s.Subscription, s.Rows)
		}
	}
	return d.viewOf(book)
}

// take puts a prepared view on the screen, and has the next one made if that is no longer what is wanted.
func (d *data) take(msg preparedMsg, now time.Time) tea.Cmd {
	d.preparing = false
	d.book = msg.view.Book()
	if !d.again || !d.cleared {
		d.view, d.cleared = msg.view, false
	}
	if at := now.Add(min(50*now.Sub(d.since), maxLearnedDelay)); at.After(d.applyLearnedAt) {
		d.applyLearnedAt = at
	}
	if d.again {
		return d.prepare(now)
	}
	return d.applyLearned(now)
}

// maxLearnedDelay is how long what was learnt waits at most. A view that seemed to take very long was stopped with the program.
const maxLearnedDelay = 2 * time.Minute

// applyLearned has a view made of what was learnt of markets. That can be something new at each step of the cursor, so
// where a view takes long it waits: no more than a fiftieth of the time goes into it.
func (d *data) applyLearned(now time.Time) tea.Cmd {
	if d.known == d.instruments || d.preparing || now.Before(d.applyLearnedAt) {
		return nil
	}
	d.known = d.instruments
	return d.prepare(now)
}

// slow tells whether a view has been in preparation for long.
func (d *data) slow(now time.Time) bool { return d.preparing && now.Sub(d.since) >= slowAfter }
