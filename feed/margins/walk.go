package margins

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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

// errMayMiss is why the records of a walk may not be all.
var errMayMiss = errors.New("some margin levels may be missing: it cannot be checked whether they moved while they were read")

// Walked is what a walk has read.
type Walked struct {
	// Records are in the requested order, each once: by party, market and asset, in its newest copy.
	Records []model.MarginLevels
	// Warning is the first problem that did not end the walk: records may be missing or old. It is empty if there is
	// none.
	Warning string
	// IsIncomplete is true if records may be missing, and Warning says why. Records that were missed because they
	// changed during a walk with a limit do not count.
	IsIncomplete bool
}

// Walk reads all margin levels of the scope, or the first limit of them (0: all). The end of a list counts only if a
// node reports it that is not behind another node of this walk: see ending.
//
// After transport errors, 408, 429, 5xx and a 403 that names a time, the walk tries again until ctx ends, but a cursor
// that fails with 408 or 5xx only cursorTries times. A cursor that the service refuses may have expired: the list is
// read again from the beginning, once, with cursorTries for its first page too. The error is then that of ctx joined
// with the last failure, if there was one. Any other status, and a wait that the service named and that is longer than
// ctx's deadline allows, ends the walk at once.
func (l *Lister) Walk(ctx context.Context, request model.PageRequest, limit int) (Walked, error) {
	keys := request.Scope.Pairs()
	var records []model.MarginLevels
	var lags lags
	var problem error
	var newest int64
	for _, key := range keys {
		query := endpoint.PageQuery{Key: key, NewestFirst: request.NewestFirst && limit > 0}
		begin := func(isAgain bool) *walk {
			return &walk{
				request: l.retrying(query, isAgain), size: max(1, min(request.Size, MaxPageSize)), limit: limit, known: newKnown(),
				ending: ending{newest: &newest, isChecked: true, mostAsks: endAsks},
			}
		}
		w, hasBegunAgain := begin(false), false
		all := collection{newest: make(map[model.MarginKey]int)}
		for !w.ended {
			page, err := w.next(ctx)
			if err != nil && w.began && !hasBegunAgain && ctx.Err() == nil && isCursorRefused(err) {
				l.log(err, "; the list is read again from the beginning")
				w, hasBegunAgain = begin(true), true
				all = collection{newest: make(map[model.MarginKey]int)}
				continue
			}
			if err != nil {
				return Walked{}, inList(err, key, len(keys))
			}
			all.add(requested(key, page.Rows))
			if limit > 0 || w.ended { // records that were old on an earlier page come again before the end
				lags.add(page, w.ending.isOlder, time.Now())
			}
		}
		list := all.records()
		if request.NewestFirst != query.NewestFirst {
			slices.Reverse(list)
		}
		records, problem = append(records, list...), cmp.Or(problem, w.problem)
	}
	slices.SortStableFunc(records, func(a, b model.MarginLevels) int {
		if request.NewestFirst {
			a, b = b, a
		}
		return a.Timestamp.CompareTime(b.Timestamp)
	})
	if limit > 0 && len(records) > limit {
		records = records[:limit]
	}
	if limit == 0 {
		problem = cmp.Or(problem, lags.difference())
	}
	walked := Walked{Records: records, IsIncomplete: problem != nil}
	if problem = cmp.Or(problem, lags.difference(), lags.problem()); problem != nil {
		walked.Warning = problem.Error()
	}
	return walked, nil
}

// collection is the records that a walk has read, in the order of the list.
type collection struct {
	rows   []model.MarginLevels
	newest map[model.MarginKey]int // where in rows the newest version of each record is
}

func (c *collection) add(rows []model.MarginLevels) {
	for _, levels := range rows {
		at, ok := c.newest[levels.MarginKey]
		if ok && levels.Timestamp.CompareTime(c.rows[at].Timestamp) < 0 {
			continue
		}
		c.newest[levels.MarginKey] = len(c.rows)
		c.rows = append(c.rows, levels)
	}
}

// records returns the newest versions of all records.
func (c *collection) records() []model.MarginLevels {
	var records []model.MarginLevels
	for i := range c.rows {
		if c.newest[c.rows[i].MarginKey] == i {
			records = append(records, c.rows[i])
		}
	}
	return records
}

// walk reads one list to its end. How it misses no record although records move while it reads:
//
// A record that changes moves to the newest end of the list. A walk that reads the whole list therefore reads it oldest
// first, whatever the requested order is: what moves comes again at the end.
//
// The public service has a fault: if the row of a cursor has moved, it leaves out the row after it without an error.
// So a walk does not read on from the last row that it has, but from the one before, and checks whether the next page
// begins with a known row. If so, nothing is missing before that row. If not, it reads from further back.
//
//	rows so far 1 2 3 4 5, next page after 4      first row
//	nothing has moved            5 6 7 8          known: nothing is missing
//	4 has moved                    6 7 8 9        not known (the service left out 5): read what follows 3 or 1
//	4 and 5 have moved               7 8 9 10     not known (the service left out 6): read what follows 3 or 1
//
// A walk ends if the service reports no next page and that counts (see ending), or if a page has nothing that is new to
// the known records: a record that changes moves to the newest end, so all records after it are known, too. So a walk
// newest first that has the records of an earlier one reads only what has changed since.
type walk struct {
	request requestFunc
	size    int // how many rows to request
	limit   int // how many records to read; 0 for all
	known   knownRecords
	earlier knownRecords // of the walk before, if this one reads all records again; empty if there was none
	// refreshes is true for a walk newest first that has the records of an earlier one.
	refreshes bool
	ending    ending
	rows      []row // the last ones that were read, in the order of the list
	read      int   // how many rows the service has sent, with those that were known
	began     bool  // the first page was read
	ended     bool
	problem   error // why records may be missing, or why the list did not end; nil if there is none
}

// requestFunc requests a page after a cursor; an empty one is the beginning of the list. Over a connection of its own,
// a request may reach another node.
type requestFunc func(ctx context.Context, cursor string, size int, ownConnection bool) (*endpoint.Page, error)

// row is a row of the list: its cursor, which may be empty, and its version.
type row struct {
	cursor  string
	version uint64
}

// keptRows is how many of the last rows a walk keeps, at least: it reads on from one of them.
const keptRows = MaxPageSize

// next reads the next page, until the walk has ended. After an error it can be called again.
func (w *walk) next(ctx context.Context) (page *endpoint.Page, err error) {
	if err := w.ending.wait(ctx); err != nil {
		return nil, err
	}
	if w.began {
		page, err = w.following(ctx)
	} else {
		page, err = w.request(ctx, "", w.size, w.ending.ownConnection)
	}
	if err == nil && page != nil && w.canPass(page) {
		page, err = w.past(ctx, page)
	}
	if err != nil {
		return nil, err
	}
	if page == nil { // the walk has ended
		return new(endpoint.Page), nil
	}
	if !w.began && w.isOnlyPage(ctx, page) {
		if page, err = w.confirmed(ctx, page); err != nil {
			return nil, err
		}
	}
	isNew := w.hasNew(page)
	w.ending.note(page, !w.began, w.hasOlder(page), isNew)
	w.began = true
	w.keep(page)
	w.read += len(page.Rows)
	records := len(w.known.records)
	if page.HasNext && !w.refreshes {
		w.ending.asked, w.ending.reported = 0, 0 // the list goes on
	}
	switch {
	case w.limit > 0 && records >= w.limit:
		w.ended = true
	case w.refreshes && (!isNew || !page.HasNext):
		w.endRefresh()
	case !page.HasNext:
		w.endAt(ctx, page, records)
	case !isNew:
		w.end(errors.New("the service reports more margin levels, but sends none that are new"))
	case w.read > readsPerRecord*records+extraReads:
		w.end(fmt.Errorf("margin levels change faster than they can be read %d at a time: some may be missing; use larger pages", w.size))
	case records >= maxRecords:
		w.end(fmt.Errorf("only the first %d margin levels were read: the service has more", records))
	}
	return page, nil
}

func (w *walk) end(problem error) { w.ended, w.problem = true, problem }

// following requests the page after the rows that were read. It is nil if there is no cursor for it.
func (w *walk) following(ctx context.Context) (*endpoint.Page, error) {
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
		before := last - from // rows of the page that were read before
		if before >= MaxPageSize {
			break
		}
		page, err := w.request(ctx, cursor, min(max(w.size, 2*before), MaxPageSize), w.ending.ownConnection)
		if err != nil {
			return nil, err
		}
		if len(page.Rows) == 0 && !page.HasNext { // the node is behind, or the records were removed
			return page, nil
		}
		if w.canPass(page) {
			return page, nil
		}
		if from < 0 || w.continues(page) {
			if w.hasNew(page) || !page.HasNext || w.refreshes && len(page.Rows) > before {
				return page, nil
			}
			break // the service sends fewer rows than requested
		}
	}
	switch {
	case last >= 0 && w.rows[last].cursor != "":
		if !w.ending.isAsking {
			w.problem = cmp.Or(w.problem, errMayMiss)
		}
		return w.request(ctx, w.rows[last].cursor, w.size, w.ending.ownConnection)
	case w.ending.isAsking:
		w.ended = true
	default:
		w.end(errors.New("the service reports more margin levels, but sends no cursor to read on from"))
	}
	return nil, nil
}

// canPass reports whether a page has nothing new, because a service has hidden rows after it cut the page, and has a
// cursor behind these rows.
func (w *walk) canPass(page *endpoint.Page) bool {
	last := len(page.Cursors) - 1
	isBehind := page.End != "" && (last < 0 || page.End != page.Cursors[last])
	return page.HasNext && isBehind && !w.refreshes && !w.hasNew(page)
}

// maxPassed is how many pages without new rows a walk passes, one after the other.
const maxPassed = 100

// past reads on behind a page with nothing new, until a page has a new row, or is the last one. A cursor that comes
// twice makes a loop, so it ends that.
func (w *walk) past(ctx context.Context, page *endpoint.Page) (*endpoint.Page, error) {
	used := make(map[string]bool)
	for page.HasNext && page.End != "" && !w.hasNew(page) && !used[page.End] && len(used) < maxPassed {
		used[page.End] = true
		next, err := w.request(ctx, page.End, w.size, w.ending.ownConnection)
		if err != nil {
			return nil, err
		}
		page = next
	}
	return page, nil
}

// continues reports whether nothing was left out between the rows that were read and the page.
func (w *walk) continues(page *endpoint.Page) bool {
	if len(page.Rows) == 0 {
		return false
	}
	first := w.known.version(&page.Rows[0])
	return slices.ContainsFunc(w.rows, func(r row) bool { return r.version == first })
}

func (w *walk) hasNew(page *endpoint.Page) bool {
	return slices.ContainsFunc(page.Rows, func(levels model.MarginLevels) bool { return !w.known.has(&levels) })
}

// keep notes the rows of the page that were not read before by this walk.
func (w *walk) keep(page *endpoint.Page) {
	for i := range page.Rows {
		levels := &page.Rows[i]
		version := w.known.version(levels)
		if w.known.has(levels) && slices.ContainsFunc(w.rows, func(r row) bool { return r.version == version }) {
			continue
		}
		w.known.add(levels)
		w.rows = append(w.rows, row{page.Cursors[i], version})
	}
	if len(w.rows) > 2*keptRows {
		w.rows = slices.Clone(w.rows[len(w.rows)-keptRows:])
	}
}
