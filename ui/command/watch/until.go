package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/command/cli"
)

// Margins has the margin levels of a scope, as feed.Feed has.
type Margins interface {
	WatchMargins(scope model.Scope)
	NextMargins(ctx context.Context) (book.MarginsRead, error)
	HurryMargins(parties []model.ID)
}

// matchWaiter waits until a position matches. Rows that may be out of date do not count. It watches them with one alert
// rule, and reads margin levels as the dashboard does if the query needs them.
type matchWaiter struct {
	*Watch
	alerts      *view.Alerts
	view        *view.View
	wasComplete bool // all positions have come once

	matchedAt  time.Time // when all rows were matched last because of time, or because some were stale
	wasSkipped bool      // some rows were stale since then

	margins         Margins
	read            chan book.MarginsRead
	marginsComplete bool  // all margin levels were read
	readErr         error // of the last request
}

// Until waits until a position matches the query. After that Rows returns no rows that may be out of date. The timeout
// is that of ctx, for its error. The instruments of the watch learn from the margin levels that are read.
func (w *Watch) Until(ctx context.Context, margins Margins, timeout time.Duration) error {
	u := &matchWaiter{
		Watch: w, margins: margins, read: make(chan book.MarginsRead),
		alerts: view.NewAlerts([]view.AlertRule{{Filter: w.Query}}),
	}
	u.show()
	if err := u.wait(ctx, timeout); err != nil {
		return err
	}
	w.book, w.leavesOutUnsent = w.book.Narrowed(u.usableSubscriptions()), true
	return nil
}

// wait returns when a position matches.
func (u *matchWaiter) wait(ctx context.Context, timeout time.Duration) error {
	reading, stop := context.WithCancel(ctx)
	var readers sync.WaitGroup
	defer readers.Wait()
	defer stop()
	deadline, _ := ctx.Deadline()
	if u.alerts.UsesMargins() {
		readers.Go(func() { u.readMargins(reading) })
	}
	for {
		if err := u.next(ctx); err != nil {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return u.noMatch(timeout)
			}
			return err
		}
		if err := u.checkLinks(deadline); err != nil {
			return err
		}
		hasProblem := func(l model.Link) bool { return l.Problem != nil }
		u.warnedOfProblem = u.warnedOfProblem && slices.ContainsFunc(u.links, hasProblem) // once for each outage
		if u.isMatched() {
			return nil
		}
		if !u.wasComplete && u.IsComplete() {
			u.wasComplete = true
			u.WarnOfRowsLeftOut()
			u.WarnOfUncompared()
		}
	}
}

// isMatched reports whether a position matches now. If time or stale rows decide, all are matched once a second.
func (u *matchWaiter) isMatched() bool {
	now := time.Now()
	evaluation := u.alerts.Evaluate(u.view, u.decides, now)
	if n, _ := u.alerts.Active(0); n > 0 {
		return true
	}
	u.wasSkipped = u.wasSkipped || evaluation.Skipped
	if (u.wasSkipped || u.alerts.UsesTime()) && now.Sub(u.matchedAt) >= time.Second {
		u.wasSkipped, u.matchedAt = false, now
		u.view.TakeAlerts(u.alerts.Match(u.view, u.Now()))
	}
	return false
}

// next applies what comes within a second: the next delta or page of margin levels, or both.
func (u *matchWaiter) next(ctx context.Context) error {
	second, cancel := context.WithTimeout(ctx, time.Second)
	var reader sync.WaitGroup
	var read []book.MarginsRead
	reader.Go(func() {
		defer cancel()
		select {
		case page := <-u.read:
			read = append(read, page)
		case <-second.Done():
		}
	})
	delta, err := u.source.Next(second)
	hasEnded := second.Err() != nil
	cancel()
	reader.Wait()
	switch {
	case err == nil: // also if the second has just ended: what has come must not be lost
		u.applyToView(delta)
	case ctx.Err() != nil:
		return ctx.Err()
	case !hasEnded:
		return err
	}
	for _, page := range read {
		u.applyMargins(page)
	}
	u.margins.HurryMargins(u.view.Margins().Waiting(time.Unix(0, 0)).Parties)
	return nil
}

// applyToView applies a delta to the book by the view.
func (u *matchWaiter) applyToView(delta book.Delta) {
	u.applySnapshots(&delta)
	if len(delta.Snapshots) > 0 {
		u.show()
	}
	u.applyRest(&delta, u.view.Apply)
}

func (u *matchWaiter) show() {
	u.view = view.New(u.book, u.Scope, view.Filter{}, view.Order{}, u.Instruments)
	u.view.TakeAlerts(u.alerts.Match(u.view, u.Now()))
}

// usableSubscriptions returns those whose rows are not out of date.
func (u *matchWaiter) usableSubscriptions() []model.Subscription {
	var usable []model.Subscription
	for i := range u.links {
		if !u.links[i].MayBeOutOfDate(u.localNow()) {
			usable = append(usable, u.links[i].Subscription)
		}
	}
	return usable
}

// outOfDateError says why positions may be out of date; nil if none may be.
func (u *matchWaiter) outOfDateError() error {
	for i, now := 0, u.localNow(); i < len(u.links); i++ {
		switch link := &u.links[i]; {
		case !link.MayBeOutOfDate(now):
		case link.Behind(now) > 0:
			return lagError(link, now)
		case u.problem != nil:
			return fmt.Errorf("some positions are stale: %w", problemError(u.problem))
		default:
			return fmt.Errorf("some positions are stale: %s does not respond", link.Address)
		}
	}
	return nil
}

// readMargins reads margin levels until ctx ends.
func (u *matchWaiter) readMargins(ctx context.Context) {
	u.margins.WatchMargins(u.Scope)
	for {
		read, err := u.margins.NextMargins(ctx)
		if err != nil {
			return
		}
		select {
		case u.read <- read:
		case <-ctx.Done():
			return
		}
	}
}

// applyMargins applies a page of margin levels, and learns the assets of markets from it.
func (u *matchWaiter) applyMargins(read book.MarginsRead) {
	u.readErr, u.marginsComplete = read.Err, u.marginsComplete || read.Whole
	if read.Page == nil {
		return
	}
	u.view.MergeMargins(read.Page)
	if learned := u.Instruments.Learn(read.Page.Rows); learned != u.Instruments {
		u.Instruments = learned
		u.show()
	}
}

// noMatch is the error if no position has matched until the timeout: because there was none, or because positions or
// margin levels were missing.
func (u *matchWaiter) noMatch(timeout time.Duration) error {
	outOfDate := u.outOfDateError()
	switch {
	case !u.IsComplete():
		return u.timeoutError(timeout)
	case outOfDate != nil:
		return cli.UnavailableError("no position has matched within %s, but %w", timeout, outOfDate)
	case u.alerts.UsesMargins() && u.readErr != nil:
		return cli.UnavailableError("no position has matched within %s, but the margin levels could not be read: %w", timeout, u.readErr)
	case u.alerts.UsesMargins() && !u.marginsComplete:
		return cli.UnavailableError("no position has matched within %s, but not all margin levels were read", timeout)
	case u.alerts.UsesMargins() && u.view.Margins().Waiting(time.Unix(0, 0)).Rows > 0:
		return cli.UnavailableError("no position has matched within %s, but some margin levels are older than the size of their positions", timeout)
	case u.alerts.UsesMargins() && hasWaiting(u.book):
		return cli.UnavailableError("no position has matched within %s, but some margin levels are newer than the positions", timeout)
	}
	return &cli.ExitError{Code: cli.ExitNoMatch, Err: fmt.Errorf("no position has matched within %s", timeout)}
}
