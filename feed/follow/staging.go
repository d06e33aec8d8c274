package follow

import (
	"log/slog"
	"time"

	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// pageAfterUpdates is how long a page may take to follow updates that came before the last page. What came is shown
// then, because more may never come.
const pageAfterUpdates = 5 * time.Second

// The pages of a long snapshot that come in pagesTogether are taken together: else a thread is woken for each of
// them. BenchmarkStart takes a tenth longer without that.
const (
	firstPages    = 100 // are taken one by one
	pagesTogether = time.Millisecond
)

// staging is a snapshot that has no last page yet.
type staging struct {
	pages   *book.Rows
	updates *book.Rows // the newest of each row, since the first page
	pagedAt time.Time  // when a page came last
}

// dropAbandoned drops the pages of a second snapshot that did not continue. If it does continue later, its last page
// does not make it whole: no row is removed because of it, and an audit compares all of them soon.
func (f *Follower) dropAbandoned(now time.Time) {
	if f.staging != nil && f.isWhole() && now.Sub(f.staging.pagedAt) > f.Times.SnapshotSilence {
		f.staging, f.dropped = nil, true
		f.audits.bringForward(now, ofRow)
	}
}

// handlePage handles a page of the snapshot. An error means that there is no room for it.
func (f *Follower) handlePage(m *wire.Message) error {
	if !f.isWhole() {
		f.link.StagedPages++
		f.link.StagedRows += len(m.Page)
	}
	if m.LastPage && !f.dropped {
		return f.apply(completed, m.Page)
	}
	err := f.apply(paged, m.Page)
	f.dropped = f.dropped && !m.LastPage
	return err
}

// stage keeps the rows of a page, or updates, until the last page comes.
func (f *Follower) stage(e event, rows []model.Position) {
	now := time.Now()
	if f.staging == nil {
		f.staging = &staging{pages: book.NewRows(), updates: book.NewRows(), pagedAt: now}
		f.link.LeftOut = 0
	}
	to, notAfter := f.staging.pages, f.notAfter(now)
	switch {
	case e == updated:
		to = f.staging.updates
		if f.alarms.page.IsZero() {
			f.alarms.page = now.Add(pageAfterUpdates)
		}
	case len(rows) > 0:
		f.staging.pagedAt, f.alarms.page = now, time.Time{}
	}
	if e != updated && to.Len()+len(rows) <= f.Rows {
		to.PutPage(rows, notAfter)
		return
	}
	for i := range rows {
		switch {
		case to.Len() >= f.Rows && !to.Has(rows[i].Key):
			f.link.LeftOut++
		case e == updated:
			to.Put(&rows[i])
		default:
			to.PutUnlessOlder(&rows[i], notAfter)
		}
	}
}

// merge passes on updates, or a page that came after the rows were shown. It also stages what belongs to a snapshot
// whose last page may still come.
func (f *Follower) merge(e event, rows []model.Position) error {
	if len(rows) == 0 {
		return nil
	}
	if e == paged && !f.dropped || f.staging != nil {
		f.stage(e, rows)
	}
	now := time.Now()
	notAfter := f.notAfter(now)
	f.hasRows, f.link.EmptySnapshots = true, 0
	if e == updated && f.audits.byUpdate {
		f.audits.byUpdate = false
		if now.Before(f.alarms.audit) {
			f.alarms.audit = now
		}
	}
	f.judged.standing.addUpdates(rows, e == paged, notAfter, now)
	f.judged.noteDoubts(now)
	if e == paged {
		f.judged.add(rows, notAfter)
	} else if overtaken := f.judged.addUpdates(rows, notAfter, f.serviceNow(now)); overtaken != 0 && now.After(f.judged.awaitedBy) {
		if err := f.judged.missesUpdates(now, overtaken); err != nil {
			return err
		}
	}
	if f.judged.lateness.late > 0 || f.judged.late > 0 {
		f.audits.bringForward(now, ofLateness)
	}
	f.probing.compareClocks(rows, f.judged.sent, notAfter, now)
	f.judged.judge(now)
	return f.pass(rows, e == paged)
}

// commit passes on the staged snapshot, which is whole, in place of everything before. Its updates follow it, so that
// they have events; if they are shown already, they are a part of it.
func (f *Follower) commit(isShown bool) error {
	now, isFurther := time.Now(), isShown && !f.link.Partial
	s, updates, notAfter := f.staging, book.NewRows(), f.notAfter(now)
	f.staging = nil
	for row := range s.updates.All {
		switch {
		case s.pages.IsNewer(&row, notAfter):
		case isShown:
			s.pages.Put(&row)
		default:
			updates.Put(&row)
		}
	}
	isEmpty := s.pages.Len()+updates.Len() == 0
	if f.link.EmptySnapshots = 0; isEmpty && !f.hasRows {
		f.link.EmptySnapshots = 1
	}
	rightAt := now
	if !f.link.StaleSince.IsZero() {
		rightAt = f.link.StaleSince
	}
	f.shown(now, s.pages.Len())
	f.link.Committed, f.link.VerifiedAt = true, now
	f.log(slog.LevelInfo, "positions stream: snapshot is whole", "positions", f.audits.schedule.rows)
	isTaken := !f.judged.keepsRows(isEmpty, rightAt)
	if isTaken {
		f.link.Partial = false
		if isEmpty {
			f.judged.standing.clear()
		}
		if isFurther {
			f.judged.standing.replace(f.judged.sent, s.pages, notAfter, now)
		}
		if isTaken = isFurther || f.judged.takeSnapshot(s, now); isTaken {
			f.Sink.Commit(f.judged.snapshotOf(s.pages, isEmpty || isFurther, notAfter))
		}
	}
	if !isTaken {
		f.Sink.BeginStream(f.link.Subscription) // its updates are compared with rows of the streams before
	}
	f.judged.judge(now)
	return f.passAll(updates, false)
}

// showPartial passes on what was staged, although the last page has not come. It stays staged: the page may still come.
func (f *Follower) showPartial() error {
	now := time.Now()
	f.shown(now, f.staging.pages.Len())
	f.link.Partial = true
	f.hasRows = f.hasRows || f.staging.pages.Len()+f.staging.updates.Len() > 0
	f.log(slog.LevelWarn, "positions stream: the snapshot has no last page", "positions", f.audits.schedule.rows)
	f.judged.standing.takeSnapshot(f.judged.sent, func(model.Key) bool { return true }, f.notAfter(now), now)
	f.Sink.BeginPartial(f.link.Subscription)
	if err := f.passAll(f.staging.pages, true); err != nil {
		return err
	}
	f.judged.judge(now)
	return f.passAll(f.staging.updates, false)
}

// shown records that the rows of the open stream are shown from now on. An audit of rows that were shown before ends.
func (f *Follower) shown(now time.Time, rows int) {
	f.audits.schedule.rows, f.link.UnauditedRows = rows, rows
	f.audits.compared, f.audits.readAt = 0, now
	f.link.StaleSince, f.link.Problem, f.link.RetryAt, f.link.Attempt = time.Time{}, nil, time.Time{}, 0
	if f.judged.wholeAt.IsZero() || f.link.Partial { // a second snapshot of a stream has no gap
		f.judged.wholeAt = now
	}
	if f.alarms.audit.IsZero() || f.link.Partial {
		f.audits.stop()
		f.alarms.audit, f.audits.byUpdate = f.audits.schedule.first(now)
	}
	f.alarms.half = now.Add(f.Times.SnapshotSilence / halfChecks)
	if f.link.LeftOut > 0 {
		f.log(slog.LevelWarn, "positions stream: the snapshot has more positions than the limit",
			"limit", f.Rows, "left out", f.link.LeftOut)
	}
}
