package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/event"
	"blotter/model/view"
)

// slowAfter is how long a view may take before the screen shows that it is sorting.
const slowAfter = 100 * time.Millisecond

// preparedMsg is a complete view, and which of its rows match the alerts; nil without alerts.
type preparedMsg struct {
	view    *view.View
	matches view.AlertMatches
	events  *event.Log // what the snapshots in it show; nil where there are none
}

// slowMsg comes when a view takes long, so that the screen is drawn and shows that.
type slowMsg struct{}

// prepare returns the command that makes the view that is needed now. Views are made one at a time, so that an older
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
	d.rewound = rewoundWithout(d.rewound, d.snapshots)
	d.snapshots, d.rescoped, d.baseline.action = nil, false, keepBaseline
	work := func() tea.Msg { return wanted.prepared() }
	return tea.Batch(work, tea.Tick(slowAfter, func(time.Time) tea.Msg { return slowMsg{} }))
}

// beginReading keeps the rows from changing while a command reads all of them. No view may be in preparation.
func (d *data) beginReading() { d.preparing, d.onlyReading = true, true }

// endReading lets the rows change again.
func (m *Model) endReading() tea.Cmd {
	d := &m.data
	d.preparing, d.onlyReading = false, false
	var prepare tea.Cmd
	if d.outdated {
		prepare = d.prepare(m.now())
	}
	return tea.Batch(prepare, m.applyHeld())
}

// makesView reports whether a view is in preparation.
func (d *data) makesView() bool { return d.preparing && !d.onlyReading }

// isSorted reports whether the view has the right rows in the right order, so that only its filter can differ.
func (d *data) isSorted() bool {
	same := !d.rescoped && len(d.snapshots) == 0 && d.baseline.action == keepBaseline && d.view.Book() == d.book
	return same && d.view.Order == d.order && d.view.Groups.By == d.groups.By && d.view.Instruments() == d.known
}

// prepared returns the view that d needs. It changes nothing.
func (d *data) prepared() preparedMsg {
	if d.isSorted() {
		return preparedMsg{view: d.view.Refiltered(d.filter)}
	}
	book := d.book.Narrowed(d.subscriptions)
	if d.rescoped && book.Margins().IsFull() {
		book = book.WithoutMargins()
	}
	events := new(event.Log)
	for _, s := range d.snapshots {
		if d.subscribed(s.Subscription) {
			d.snapshotEvents(events, book, &s)
			book = book.Replaced(s)
		}
	}
	d.applyBaseline(book)
	view := d.viewOf(book)
	return preparedMsg{view, view.AlertMatches(), events}
}

// show replaces the view. Where another view is needed meanwhile, it returns the command for the next view.
func (d *data) show(msg preparedMsg, now time.Time) tea.Cmd {
	d.preparing = false
	d.book = msg.view.Book()
	if !d.outdated || !d.cleared {
		d.view, d.cleared = msg.view, false
		d.fold()
		d.alerts.Narrow(d.view.Scope())
		d.alerts.NoteAll(msg.matches)
	}
	if at := now.Add(min(50*now.Sub(d.since), maxLearnedDelay)); at.After(d.applyLearnedAt) {
		d.applyLearnedAt = at
	}
	if d.outdated {
		return d.prepare(now)
	}
	return d.applyLearned(now)
}

// fold has the view fold the groups that are folded now: the trader may have folded some while it was prepared.
func (d *data) fold() {
	if d.view.Groups.By == d.groups.By && d.view.Groups.Folding != d.groups.Folding {
		d.view = d.view.Folded(d.groups.Folding)
	}
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
func (d *data) slow(now time.Time) bool {
	return d.makesView() && now.Sub(d.since) >= slowAfter
}
