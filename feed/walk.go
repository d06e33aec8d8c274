package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"blotter/model"
)

// cursorTries is how often a page with a cursor is asked for when the service fails on it: a cursor that means
// nothing to a service makes it fail every time.
const cursorTries = 3

// maxWalkBackoff is how long a walk waits between tries at most: somebody waits for it.
const maxWalkBackoff = 2 * time.Second

// maxPageSize is how many records a service gives in a page at most.
const maxPageSize = 5000

// WalkMargins reads all pages of margin levels, or as many as hold limit records (0: all), and returns the records
// in the order asked for, each once: by party, market and asset, in its newest copy. A warning says why a walk
// ended before the service said that it was over.
//
// Transport errors, 408, 429, 5xx and a 403 that names a time are tried again until ctx ends; then, or where the
// service names a time beyond ctx's deadline, the error is the last of them. Any other status is returned at
// once.
func (f *Feed) WalkMargins(ctx context.Context, request model.PageRequest, limit int) ([]model.MarginLevels, string, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	var rows []model.MarginLevels
	var warning string
	for _, subscription := range request.Scope.Subscriptions(nil, 0) {
		w := &walk{
			feed:   f,
			window: window{key: subscription.Key, newestFirst: request.NewestFirst},
			size:   min(request.Size, maxPageSize-1),
			place:  make(map[model.MarginKey]int),
		}
		if err := w.run(ctx, limit); err != nil {
			return nil, "", fmt.Errorf("listing margin levels: %w", err)
		}
		rows = append(rows, w.newest()...)
		warning = max(warning, w.warning)
	}
	slices.SortStableFunc(rows, func(a, b model.MarginLevels) int {
		if request.NewestFirst {
			a, b = b, a
		}
		return a.Timestamp.Compare(b.Timestamp)
	})
	if limit > 0 && len(rows) > limit {
		rows = rows[:limit]
	}
	return rows, warning, nil
}

// walk reads one list to its end. Rows move to the newest end while it reads, and where the very row that a
// cursor names has moved, a service silently leaves out the row after it. So each page is asked for
// from the cursor of the row before the last one known, and is good only if it begins with a row
// that is known; if not, it is asked for from an earlier one.
type walk struct {
	feed    *Feed
	window  window
	size    int
	trail   []footprint             // every row read, in the order read
	place   map[model.MarginKey]int // the newest copy of each record in the trail
	warning string
}

// footprint is a row that the walk has read.
type footprint struct {
	row    model.MarginLevels
	cursor string
}

func (w *walk) run(ctx context.Context, limit int) error {
	for back := 2; ; {
		w.window.cursor, w.window.size = "", w.size
		if from := len(w.trail) - back; len(w.trail) > 0 {
			w.window.size = min(w.size+min(back, len(w.trail))-1, maxPageSize)
			if from >= 0 {
				w.window.cursor = w.trail[from].cursor
			}
		}
		page, err := w.ask(ctx)
		if err != nil {
			return err
		}
		if len(page.rows) > 0 && len(w.trail) > 0 && !w.knows(page.rows[0].MarginKey) && w.window.cursor != "" {
			back = min(2*back, len(w.trail)+1)
			continue
		}
		back = 2
		fresh := w.take(page)
		switch {
		case limit > 0 && len(w.place) >= limit, !page.hasNext:
			return nil
		case len(page.rows) == 0 || slices.Contains(page.cursors, ""):
			w.warning = "the service says that there are more margin levels, but gives no cursor to go on from"
			return nil
		case !fresh:
			w.warning = "the service says that there are more margin levels, but repeats those it has given"
			return nil
		}
	}
}

func (w *walk) knows(key model.MarginKey) bool {
	_, known := w.place[key]
	return known
}

// take keeps the rows of a page, and tells whether any of them was news.
func (w *walk) take(page *listing) (fresh bool) {
	for i, row := range page.rows {
		at, known := w.place[row.MarginKey]
		if known && w.trail[at].row == row {
			continue
		}
		fresh = true
		if !known || row.Timestamp.Compare(w.trail[at].row.Timestamp) >= 0 {
			w.place[row.MarginKey] = len(w.trail)
		}
		w.trail = append(w.trail, footprint{row, page.cursors[i]})
	}
	return fresh
}

// newest are the records in the order in which their newest copies were read.
func (w *walk) newest() []model.MarginLevels {
	var rows []model.MarginLevels
	for i := range w.trail {
		if w.place[w.trail[i].row.MarginKey] == i {
			rows = append(rows, w.trail[i].row)
		}
	}
	return rows
}

// ask asks for the window until it is answered or there is no point in asking.
func (w *walk) ask(ctx context.Context) (*listing, error) {
	for try := 1; ; try++ {
		page, err := w.feed.window(ctx, w.window)
		if err == nil {
			return page, nil
		}
		status, isStatus := asStatus(err)
		if ctx.Err() != nil || isStatus && !status.Retryable() ||
			isStatus && status.Status >= 500 && w.window.cursor != "" && try == cursorTries {
			return nil, err
		}
		asked := askedToWait(err)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < asked {
			return nil, err
		}
		wait := max(asked, backoff(w.feed.config.Times.FirstBackoff, maxWalkBackoff, try))
		w.feed.config.Logger.Warn("margin levels: "+words(err), "try", try)
		if !waitFor(ctx, wait) {
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// waitFor waits, and tells whether ctx lasted.
func waitFor(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}
