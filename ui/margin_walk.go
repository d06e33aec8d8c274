package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// How often the margin levels of the whole scope are read.
const (
	walkEvery     = 5 * time.Minute // all of them
	walkPageSize  = 1000
	maxWalkedRows = 2_000_000 // of one list: a service may always say that there is more
)

// marginWalk reads the margin levels of the whole scope in the background, so that every row has its ratio. It goes
// through the lists of the scope one after the other, one request at a time. A pass is one of two:
//
//	full       every page, the oldest records first. A record that changes meanwhile moves to the newest end, where it
//	           is read later: so none is missed
//	refresh    the newest records first, as far as they are newer than the pass before
//
// The first pass is full. Then a refresh follows every refreshAfter, and a full pass every walkEvery.
type marginWalk struct {
	lists    []model.Key
	sequence uint64             // counts the requests, so that an answer to an older one is ignored
	cancel   context.CancelFunc // of the request, nil where the answer is there
	dueAt    time.Time          // of the next request
	problem  string             // why the last request failed

	began   time.Time   // of the pass; zero between two of them
	full    bool        // the pass is a full one
	fullDue bool        // the next pass is a full one
	list    int         // which list it reads
	from    *model.Page // where it goes on in the list; nil at the beginning
	rows    int         // how many records of the list it has read
	newest  time.Time   // the time of the newest of them

	upTo      []time.Time // of each list: the time of the newest record that a complete pass has read
	walkedAt  time.Time   // when the last complete full pass began; zero where there is none
	checkedAt time.Time   // when the last complete pass began
}

// walkedMsg is the answer to a request of the walk.
type walkedMsg struct {
	sequence uint64
	page     *model.Page
	err      error
}

// newMarginWalk returns a walk through the lists of a scope. Its requests are counted on from sequence.
func newMarginWalk(scope model.Scope, sequence uint64) marginWalk {
	lists := scope.Pairs()
	return marginWalk{lists: lists, upTo: make([]time.Time, len(lists)), sequence: sequence}
}

// isComplete reports whether all margin levels of the scope were read.
func (w *marginWalk) isComplete() bool { return !w.walkedAt.IsZero() }

// stop cancels the request. The walk goes on where it was.
func (w *marginWalk) stop() {
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
}

// restart has a full pass begin at once.
func (w *marginWalk) restart() {
	w.stop()
	w.began, w.dueAt, w.fullDue = time.Time{}, time.Time{}, true
}

// walkMargins sends the next request of the walk when it is due.
func (m *Model) walkMargins() tea.Cmd {
	w, now := &m.walk, m.now()
	if m.incoming.frozen {
		w.stop()
		return nil
	}
	if w.cancel != nil || m.ctx.Err() != nil || len(m.data.heldPages) > 0 || now.Before(w.dueAt) {
		return nil
	}
	if w.began.IsZero() {
		w.began, w.full = now, w.fullDue || !w.isComplete() || now.Sub(w.walkedAt) >= walkEvery
		w.list, w.fullDue = 0, false
		w.beginList()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	w.cancel = cancel
	w.sequence++
	source, sequence, request := m.source, w.sequence, w.request()
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return walkedMsg{sequence, page, err}
	}
}

func (w *marginWalk) beginList() { w.from, w.rows, w.newest = nil, 0, time.Time{} }

// request returns the request for the next page. Of the page before it, only the cursors are kept.
func (w *marginWalk) request() model.PageRequest {
	request := model.PageRequest{
		Scope: scopeOf(w.lists[w.list]), Size: walkPageSize, NewestFirst: !w.full, Unasked: true,
	}
	if w.from != nil {
		request.Turn, request.From = model.NextPage, &model.Page{Places: w.from.Places}
	}
	return request
}

// scopeOf returns the scope of one list.
func scopeOf(list model.Key) model.Scope {
	var scope model.Scope
	if !list.Party.IsZero() {
		scope.Parties = []model.ID{list.Party}
	}
	if !list.Market.IsZero() {
		scope.Markets = []model.ID{list.Market}
	}
	return scope
}

// handleWalked handles an answer, unless the request was cancelled.
func (m *Model) handleWalked(msg walkedMsg) tea.Cmd {
	w := &m.walk
	if msg.sequence != w.sequence || w.cancel == nil {
		return nil
	}
	w.stop()
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		w.problem, _ = m.problemOf(msg.err)
		w.dueAt = m.now().Add(refreshAfterFailure)
		return nil
	}
	w.problem = ""
	w.read(msg.page, m.isKnown(msg.page), m.serviceNow(), m.now())
	return m.learn(msg.page)
}

// isKnown reports whether the book has all records of a page already.
func (m *Model) isKnown(page *model.Page) bool {
	margins := m.data.book.Margins()
	return !slices.ContainsFunc(page.Rows, func(record model.MarginLevels) bool {
		known, _, ok := margins.Find(record.Key, record.Asset)
		return !ok || known != record
	})
}

// read goes on after a page. serviceNow is the time by the service's clock.
func (w *marginWalk) read(page *model.Page, isKnown bool, serviceNow, now time.Time) {
	if page.Restarted {
		w.rows = 0
		w.dueAt = now.Add(refreshAfterFailure)
	}
	w.rows += len(page.Rows)
	for i := range page.Rows {
		// A time ahead of the clock is no time: nothing would be newer.
		if at, ok := page.Rows[i].Timestamp.Time(); ok && at.After(w.newest) && at.Sub(serviceNow) <= model.AheadFor {
			w.newest = at
		}
	}
	isRepeated := w.from != nil && slices.Equal(w.from.Places, page.Places)
	if page.HasNext && len(page.Rows) > 0 && !isRepeated && w.rows < maxWalkedRows && !w.reaches(page, isKnown) {
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
	w.checkedAt, w.began, w.dueAt = w.began, time.Time{}, now.Add(refreshAfter)
}

// reaches reports whether a page of a refresh ends where the pass before began: all further records are older. Many
// records may have one time. Those of the last time that was read may be new, unless all of the page are known.
func (w *marginWalk) reaches(page *model.Page, isKnown bool) bool {
	if w.full {
		return false
	}
	last, ok := page.Rows[len(page.Rows)-1].Timestamp.Time()
	upTo := w.upTo[w.list]
	return ok && (last.Before(upTo) || isKnown && last.Equal(upTo))
}

// walkWords say when the margin levels of the scope were last read, and how many of the open positions have any:
// "read 1m ago, 98% complete".
func (m *Model) walkWords() string {
	w, view := &m.walk, m.data.view
	words := "loading"
	if w.isComplete() {
		words = "read " + age(m.now().Sub(w.checkedAt)) + " ago"
	}
	if open, covered := view.Open(), view.Covered(); covered < open {
		words += fmt.Sprintf(", %d%% complete", 100*covered/open)
	}
	if margins := view.Book().Margins(); margins.IsFull() {
		words += ", only " + grouped(margins.Len()) + " kept"
	}
	if w.problem != "" {
		words += ", not read again: " + w.problem
	}
	return words
}
