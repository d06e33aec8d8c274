package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// slowAfter is how long a view may take before the screen says that it is sorting.
const slowAfter = 100 * time.Millisecond

// preparedMsg is a complete view.
type preparedMsg struct{ view *model.View }

// slowMsg comes when a view takes long, so that the screen is drawn and says so.
type slowMsg struct{}

// prepare returns the command that makes the view that is wanted now. Views are made one at a time, so that an older
// one never replaces a newer one: while one is made, prepare only notes that it is outdated.
func (d *data) prepare(now time.Time) tea.Cmd {
	if d.preparing {
		d.outdated = true
		return nil
	}
	d.preparing, d.outdated, d.since = true, false, now
	if !d.isSorted() {
		d.known = d.instruments
	}
	wanted := *d
	d.snapshots, d.rescoped = nil, false
	work := func() tea.Msg { return preparedMsg{wanted.prepared()} }
	return tea.Batch(work, tea.Tick(slowAfter, func(time.Time) tea.Msg { return slowMsg{} }))
}

// isSorted reports whether the view has the wanted rows in the wanted order, so that only its filter can differ.
func (d *data) isSorted() bool {
	same := !d.rescoped && len(d.snapshots) == 0 && d.view.Book() == d.book
	return same && d.view.Order == d.order && d.view.Instruments() == d.known
}

// prepared returns the view that d wants. It changes nothing.
func (d *data) prepared() *model.View {
	if d.isSorted() {
		return d.view.Refiltered(d.filter)
	}
	book := d.book.Narrowed(d.subscriptions)
	if d.rescoped && book.Margins().IsFull() {
		book = book.WithoutMargins()
	}
	for _, s := range d.snapshots {
		if d.subscribed(s.Subscription) {
			book = book.Replaced(s.Subscription, s.Rows)
		}
	}
	return d.viewOf(book)
}

// show replaces the view. Where something else is wanted meanwhile, it returns the command for the next view.
func (d *data) show(msg preparedMsg, now time.Time) tea.Cmd {
	d.preparing = false
	d.book = msg.view.Book()
	if !d.outdated || !d.cleared {
		d.view, d.cleared = msg.view, false
	}
	if at := now.Add(min(50*now.Sub(d.since), maxLearnedDelay)); at.After(d.applyLearnedAt) {
		d.applyLearnedAt = at
	}
	if d.outdated {
		return d.prepare(now)
	}
	return d.applyLearned(now)
}

// maxLearnedDelay is the longest delay of applyLearned. A view that took longer than a second or two was probably
// suspended together with the program.
const maxLearnedDelay = 2 * time.Minute

// applyLearned returns the command for a view with what was learned of markets. Each step of the cursor can teach
// something new, so where a view takes long, the next one is delayed: these views take at most a fiftieth of the time.
func (d *data) applyLearned(now time.Time) tea.Cmd {
	if d.known == d.instruments || d.preparing || now.Before(d.applyLearnedAt) {
		return nil
	}
	d.known = d.instruments
	return d.prepare(now)
}

// slow reports whether a view has been in preparation for long.
func (d *data) slow(now time.Time) bool { return d.preparing && now.Sub(d.since) >= slowAfter }
