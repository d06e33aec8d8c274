package store

import (
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/history"
)

// data is the book of positions, the view of it that is shown, and the next view while it is prepared.
//
// A snapshot or a change of scope, filter or order needs a new view. To make it takes as long as to sort all rows, so a
// command makes it, from a book that does not change meanwhile. The new view replaces the old one when it is complete.
type data struct {
	scope           model.Scope // that is shown
	subscriptions   []model.Subscription
	epoch           uint64
	instruments     *model.Instruments
	viewInstruments *model.Instruments // those of the view: without what was learned since it was made
	filter          view.Filter
	order           view.Order
	groups          view.Groups

	view      *view.View      // what is shown
	book      *book.Book      // the book of the view, unless the view was cleared or the rows are frozen
	snapshots []book.Snapshot // those that are not in the book yet
	arrival   event.Arrival   // of the rows that were applied last
	happening happenings
	trades    trades        // since the baselines
	heldPages []*model.Page // the pages of margin levels that are not in the book yet

	baseline baselineRequest
	day      day
	relisted history.Learned // of the positions that have come or left since the latest view or tick

	seen seen // what the pickers offer

	restarted restarted // whether earlier rows and margin records are dropped

	job      bookJob
	rescoped bool // the book may have rows that are not in the scope
	cleared  bool // the view shows nothing because its rows are not those of the scope

	judged judged
	frozen *Frozen // nil if the rows are not frozen
}

// restarted is whether the snapshots are of another time of a recording, and the margin levels of that time.
type restarted struct {
	is      bool
	margins []book.MarginsRead
}

// bookJob is the command that reads the book. Nothing may change the book while it runs.
type bookJob struct {
	running        bool
	copies         int       // how many other commands copy rows, which may run at the same time
	onlyReading    bool      // it makes no view: it surveys the rows, or matches them with the alerts
	outdated       bool      // another view than the one that it makes is needed now
	restarts       bool      // the view that it makes is of another time of a recording than the rows that are shown
	since          time.Time // when the view was begun
	applyLearnedAt time.Time // the earliest time for a view with what was learned
}

// isApart reports whether the view that is shown has another book than the one that takes what the service sends.
func (d *data) isApart() bool { return d.view.Book() != d.book }

// keepsView reports whether the next view must show the rows that are shown now.
func (d *data) keepsView() bool { return d.frozen != nil && !d.frozen.isAwaited && !d.cleared }

// shownBook returns the book of the rows that are shown, or that will be.
func (d *data) shownBook() *book.Book {
	if d.keepsView() {
		return d.view.Book()
	}
	return d.book
}

// happenings are the log of what has happened, what finds that, and what is known of it beside the log.
type happenings struct {
	log         *event.Log // another one after a jump in a recording
	finder      *event.Finder
	findsEvents bool // they do not come with a recording
	corrections Corrections
	troubles    event.Troubles // which stories are under way
	storyScope  model.Scope    // the one that the stories are of
	keptChanged bool           // other rows may be kept than the view keeps
}

// judged are the rows that the rules watch.
type judged struct {
	alerts   *view.Alerts
	start    model.Scope // of these rows
	followed model.Scope // whose streams are open: see followedFor
	was      bool        // what isJudged has returned when the streams were last chosen
	wide     *view.View  // of these rows; nil if the view that is shown has them, or if none are watched
	at       time.Time   // when they are matched with the rules, by the clock of the service
}

// Prepared is the message of a complete view.
type Prepared struct {
	view    *view.View
	book    *book.Book      // that of the view, unless the rows are frozen
	wide    *view.View      // see data.judged.wide
	alerts  view.AlertPass  // which of its rows match the alerts; of none if only its filter differs
	events  *event.Log      // what the snapshots in it show; nil if there are none
	finder  *event.Finder   // what has found them
	trades  *analysis.Log   // what the snapshots show of trades; nil if there are none
	learned history.Learned // of the assets of its rows, and of positions that have come or left
	losses  []Report        // of its snapshots: open positions that are gone
	hidden  int             // changes of rows of the scope by its snapshots, which frozen rows do not show
}

// isRead reports whether a command reads the rows. Then nothing may change them.
func (d *data) isRead() bool { return d.job.running || d.job.copies > 0 }

// makesView reports whether a view is in preparation.
func (d *data) makesView() bool { return d.job.running && !d.job.onlyReading }

// SlowAfter is how long a view may take before the screen shows that it is sorting.
const SlowAfter = 100 * time.Millisecond
