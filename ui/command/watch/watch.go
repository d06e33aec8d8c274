// Package watch collects the positions of a scope from a feed or a recording: until all snapshots are complete, with
// each change from then on, or until a position matches a filter. It ends if waiting is of no use, with an error
// that has an exit code, and warns once of each outage. It uses the book and the views of model.
package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/ui/command/cli"
	"blotter/ui/format"
	"blotter/ui/metrics"
)

// Source is a feed, or a recording that is played.
type Source interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context) (book.Delta, error)
}

// Options are what is watched.
type Options struct {
	Scope       model.Scope
	Query       *filter.Query // which positions of the scope are wanted
	Instruments *model.Instruments
	Zone        *time.Location   // of times in the query
	Clock       func() time.Time // of a replay; nil is that of this machine
	Limit       int              // how many positions are kept
	Warn        func(error)      // is called with problems that do not end the command
	// WatchAllIfHeldBack watches the whole service from when a proxy holds back all streams of the scope.
	WatchAllIfHeldBack bool
	IsFresh            bool // whether Snapshot and Begin wait until all rows are LIVE or QUIET
}

// Watch collects the positions of a scope.
type Watch struct {
	Options
	// Figures are of the book, for metrics.
	Figures metrics.Book

	source        Source
	subscriptions []model.Subscription
	watchesAll    bool // one stream has all positions, because those of the scope are held back

	book            *book.Book
	corrections     []model.Key // of the rows that the audits of the last delta have corrected
	links           []model.Link
	problem         *model.Problem // the last one of a link
	warnedOfProblem bool           // of the first problem
	warnedOfPartial bool           // of positions that may be missing
	warnedOfLag     bool           // of a stream that is behind
	warnedOfLate    bool           // of updates that come late
	corrected       int            // by all audits

	warnedOfUnaudited bool // of positions that no audit has compared
	finder            event.Finder
	arrival           event.Arrival     // of the last delta
	found             func(event.Event) // is called with each event; nil if none are needed
	leavesOutUnsent   bool              // Rows returns no rows that the service has not sent again
	missed            int               // changes that have no event: see book.Delta
}

// New returns a watch of subscriptions that have the positions of the scope, and perhaps others.
func New(source Source, subscriptions []model.Subscription, options Options) *Watch {
	w := &Watch{Options: options, source: source, subscriptions: subscriptions, book: book.New(options.Limit)}
	source.Watch(w.subscriptions)
	return w
}

// Book returns all positions, also those outside the scope and those that do not match.
func (w *Watch) Book() *book.Book { return w.book }

// Snapshot waits until every subscription has a complete snapshot, or until ctx is done. The timeout is that of ctx,
// for its error.
func (w *Watch) Snapshot(ctx context.Context, timeout time.Duration) error {
	return w.collect(ctx, timeout, w.IsComplete)
}

// Begin does what Snapshot does, but accepts snapshots whose last page has not come, and warns of them.
func (w *Watch) Begin(ctx context.Context, timeout time.Duration) error {
	err := w.collect(ctx, timeout, func() bool {
		return w.all(func(l *model.Link) bool { return l.Committed || l.Partial })
	})
	w.warnOfPartial()
	return err
}

// collect applies what comes until isEnough returns true or ctx is done.
func (w *Watch) collect(ctx context.Context, timeout time.Duration, isEnough func() bool) error {
	deadline, _ := ctx.Deadline()
	for !isEnough() || w.IsFresh && w.staleError() != nil {
		delta, came, err := w.nextDelta(ctx)
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return w.timeoutError(timeout)
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case !came:
			continue
		}
		w.Apply(delta)
		if err := w.checkLinks(deadline); err != nil {
			return err
		}
	}
	w.WarnOfRowsLeftOut()
	return nil
}

// IsComplete reports whether every subscription has a complete snapshot.
func (w *Watch) IsComplete() bool { return w.all(w.isWhole) }

// all reports whether has returns true for the link of every subscription.
func (w *Watch) all(has func(*model.Link) bool) bool {
	return len(w.links) >= len(w.subscriptions) &&
		!slices.ContainsFunc(w.links, func(l model.Link) bool { return !has(&l) })
}

// isWhole reports whether all rows of a subscription have come.
func (w *Watch) isWhole(l *model.Link) bool {
	return l.Committed && !l.Partial && !w.book.IsPartial(l.Subscription)
}

// warnOfPartial warns of positions that may be missing, once until all have come.
func (w *Watch) warnOfPartial() {
	partial := w.partialError()
	if partial != nil && !w.warnedOfPartial {
		w.Warn(fmt.Errorf("%w; positions may be missing", partial))
	}
	w.warnedOfPartial = partial != nil
}

// partialError returns how much has come of snapshots without a last page; nil if all have one.
func (w *Watch) partialError() error {
	partial, rows := 0, 0
	for i := range w.links {
		if l := &w.links[i]; l.Partial {
			partial, rows = partial+1, rows+l.StagedRows
		}
	}
	if partial == 0 {
		return nil
	}
	return fmt.Errorf("PARTIAL: the service has sent %s and not the last page of its snapshot", format.Counted(rows, "position"))
}

// Apply puts a delta into the book.
func (w *Watch) Apply(delta book.Delta) {
	w.applySnapshots(&delta)
	w.applyRest(&delta, func(book.Changes) {})
}

// applySnapshots takes the links of a delta, and puts its snapshots into the book.
func (w *Watch) applySnapshots(delta *book.Delta) {
	w.takeLinks(delta.Links)
	w.arrival = event.NewArrival(w.links, w.localNow())
	w.missed += delta.Missed
	for i := range delta.Snapshots {
		if w.found != nil {
			for change := range w.book.SnapshotChanges(&delta.Snapshots[i]) {
				w.note(change)
			}
		}
		w.book = w.book.Replaced(delta.Snapshots[i])
	}
}

// applyRest puts the updates and audits of a delta into the book. It calls changed with what that changes.
func (w *Watch) applyRest(delta *book.Delta, changed func(book.Changes)) {
	w.corrections = w.corrections[:0]
	for changes, ok := delta.ApplyTo(w.book); ok; changes, ok = delta.ApplyTo(w.book) {
		changed(changes)
		for i := range changes.Rows {
			c := &changes.Rows[i]
			if c.Source == book.ChangedByAudit {
				w.corrections = append(w.corrections, c.Key())
				w.corrected++
			}
			if w.found != nil {
				w.note(c)
			}
		}
	}
	w.settleEvents()
}

// Now returns the time by the clock of the service, in the zone of the trader.
func (w *Watch) Now() time.Time { return model.ServiceTime(w.links, w.localNow()).In(w.Zone) }

// localNow returns the time by the clock of this machine, or by that of a replay.
func (w *Watch) localNow() time.Time {
	if w.Clock != nil {
		return w.Clock()
	}
	return time.Now()
}

// checkLinks returns an error if waiting until the deadline is of no use. It warns of the first problem: it may be
// long until the command ends.
func (w *Watch) checkLinks(deadline time.Time) error {
	for i := range w.links {
		link := &w.links[i]
		if link.Problem == nil {
			continue
		}
		w.problem = link.Problem
		switch {
		case link.Phase == model.Refused && link.Problem.NotSent:
			return &cli.ExitError{Code: cli.ExitUsage, Err: problemError(link.Problem)}
		case link.Phase == model.Refused:
			return &cli.ExitError{Code: cli.ExitRefused, Err: problemError(link.Problem)}
		case link.ByService && link.RetryAt.After(deadline):
			return cli.UnavailableError("%w; the next request is allowed in %s, which is longer than the rest of the timeout",
				problemError(link.Problem), time.Until(link.RetryAt).Round(time.Second))
		}
		if !w.warnedOfProblem {
			w.warnedOfProblem = true
			w.Warn(fmt.Errorf("%w; trying again", problemError(link.Problem)))
		}
	}
	return nil
}

// timeoutError returns the last problem, or what was received of the snapshots.
func (w *Watch) timeoutError(timeout time.Duration) error {
	reason := errors.New("no response")
	pages, rows, waiting := 0, 0, 0
	for i := range w.links {
		pages += w.links[i].StagedPages
		rows += w.links[i].StagedRows
		if !w.isWhole(&w.links[i]) {
			waiting++
		}
	}
	partial, stale := w.partialError(), w.staleError()
	switch {
	case partial != nil:
		reason = partial
	case w.problem != nil:
		reason = problemError(w.problem)
	case pages > 0:
		reason = fmt.Errorf("received %s on %s", format.Counted(rows, "position"), format.Counted(pages, "page"))
	}
	if waiting == 0 && stale != nil { // see IsFresh
		if w.problem == nil {
			return cli.UnavailableError("after %s %w", timeout, stale)
		}
		return cli.UnavailableError("after %s %w: %w", timeout, stale, reason)
	}
	if all := len(w.subscriptions); all > 1 && waiting < all {
		return cli.UnavailableError("no complete snapshot of %d of %d subscriptions within %s: %w", waiting, all, timeout, reason)
	}
	return cli.UnavailableError("no complete snapshot within %s: %w", timeout, reason)
}

// SortedRows returns what Rows returns, by party, then market.
func (w *Watch) SortedRows() []book.Row {
	rows := w.Rows()
	sortByKey(rows)
	return rows
}

// Rows returns the positions in scope that match the filter, in no particular order. They can be used until the next
// change.
func (w *Watch) Rows() []book.Row {
	rows := make([]book.Row, 0, w.book.Len()) // to grow it takes a twentieth of the time of BenchmarkExport/csv
	var p model.Position
	matchesAll, in := w.Query.MatchesAll(), w.filterContext()
	for t, number := range w.book.AllRows {
		row := t.Rows().Row(number)
		if !w.Scope.Covers(row.Key()) || w.leavesOutUnsent && t.IsUnsent(number) {
			continue
		}
		if !matchesAll {
			if row.Get(&p); !w.Query.Matches(&p, in) {
				continue
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// filterContext is what the query is compared with now.
func (w *Watch) filterContext() filter.Context {
	return filter.Context{Instruments: w.Instruments, Now: w.Now()}
}

// WarnOfUncompared warns of markets whose numbers the query cannot compare.
func (w *Watch) WarnOfUncompared() {
	if n := w.notLinear(); n > 0 {
		w.Warn(fmt.Errorf("--filter: %s with linear = false, so to50, to100 and entry%% do not match there", format.Counted(n, "market")))
	}
	if n := w.uncompared(); n > 0 {
		w.Warn(fmt.Errorf("--filter: %s without known decimals, so none of their numbers match; size>5r compares raw numbers", format.Counted(n, "market")))
	}
}

// WarnOfMissed warns of changes that have no event, since the last call.
func (w *Watch) WarnOfMissed() {
	if w.missed > 0 {
		w.Warn(fmt.Errorf("%s of size, status or loss came faster than they could be written, and are left out",
			format.Counted(w.missed, "change")))
		w.missed = 0
	}
}

// problemError returns a problem as an error that names the address, if a recording has it, and the status if the
// service sent one.
func problemError(p *model.Problem) error {
	words := p.Words
	if p.HeldBack {
		words += "; " + p.Advice
	}
	if p.Status != 0 {
		words = fmt.Sprintf("the service responded with %d: %s", p.Status, words)
	}
	if p.Address != "" {
		words = p.Address + ": " + words
	}
	return errors.New(words)
}
