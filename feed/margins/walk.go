package margins

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"blotter/feed/endpoint"
	"blotter/model"
)

// A walk may read each record a few times, because records move to the newest end of the list when they change. When it
// has read readsPerRecord rows for each record that it found, and extraReads more for short lists, it ends.
const (
	readsPerRecord = 3
	extraReads     = 100
)

// maxRecords is how many records of one list a walk keeps. No service has that many; a faulty one may send pages
// without end.
const maxRecords = 1_000_000

// Walk reads all margin levels of the scope, or as many as hold limit records (0: all). It returns the records in the
// requested order, each once: by party, market and asset, in its newest copy. The warning is the first problem that
// does not end the walk: records that may be missing, or a list that did not end. It is empty where there is none.
//
// After transport errors, 408, 429, 5xx and a 403 that names a time, the walk tries again until ctx ends. The error is
// then that of ctx joined with the last failure, where there was one. Any other status, and a wait that the service
// named and that is longer than ctx's deadline allows, ends the walk at once.
func (l *Lister) Walk(
	ctx context.Context, request model.PageRequest, limit int,
) (records []model.MarginLevels, warning string, err error) {
	keys := request.Scope.Pairs()
	for _, key := range keys {
		w := &walk{
			lister: l, size: max(1, min(request.Size, MaxPageSize)), limit: limit,
			query:  endpoint.PageQuery{Key: key, NewestFirst: request.NewestFirst && limit > 0},
			newest: make(map[model.MarginKey]int),
		}
		if err := w.run(ctx); err != nil {
			return nil, "", inList(err, key, len(keys))
		}
		list := w.records()
		if request.NewestFirst != w.query.NewestFirst {
			slices.Reverse(list)
		}
		records, warning = append(records, list...), cmp.Or(warning, w.warning)
	}
	slices.SortStableFunc(records, func(a, b model.MarginLevels) int {
		if request.NewestFirst {
			a, b = b, a
		}
		return a.Timestamp.Compare(b.Timestamp)
	})
	if limit > 0 && len(records) > limit {
		records = records[:limit]
	}
	return records, warning, nil
}

// walk reads one list to its end. How it misses no record although records move while it reads:
//
// A record that changes moves to the newest end of the list. A walk that reads the whole list therefore reads it oldest
// first, whatever the requested order is: what moves comes again at the end.
//
// The public service has a fault: where the row of a cursor has moved, it leaves out the row after it without an error.
// So a walk does not read on from the last row that it has, but from the one before, and checks whether the next page
// begins with a known row. If so, nothing is missing before that row. If not, it reads from further back.
//
//	rows so far 1 2 3 4 5, next page after 4      first row
//	nothing has moved            5 6 7 8          known: nothing is missing
//	4 has moved                    6 7 8 9        not known (the service left out 5): read what follows 3 or 1
//	4 and 5 have moved               7 8 9 10     not known (the service left out 6): read what follows 3 or 1
type walk struct {
	lister  *Lister
	query   endpoint.PageQuery
	size    int                     // how many rows to request
	limit   int                     // how many records to read; 0 for all
	rows    []row                   // what was read, in the order of the list; each version of a record once
	newest  map[model.MarginKey]int // where in rows the newest version of each record is
	read    int                     // how many rows the service has sent, with those that were known
	warning string
}

// row is a row of the list with its cursor, which may be empty.
type row struct {
	model.MarginLevels
	cursor string
}

// run reads page after page until the list ends, or until one of the limits is reached.
func (w *walk) run(ctx context.Context) error {
	page, err := w.request(ctx, "", w.size)
	for page != nil && err == nil {
		isNew := w.hasNew(page)
		w.keep(page)
		switch {
		case !page.HasNext, w.limit > 0 && len(w.newest) >= w.limit:
			return nil
		case !isNew:
			w.warning = "the service reports more margin levels, but sends none that are new"
			return nil
		case w.read > readsPerRecord*len(w.newest)+extraReads:
			w.warning = fmt.Sprintf("margin levels change faster than they can be read %d at a time: some may be missing; "+
				"use larger pages", w.size)
			return nil
		case len(w.newest) >= maxRecords:
			w.warning = fmt.Sprintf("only the first %d margin levels were read: the service has more", len(w.newest))
			return nil
		}
		page, err = w.next(ctx)
	}
	return err
}

// next requests the page after the rows that were read. It is nil where there is no cursor for it.
func (w *walk) next(ctx context.Context) (*endpoint.Page, error) {
	last := len(w.rows) - 1
	for back := 1; ; back *= 2 {
		from := last - back
		for from >= 0 && w.rows[from].cursor == "" {
			from--
		}
		cursor := "" // from the beginning
		if from = max(from, -1); from >= 0 {
			cursor = w.rows[from].cursor
		}
		known := last - from // this many rows of the page were read before
		if known >= MaxPageSize {
			break
		}
		page, err := w.request(ctx, cursor, min(max(w.size, 2*known), MaxPageSize))
		if err != nil {
			return nil, err
		}
		if from < 0 || w.beginsKnown(page) {
			if w.hasNew(page) || !page.HasNext {
				return page, nil
			}
			break // the service sends fewer rows than requested
		}
	}
	if w.rows[last].cursor == "" {
		w.warning = "the service reports more margin levels, but sends no cursor to read on from"
		return nil, nil
	}
	w.warning = cmp.Or(w.warning,
		"some margin levels may be missing: it cannot be checked whether they moved while they were read")
	return w.request(ctx, w.rows[last].cursor, w.size)
}

// beginsKnown reports whether nothing was left out between the rows that were read and the page.
func (w *walk) beginsKnown(page *endpoint.Page) bool {
	return len(page.Rows) > 0 && w.isKnown(&page.Rows[0])
}

func (w *walk) hasNew(page *endpoint.Page) bool {
	for i := range page.Rows {
		if !w.isKnown(&page.Rows[i]) {
			return true
		}
	}
	return false
}

// isKnown reports whether the row was read before and has not changed since.
func (w *walk) isKnown(levels *model.MarginLevels) bool {
	at, ok := w.newest[levels.MarginKey]
	return ok && w.rows[at].MarginLevels == *levels
}

// keep keeps the rows of the page that are new.
func (w *walk) keep(page *endpoint.Page) {
	for i, levels := range page.Rows {
		if w.isKnown(&page.Rows[i]) {
			continue
		}
		at, ok := w.newest[levels.MarginKey]
		if !ok || levels.Timestamp.Compare(w.rows[at].Timestamp) >= 0 {
			w.newest[levels.MarginKey] = len(w.rows)
		}
		w.rows = append(w.rows, row{levels, page.Cursors[i]})
	}
}

// records returns the newest versions of all records, in the order of the list.
func (w *walk) records() []model.MarginLevels {
	var records []model.MarginLevels
	for i := range w.rows {
		if w.newest[w.rows[i].MarginKey] == i {
			records = append(records, w.rows[i].MarginLevels)
		}
	}
	return records
}
