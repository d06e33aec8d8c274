package command

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/command/exit"
	"blotter/ui/export"
	"blotter/ui/metrics"
)

// positionsSource is the feed as a command uses it.
type positionsSource interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context, linksOnly bool) (book.Delta, error)
}

// watch collects the positions of a scope.
type watch struct {
	source        positionsSource
	scope         model.Scope
	subscriptions []model.Subscription
	warn          func(error)
	matches       func(*model.Position) bool // the filter
	lines         *export.PositionLines      // for follow

	book        *book.Book
	corrections []book.Correction // by the audits of the last delta
	links       []model.Link
	problem     *model.Problem // the last one of a link
	warned      bool           // of the first problem
	figures     metrics.Book   // of the book, for metrics
	changed     book.ChangeObserver
	missed      int // changes that no observer was called for: see book.Delta
}

func newWatch(source positionsSource, scope model.Scope, rows int, warn func(error)) *watch {
	return newWatchOf(scope.Subscriptions(nil, 1), source, scope, rows, warn)
}

// newWatchOf watches subscriptions that have the positions of the scope, and perhaps others.
func newWatchOf(subscriptions []model.Subscription, source positionsSource, scope model.Scope, rows int, warn func(error)) *watch {
	w := &watch{
		source: source, scope: scope, warn: warn, book: book.New(rows),
		matches:       func(*model.Position) bool { return true },
		subscriptions: subscriptions,
	}
	source.Watch(w.subscriptions)
	return w
}

// snapshot waits until every subscription has a complete snapshot, or until ctx is done. The timeout is that of ctx,
// for its error.
func (w *watch) snapshot(ctx context.Context, timeout time.Duration) error {
	deadline, _ := ctx.Deadline()
	for !w.isComplete() {
		delta, err := w.source.Next(ctx, false)
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return w.timeoutError(timeout)
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		}
		w.apply(delta)
		if err := w.checkLinks(deadline); err != nil {
			return err
		}
	}
	w.warnOfRowsLeftOut()
	return nil
}

// isComplete reports whether every subscription has a complete snapshot.
func (w *watch) isComplete() bool {
	return len(w.links) >= len(w.subscriptions) &&
		!slices.ContainsFunc(w.links, func(l model.Link) bool { return !l.Committed })
}

// observe calls the observer for each row that changes from now on.
func (w *watch) observe(observer book.ChangeObserver) {
	w.changed = observer
	w.book.Observe(observer)
}

// apply puts a delta into the book.
func (w *watch) apply(delta book.Delta) {
	w.links = delta.Links
	w.missed += delta.Missed
	for _, snapshot := range delta.Snapshots {
		if w.changed != nil {
			w.book.SnapshotChanges(&snapshot, w.changed)
		}
		w.book = w.book.Replaced(snapshot)
	}
	for i := range delta.Updates {
		w.book.Merge(&delta.Updates[i])
	}
	w.corrections = w.corrections[:0]
	for _, page := range delta.Audits {
		for more := true; more; page = page.Rest() {
			var some []book.Correction
			some, more = w.book.Compare(&page)
			w.corrections = append(w.corrections, some...)
		}
	}
}

// serviceTime returns a time of this machine by the clock of the service, where the service sends its time.
func (w *watch) serviceTime(local time.Time) time.Time {
	for i := range w.links {
		if offset := w.links[i].ClockOffset; offset != 0 {
			return local.Add(offset)
		}
	}
	return local
}

// checkLinks returns an error where waiting until the deadline is of no use. It warns of the first problem: it may be
// long until the command ends.
func (w *watch) checkLinks(deadline time.Time) error {
	for i := range w.links {
		link := &w.links[i]
		if link.Problem == nil {
			continue
		}
		problem := *link.Problem
		w.problem = &problem
		switch {
		case link.Phase == model.Refused && problem.Status == 0:
			return &exit.Error{Code: exit.CodeUsage, Err: problemError(&problem)}
		case link.Phase == model.Refused:
			return &exit.Error{Code: exit.CodeRefused, Err: problemError(&problem)}
		case link.ByService && link.RetryAt.After(deadline):
			return exit.Unavailable("%w; the next request is allowed in %s, which is longer than the rest of the timeout",
				problemError(&problem), time.Until(link.RetryAt).Round(time.Second))
		}
		if !w.warned {
			w.warned = true
			w.warn(fmt.Errorf("%w; trying again", problemError(&problem)))
		}
	}
	return nil
}

// timeoutError returns the last problem, or what was received of the snapshots.
func (w *watch) timeoutError(timeout time.Duration) error {
	reason := errors.New("no response")
	pages, rows, waiting := 0, 0, 0
	for i := range w.links {
		pages += w.links[i].StagedPages
		rows += w.links[i].StagedRows
		if !w.links[i].Committed {
			waiting++
		}
	}
	switch {
	case w.problem != nil:
		reason = problemError(w.problem)
	case pages > 0:
		reason = fmt.Errorf("received %s on %s", model.Counted(rows, "position"), model.Counted(pages, "page"))
	}
	if all := len(w.subscriptions); all > 1 && waiting < all {
		return exit.Unavailable("no complete snapshot of %d of %d subscriptions within %s: %w", waiting, all, timeout, reason)
	}
	return exit.Unavailable("no complete snapshot within %s: %w", timeout, reason)
}

// warnOfRowsLeftOut warns of positions above the limit, and of positions that were not requested.
func (w *watch) warnOfRowsLeftOut() {
	over, unrequested := w.book.LeftOut(), 0
	for i := range w.links {
		over += w.links[i].LeftOut
		unrequested += w.links[i].Unrequested
	}
	if over > 0 {
		w.warn(fmt.Errorf("%s left out: feed.rows in the configuration is the limit", model.Counted(over, "position")))
	}
	if unrequested > 0 {
		w.warn(fmt.Errorf("the service sent %s that were not requested; they are left out", model.Counted(unrequested, "position")))
	}
}

// markets returns the markets of the positions in scope.
func (w *watch) markets() []model.ID {
	seen := make(map[model.ID]bool)
	for row := range w.book.All {
		if w.scope.Covers(row.Key) {
			seen[row.Market] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// rows returns the positions in scope that match the filter, by party, then market.
func (w *watch) rows() []*model.Position {
	var rows []*model.Position
	for row := range w.book.All {
		if w.scope.Covers(row.Key) && w.matches(&row) {
			rows = append(rows, &row)
		}
	}
	slices.SortFunc(rows, func(p, q *model.Position) int { return p.Key.Compare(q.Key) })
	return rows
}

// problemError returns a problem as an error that names the address, and the status where the service sent one.
func problemError(p *model.Problem) error {
	if p.Status == 0 {
		return fmt.Errorf("%s: %s", p.Address, p.Words)
	}
	return fmt.Errorf("%s: the service responded with %d: %s", p.Address, p.Status, p.Words)
}
