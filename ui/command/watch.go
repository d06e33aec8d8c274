package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"blotter/model"
)

// positionsSource is the feed as a command uses it.
type positionsSource interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context, linksOnly bool) (model.Delta, error)
}

// watch gathers the positions of a scope.
type watch struct {
	source        positionsSource
	scope         model.Scope
	subscriptions []model.Subscription
	warnings      io.Writer

	book        *model.Book
	corrections []model.Correction // what the last news of audits corrected
	links       []model.Link
	problem     *model.Link // the last link that failed, as it was then
	warned      bool        // of the first failure
}

func newWatch(source positionsSource, scope model.Scope, rows int, warnings io.Writer) *watch {
	w := &watch{
		source: source, scope: scope, warnings: warnings, book: model.NewBook(rows),
		subscriptions: scope.Subscriptions(nil, 1),
	}
	source.Watch(w.subscriptions)
	return w
}

// snapshot waits until every subscription has had its whole snapshot, for as long as timeout.
func (w *watch) snapshot(ctx context.Context, timeout time.Duration) error {
	deadline := time.Now().Add(timeout)
	timed, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for !w.isWhole() {
		delta, err := w.source.Next(timed, false)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case timed.Err() != nil:
			return w.late(timeout)
		case err != nil:
			return err
		}
		w.take(delta)
		if err := w.judge(deadline); err != nil {
			return err
		}
	}
	w.warnOfRowsLeftOut()
	return nil
}

// isWhole tells whether every subscription has been told what there is.
func (w *watch) isWhole() bool {
	return len(w.links) >= len(w.subscriptions) &&
		!slices.ContainsFunc(w.links, func(l model.Link) bool { return !l.Committed })
}

// take merges news into the book.
func (w *watch) take(delta model.Delta) {
	w.links = delta.Links
	for _, snapshot := range delta.Snapshots {
		w.book = w.book.Replaced(snapshot.Subscription, snapshot.Rows)
	}
	for i := range delta.Updates {
		w.book.Merge(&delta.Updates[i])
	}
	w.corrections = w.corrections[:0]
	for _, page := range delta.Audits {
		for more := true; more; page.First, page.Positions = false, nil {
			var some []model.Correction
			some, more = w.book.Compare(&page)
			w.corrections = append(w.corrections, some...)
		}
	}
}

// judge ends the wait where more of it is of no use.
func (w *watch) judge(deadline time.Time) error {
	for i := range w.links {
		link := &w.links[i]
		if link.Problem == nil {
			continue
		}
		failed := *link
		w.problem = &failed
		switch {
		case link.Phase == model.Refused && link.Problem.Status == 0:
			return usage("%s: %s", link.Problem.Address, link.Problem.Words)
		case link.Phase == model.Refused:
			return refused(link.Problem.Address, link.Problem.Status, link.Problem.Words)
		case link.ByService && link.RetryAt.After(deadline):
			return unavailable("%s: %s, and names a wait of %s, which is longer than what is left of the timeout",
				link.Problem.Address, describe(link.Problem), time.Until(link.RetryAt).Round(time.Second))
		}
		w.warn(link)
	}
	return nil
}

// warn tells the first failure, as it may be long until the next word.
func (w *watch) warn(link *model.Link) {
	if w.warned {
		return
	}
	w.warned = true
	fmt.Fprintln(w.warnings, complaint(fmt.Errorf("%s: %s; trying again", link.Problem.Address, describe(link.Problem))))
}

// late is the error when the time is over: what went wrong last, or how far it had got.
func (w *watch) late(timeout time.Duration) error {
	reason := errors.New("no answer")
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
		reason = fmt.Errorf("%s: %s", w.problem.Problem.Address, describe(w.problem.Problem))
	case pages > 0:
		reason = fmt.Errorf("%s on %s had come", counted(rows, "position"), counted(pages, "page"))
	}
	if all := len(w.subscriptions); all > 1 && waiting < all {
		return unavailable("no whole snapshot of %d of %d subscriptions within %s: %w", waiting, all, timeout, reason)
	}
	return unavailable("no whole snapshot within %s: %w", timeout, reason)
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// warnOfRowsLeftOut says that there are more positions than the limit, or others than were asked for.
func (w *watch) warnOfRowsLeftOut() {
	over, strays := w.book.LeftOut(), 0
	for i := range w.links {
		over += w.links[i].LeftOut
		strays += w.links[i].Strays
	}
	if over > 0 {
		fmt.Fprintln(w.warnings, complaint(fmt.Errorf("%s left out: feed.rows in the configuration is the limit", model.Counted(over, "position"))))
	}
	if strays > 0 {
		fmt.Fprintln(w.warnings, complaint(fmt.Errorf("the service sent %s that were not asked for; they are left out", model.Counted(strays, "position"))))
	}
}

// rows are the positions in scope, by party, then market.
func (w *watch) rows() []*model.Position {
	var rows []*model.Position
	for row := range w.book.All {
		if w.scope.Covers(row.Key) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(p, q *model.Position) int { return p.Key.Compare(q.Key) })
	return rows
}

// describe is a problem in words that name the status.
func describe(problem *model.Problem) string { return statusAndWords(problem.Status, problem.Words) }
