package book

import (
	"slices"
	"time"

	"blotter/model"
)

// How often the margin levels of a scope are read.
const (
	MarginRefresh      = 5 * time.Second  // those that have changed
	MarginWalkEvery    = 5 * time.Minute  // all of them
	MarginRetry        = 15 * time.Second // after a failure
	MarginWalkPageSize = 1000

	maxWalkedRecords = 2_000_000 // of one list: a service may report without end that there is more
)

// MarginWalk decides which page of margin levels is read next, so that every position of a scope has its record.
// It goes through the lists of the scope one after the other, one request at a time. A pass is one of two:
//
//	full       every page, the oldest records first. A record that changes meanwhile moves to the newest end, where it
//	           is read later: so none is missed
//	refresh    the newest records first, as far as they are newer than the pass before
//
// The first pass is full. Then a refresh follows every MarginRefresh, and a full pass every MarginWalkEvery.
type MarginWalk struct {
	lists []model.Key
	dueAt time.Time // of the next request

	began   time.Time   // of the pass; zero between two of them
	full    bool        // the pass is a full one
	fullDue bool        // the next pass is a full one
	list    int         // which list it reads
	from    *model.Page // where it continues in the list; nil at the beginning
	rows    int         // how many records of the list it has read
	newest  time.Time   // the time of the newest of them

	upTo      []time.Time // of each list: the time of the newest record that a complete pass has read
	walkedAt  time.Time   // when the last complete full pass began; zero where there is none
	checkedAt time.Time   // when the last complete pass began
}

// NewMarginWalk returns a walk through the lists of a scope.
func NewMarginWalk(scope model.Scope) MarginWalk {
	lists := scope.Pairs()
	return MarginWalk{lists: lists, upTo: make([]time.Time, len(lists))}
}

// IsComplete reports whether all margin levels of the scope were read.
func (w *MarginWalk) IsComplete() bool { return !w.walkedAt.IsZero() }

// CheckedAt returns when the last complete pass began; zero where there is none.
func (w *MarginWalk) CheckedAt() time.Time { return w.checkedAt }

// Restart begins a full pass at once.
func (w *MarginWalk) Restart() { w.began, w.dueAt, w.fullDue = time.Time{}, time.Time{}, true }

// DueAt returns when the next request is to be sent. It is zero at first.
func (w *MarginWalk) DueAt() time.Time { return w.dueAt }

// Next returns the next request. Read or Failed must follow it.
func (w *MarginWalk) Next(now time.Time) model.PageRequest {
	if w.began.IsZero() {
		w.began, w.full = now, w.fullDue || !w.IsComplete() || now.Sub(w.walkedAt) >= MarginWalkEvery
		w.list, w.fullDue = 0, false
		w.beginList()
	}
	request := model.PageRequest{
		Scope: scopeOf(w.lists[w.list]), Size: MarginWalkPageSize, NewestFirst: !w.full, Background: true,
	}
	if w.from != nil { // only its cursors are kept
		request.Turn, request.From = model.NextPage, &model.Page{Places: w.from.Places}
	}
	return request
}

func (w *MarginWalk) beginList() { w.from, w.rows, w.newest = nil, 0, time.Time{} }

// scopeOf returns the scope of one list.
func scopeOf(k model.Key) model.Scope {
	var scope model.Scope
	if !k.Party.IsZero() {
		scope.Parties = []model.ID{k.Party}
	}
	if !k.Market.IsZero() {
		scope.Markets = []model.ID{k.Market}
	}
	return scope
}

// Failed continues later, because a request failed.
func (w *MarginWalk) Failed(now time.Time) { w.dueAt = now.Add(MarginRetry) }

// Read continues after a page. serviceNow is the time by the service's clock. The known records are those before the
// page.
func (w *MarginWalk) Read(page *model.Page, known *Margins, serviceNow, now time.Time) {
	if page.Restarted {
		w.rows = 0
		w.dueAt = now.Add(MarginRetry)
	}
	w.rows += len(page.Rows)
	for i := range page.Rows {
		// A time ahead of the clock is ignored: no later record would be newer.
		if at, ok := page.Rows[i].Timestamp.Time(); ok && at.After(w.newest) && at.Sub(serviceNow) <= model.AheadFor {
			w.newest = at
		}
	}
	isRepeated := w.from != nil && slices.Equal(w.from.Places, page.Places)
	if page.HasNext && len(page.Rows) > 0 && !isRepeated && w.rows < maxWalkedRecords && !w.reaches(page, known) {
		w.from = page
		return
	}
	if w.newest.After(w.upTo[w.list]) {
		w.upTo[w.list] = w.newest
	}
	w.beginList()
	if w.list++; w.list < len(w.lists) {
		return
	}
	if w.full {
		w.walkedAt = w.began
	}
	w.checkedAt, w.began, w.dueAt = w.began, time.Time{}, now.Add(MarginRefresh)
}

// reaches reports whether a page of a refresh ends where the pass before began: all further records are older. Many
// records may have one time. Those of the last time that was read may be new, unless all of the page are known.
func (w *MarginWalk) reaches(page *model.Page, known *Margins) bool {
	if w.full {
		return false
	}
	last, ok := page.Rows[len(page.Rows)-1].Timestamp.Time()
	upTo := w.upTo[w.list]
	return ok && (last.Before(upTo) || last.Equal(upTo) && known.hasAll(page.Rows))
}

// hasAll reports whether all of the records are kept.
func (m *Margins) hasAll(records []model.MarginLevels) bool {
	return !slices.ContainsFunc(records, func(record model.MarginLevels) bool {
		known, _, ok := m.Find(record.Key, record.Asset)
		return !ok || known != record
	})
}
