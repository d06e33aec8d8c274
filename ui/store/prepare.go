package store

import (
	"cmp"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/history"
)

func (d *data) viewOf(b *book.Book) *view.View {
	if d.keepsView() {
		return view.NewGrouped(b, d.scope, d.filter, d.order, d.groups, d.frozen.instruments)
	}
	v := view.NewGrouped(b, d.scope, d.filter, d.order, d.groups, d.viewInstruments)
	if d.scope.Equal(d.judged.start) {
		v.WatchAlerts(d.judged.alerts, d.judged.at)
	}
	return v
}

// correctedAtOnce is about how many rows one call of merge corrects. If a service suddenly has none of a million rows,
// the screen can still handle keys between two calls.
const correctedAtOnce = 2000

// merge applies the updates and audits of a Delta to the book and its view, notes each change, its event in the log,
// and returns what the audits corrected that have ended or were given up. If it reports more, the Delta has what is
// applied later. No view may be in preparation.
func (d *data) merge(delta *book.Delta, moves *Moves, now time.Time) (ended []Report, more bool) {
	d.trades.at = now
	delta.KeepOnly(d.subscribed)
	corrected, of := 0, d.book
	for changes, ok := delta.ApplyTo(of); ok; changes, ok = delta.ApplyTo(of) {
		for i := range changes.Rows { // not after Apply: the order of rows may depend on the baselines
			d.noteListing(&changes.Rows[i])
			if d.frozen != nil {
				d.frozen.note(&changes.Rows[i], &d.scope)
			}
		}
		d.applyToViews(changes)
		if changes.Begins {
			ended = append(ended, d.happening.corrections.End(changes.Of, of))
		}
		for i := range changes.Rows {
			d.noteChange(moves, &changes.Rows[i])
			if changes.Rows[i].Source == book.ChangedByAudit {
				d.happening.corrections.Add(changes.Rows[i].Correction(), now, d.scope.Covers(changes.Rows[i].Key()))
				corrected++
			}
		}
		if changes.Ends {
			ended = append(ended, d.happening.corrections.End(changes.Of, of))
		}
		if corrected >= correctedAtOnce {
			return ended, true
		}
	}
	return ended, false
}

// slowMsg comes when a view takes long, so that the screen is drawn and shows that.
type slowMsg struct{}

// prepare returns the command that makes the view that is needed now. Views are made one at a time, so that an older
// one never replaces a newer one: while one is made, prepare only notes that it is outdated.
func (d *data) prepare(now time.Time) tea.Cmd {
	if d.job.running {
		d.job.outdated = true
		return nil
	}
	d.job.running, d.job.outdated, d.job.since = true, false, now
	if !d.isSorted() || !d.keepsBook() {
		d.viewInstruments = d.instruments
	}
	d.job.restarts = d.restarted.is
	wanted := *d
	kept := d.happening.troubles.Present.KeptKeys()
	if d.keepsView() {
		kept = slices.Collect(maps.Keys(d.frozen.kept))
	}
	wanted.filter.Kept = view.NewKept(kept)
	d.trades.next = d.baseline.action
	d.restarted = restarted{}
	d.snapshots, d.rescoped, d.baseline.action, d.day.begins = nil, false, keepBaseline, false
	work := func() tea.Msg { return wanted.prepared() }
	return tea.Batch(work, tea.Tick(SlowAfter, func(time.Time) tea.Msg { return slowMsg{} }))
}

// beginReading keeps the rows from changing while a command reads all of them. No view may be in preparation.
func (d *data) beginReading() { d.job.running, d.job.onlyReading = true, true }

// endReading lets the rows change again.
func (d *data) endReading(now time.Time) tea.Cmd {
	d.job.running, d.job.onlyReading = false, false
	if d.job.outdated {
		return d.prepare(now)
	}
	return nil
}

// isSorted reports whether the view has the right rows in the right order, so that only its filter can differ.
func (d *data) isSorted() bool {
	in := d.viewInstruments
	if d.keepsView() {
		in = d.frozen.instruments
	} else if !d.keepsBook() {
		return false
	}
	return !d.baseline.isOfTaken() && d.view.Order == d.order && d.view.Groups.By == d.groups.By && d.view.Instruments() == in
}

// keepsBook reports whether the book is the right one, and that of the view unless the rows are frozen. Then the rules
// have the right view of it.
func (d *data) keepsBook() bool {
	hasBaseline := d.baseline.action == keepBaseline && !d.day.begins
	same := !d.rescoped && !d.restarted.is && len(d.snapshots) == 0 && hasBaseline && d.isApart() == d.keepsView()
	if wide := d.judged.wide; wide != nil {
		return same && wide.Instruments() == d.viewInstruments
	}
	return same && !d.needsWide()
}

// prepared returns what d needs. It changes nothing but d itself, which is a copy.
func (d *data) prepared() Prepared {
	isSorted := d.isSorted()
	if d.keepsBook() && (isSorted || d.keepsView()) {
		return Prepared{view: d.sorted(isSorted), book: d.book, wide: d.judged.wide}
	}
	made := d.applied()
	if d.keepsView() {
		d.applyBaseline(made.book)
		if made.view = d.sorted(isSorted); d.baseline.isOfTaken() {
			made.book.Baselines().Use(made.view.Book().Baselines().Taken())
		}
	} else {
		made.view = d.viewWithBaseline(made.book)
	}
	made.wide = d.wideOf(made.book)
	made.alerts = d.match(cmp.Or(made.wide, made.view))
	made.learned.Add(history.LearnedIn(made.view, d.view.Instruments()))
	return made
}

// viewWithBaseline applies the baseline to a book, and returns the view of it. Both read all rows, so this is done on
// two cores, unless the view shows changes: then it reads the baseline. In BenchmarkStart it saves a fourth of the
// time after the last byte.
func (d *data) viewWithBaseline(b *book.Book) *view.View {
	readsBaseline := d.order.Column.NeedsBaseline() || d.order.Column == view.DayColumn
	if readsBaseline || b.Baselines().HasTaken() || d.baseline.isOfTaken() {
		d.applyBaseline(b)
		return d.viewOf(b)
	}
	defer beside(func() { d.applyBaseline(b) })()
	return d.viewOf(b)
}

// show replaces the view, and adds to the log what the snapshots in it show. If another view is needed meanwhile, it
// returns the command for the next view.
func (d *data) show(msg Prepared, now time.Time) tea.Cmd {
	d.job.running, d.job.restarts = false, false
	d.book = msg.book
	isApart := msg.view.Book() != msg.book
	d.trades.setApart(isApart)
	switch {
	case d.frozen == nil:
	case isApart:
		d.frozen.inSnapshots += msg.hidden
	default:
		d.frozen.isAwaited = !msg.view.Scope().Equal(d.scope)
	}
	d.trades.relearn(msg.view.Instruments())
	d.trades.take(msg.trades)
	d.trades.narrow(d.judged.followed)
	if msg.events != nil {
		d.happening.log.Append(msg.events, d.happening.take)
		d.happening.finder = msg.finder
	}
	d.happening.narrow(d.scope)
	if !d.job.outdated || !d.cleared {
		d.view, d.judged.wide, d.cleared = msg.view, msg.wide, false
		d.fold()
		if msg.alerts.IsOf(d.judged.alerts) { // not if the rules were changed meanwhile: then all rows are matched again
			d.rulesView().TakeAlerts(msg.alerts)
		}
	}
	if at := now.Add(min(50*now.Sub(d.job.since), maxLearnedDelay)); at.After(d.job.applyLearnedAt) {
		d.job.applyLearnedAt = at
	}
	if d.job.outdated {
		return d.prepare(now)
	}
	return d.applyLearned(now)
}

// fold folds in the view the groups that are folded now: the trader may have folded some while it was prepared.
func (d *data) fold() {
	if d.view.Groups.By == d.groups.By && d.view.Groups.Folding != d.groups.Folding {
		d.view = d.view.Folded(d.groups.Folding)
	}
}

// maxLearnedDelay is the longest delay of applyLearned, and of what else reads all rows. What took longer than a second
// or two was probably suspended together with the program.
const maxLearnedDelay = 2 * time.Minute

// applyLearned returns the command for a view with what was learned of markets. Each step of the cursor can
// bring a new name, so if a view takes long, the next one is delayed: these views take at most a fiftieth of the
// time.
func (d *data) applyLearned(now time.Time) tea.Cmd {
	if d.viewInstruments == d.instruments || d.job.running || now.Before(d.job.applyLearnedAt) {
		return nil
	}
	d.viewInstruments = d.instruments
	return d.prepare(now)
}

// sorted returns the next view of the frozen rows, or if these are sorted already, with another filter.
func (d *data) sorted(isSorted bool) *view.View {
	switch {
	case isSorted:
		return d.view.Refiltered(d.filter)
	case d.baseline.isOfTaken():
		return d.viewOf(book.Rebased(d.view.Book(), d.baseline.apply))
	}
	return d.viewOf(d.view.Book())
}

// applyBaseline applies the request to a book, which must not be in use.
func (d *data) applyBaseline(b *book.Book) {
	if d.day.begins {
		b.Baselines().BeginDay()
	}
	b.Baselines().Extend(d.arrival.IsUsable, d.job.since)
	d.baseline.apply(b.Baselines())
}
