package feed

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"blotter/model"
)

// cursorTries is how often a page with a cursor is asked for when the service fails on it: a cursor that means
// nothing to a service makes it fail every time.
const cursorTries = 3

// maxWalkBackoff is how long a walk waits between tries at most: somebody waits for it.
const maxWalkBackoff = 2 * time.Second

// MaxPageSize is how many records a page of margin levels may have: the known service takes no more.
const MaxPageSize = 5000

// WalkMargins reads all pages of margin levels, or as many as hold limit records (0: all), and returns the records
// in the order asked for, each once: by party, market and asset, in its newest copy. A warning says why a walk
// ended before the service said that it was over, or what may be missing: the first of several.
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
		w := newWalk(f, request, subscription.Key)
		if err := w.run(ctx, limit); err != nil {
			return nil, "", plain{err}
		}
		rows = append(rows, w.newest()...)
		warning = cmp.Or(warning, w.warning)
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

// walk reads one list to its end, page by page, from the cursor of the last row that it has read.
//
// Rows move to the newest end while it reads. Oldest first, a row that moves comes again. Where the very row that
// a cursor names has moved before it was used, a known service silently leaves out the row after it: the walk learns
// that when the row comes again, and then reads that stretch once more, from a row before it.
type walk struct {
	feed     *Feed
	window   window
	size     int
	rows     []model.MarginLevels    // every row read
	latest   map[model.MarginKey]int // the newest copy of each record among them
	trail    []footprint             // the rows read page by page, in their order
	spot     map[model.MarginKey]int // where in the trail a record was read last
	usedAt   map[model.MarginKey]int // where in the trail the cursor of a record was gone on from
	suspects []int                   // where in the trail something may have been left out
	repaired int                     // rows that were read again
	warning  string
}

// footprint is a row that the walk has passed.
type footprint struct {
	row    model.MarginLevels
	cursor string
}

func newWalk(f *Feed, request model.PageRequest, key model.Key) *walk {
	return &walk{
		feed:   f,
		window: window{key: key, newestFirst: request.NewestFirst},
		size:   request.Size,
		latest: make(map[model.MarginKey]int),
		spot:   make(map[model.MarginKey]int),
		usedAt: make(map[model.MarginKey]int),
	}
}

func (w *walk) run(ctx context.Context, limit int) error {
	used := make(map[string]bool)
	for cursor := ""; ; used[cursor] = true {
		w.window.cursor, w.window.size = cursor, w.size
		page, err := w.ask(ctx)
		if err != nil {
			return err
		}
		further := w.pass(page)
		again := len(w.suspects) > 0
		if err := w.repair(ctx); err != nil {
			return err
		}
		// What moves while a stretch is read again stands behind the end that was reached.
		if !page.hasNext && !again || limit > 0 && len(w.latest) >= limit {
			return nil
		}
		if n := len(page.cursors); n > 0 || !again {
			cursor = lastCursor(page)
		}
		switch {
		case cursor == "":
			w.warn("the service says that there are more margin levels, but gives no cursor to go on from")
			return nil
		case !again && (!further || used[cursor]):
			w.warn("the service says that there are more margin levels, but repeats those it has given")
			return nil
		}
		w.usedAt[w.trail[len(w.trail)-1].row.MarginKey] = len(w.trail) - 1
	}
}

func lastCursor(page *listing) string {
	if len(page.cursors) == 0 {
		return ""
	}
	return page.cursors[len(page.cursors)-1]
}

// pass keeps the rows of the next page, and tells whether the walk has got any further.
func (w *walk) pass(page *listing) (further bool) {
	for i, row := range page.rows {
		further = w.keep(row) || further
		w.spot[row.MarginKey] = len(w.trail)
		w.trail = append(w.trail, footprint{row, page.cursors[i]})
	}
	return further
}

// keep keeps a row where it is the newest copy of its record, and tells whether it was not passed as it is. Where its
// cursor was gone on from and it has moved since, something may have been left out there.
func (w *walk) keep(row model.MarginLevels) (changed bool) {
	key := row.MarginKey
	if at, known := w.latest[key]; !known || row.Timestamp.Compare(w.rows[at].Timestamp) > 0 {
		w.latest[key] = len(w.rows)
		w.rows = append(w.rows, row)
	}
	if at, passed := w.spot[key]; passed && w.trail[at].row == row {
		return false
	}
	if at, was := w.usedAt[key]; was {
		w.suspects = append(w.suspects, at)
		delete(w.usedAt, key)
	}
	return true
}

// repair reads again what may have been left out after rows that have moved. A stretch is good only if it begins with
// a row that was passed before: then nothing was left out ahead of it.
func (w *walk) repair(ctx context.Context) error {
	for len(w.suspects) > 0 {
		at := w.suspects[0]
		w.suspects = w.suspects[1:]
		for back := 2; ; back *= 2 {
			from := w.fromBefore(at, back)
			w.window.cursor = ""
			if from >= 0 {
				w.window.cursor = w.trail[from].cursor
			}
			// There is room for each row of the stretch, for one left out after each, and for those found since.
			w.window.size = min(2*(at-from)+2+w.repaired, MaxPageSize)
			if at-from >= MaxPageSize {
				w.warn("a margin level may be missing: what has moved cannot be looked for")
				break
			}
			page, err := w.ask(ctx)
			if _, answered := asStatus(err); answered && ctx.Err() == nil {
				w.warn("a margin level may be missing: " + words(err))
				break
			} else if err != nil {
				return err
			}
			if w.window.cursor != "" && !w.passedBefore(page, at) {
				continue
			}
			for i := range page.rows {
				w.keep(page.rows[i])
				w.repaired++
			}
			break
		}
	}
	return nil
}

// fromBefore is the row of the trail, at least so many rows back, from which a stretch can be read again: one that has
// a cursor; -1, which is the beginning of the list, where there is none.
func (w *walk) fromBefore(at, back int) int {
	from := max(at-back, -1)
	for from >= 0 && w.trail[from].cursor == "" {
		from--
	}
	return from
}

// warn keeps the first warning: what follows may come of the same.
func (w *walk) warn(text string) { w.warning = cmp.Or(w.warning, text) }

// passedBefore tells whether the page begins with a row that was passed before a place in the trail.
func (w *walk) passedBefore(page *listing, at int) bool {
	if len(page.rows) == 0 {
		return false
	}
	spot, passed := w.spot[page.rows[0].MarginKey]
	return passed && spot < at
}

// newest are the newest copies of all records.
func (w *walk) newest() []model.MarginLevels {
	var rows []model.MarginLevels
	for i := range w.rows {
		if w.latest[w.rows[i].MarginKey] == i {
			rows = append(rows, w.rows[i])
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
		if rest, ok := errors.AsType[*restingError](err); ok { // nothing was asked
			if !waitFor(ctx, max(time.Until(rest.until), w.feed.config.Times.FirstBackoff)) {
				return nil, errors.Join(ctx.Err(), plain{rest.known})
			}
			try--
			continue
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
		if isUnasked(err) {
			try--
		} else {
			w.feed.config.Logger.Warn("margin levels: "+words(err)+"; trying again", "try", try)
		}
		if !waitFor(ctx, wait) {
			return nil, errors.Join(ctx.Err(), plain{err})
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
