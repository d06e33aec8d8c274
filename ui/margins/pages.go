package margins

import (
	"context"
	"errors"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// Pages is the table of margin levels, one page of which is shown. Its methods return the request that is to be sent,
// nil if there is none.
type Pages struct {
	Rows     pane.Rows[model.MarginKey] // the records of the page, and the cursor
	hasFocus bool                       // the table has the focus

	ctx           context.Context // of the requests
	scope         model.Scope
	size          int  // records on a page
	newest        bool // newest first
	widths        table.Widths
	page          *model.Page          // what is shown, nil before the first response
	rows          []model.MarginLevels // those of the page that match the filter
	narrowed      narrowedPage         // what rows were made from
	number        int                  // of the page: 1, 2, … from the first; -1, -2, … from the last
	request       model.PageRequest    // the request of page
	next          *model.Page          // the page after it, requested ahead; nil if it is not there
	nextRequested bool                 // the page after it was requested ahead, with or without success
	history       *visited             // the pages before it, if the service gives no cursor for them
	pending       pendingPage          // the last request
	failed        failedPage           // the same, if it failed
	block         model.Block          // the newest block of the pages that were shown
	behind        int64                // by how many blocks the node that responded last is behind it
	message       string               // the text of the last line, with the names of actions in place of keys
	requestedAt   time.Time            // when the last request was sent
}

// purpose is why a page is requested.
type purpose uint8

const (
	turnPage     purpose = iota // to show it
	refresh                     // to show the same page again, as it is now
	requestAhead                // to have the next page when the trader turns to it
	goBack                      // to show a page of the history
)

// pendingPage is a request for a page. A newer request cancels it, and then its response is ignored.
type pendingPage struct {
	*store.Request // nil if the response is there
	purpose        purpose
}

// failedPage is a request that has failed. The zero value is none.
type failedPage struct {
	pendingPage
	problem string    // why it failed
	retryAt time.Time // when it is sent, if it was not sent yet; else zero
}

// NewPages returns the table before its first request. Requests end when ctx is done.
func NewPages(ctx context.Context, scope model.Scope, size int, newestFirst bool) *Pages {
	p := &Pages{ctx: ctx, scope: scope, number: 1, size: size, newest: newestFirst}
	p.Rows = pane.NewRows(func() pane.Source[model.MarginKey] { return p })
	p.Rows.Stay()
	return p
}

// Watch forgets the page, and returns the request for the first page of another scope.
func (p *Pages) Watch(scope model.Scope, now time.Time) *store.Request {
	p.scope = scope
	p.page, p.next, p.history, p.failed, p.message = nil, nil, nil, failedPage{}, ""
	p.block, p.behind = model.Block{}, 0
	p.Rows.Reset()
	return p.FirstPage(now)
}

// FirstPage returns the request for the first page.
func (p *Pages) FirstPage(now time.Time) *store.Request {
	return p.newRequest(p.firstRequest(), turnPage, now)
}

// Reverse reverses the list, and returns the request for its first page.
func (p *Pages) Reverse(now time.Time) *store.Request {
	p.newest = !p.newest
	return p.FirstPage(now)
}

// Again returns the request for the same page as it is now.
func (p *Pages) Again(now time.Time) *store.Request {
	if p.page == nil {
		return p.FirstPage(now)
	}
	request := p.request
	request.Background = false // it was refreshed by itself before
	return p.newRequest(request, refresh, now)
}

// Sizes are the sizes that a page can have, besides that of the configuration.
var Sizes = []int{10, 20, 50, 100, 200, 500, 1000}

// Size returns how many records a page has at most.
func (p *Pages) Size() int { return p.size }

// Resize sets the size of pages to the next of Sizes, up or down, and reports whether there is one. The page that is
// shown stays as it is.
func (p *Pages) Resize(up bool) bool {
	at, isOne := slices.BinarySearch(Sizes, p.size)
	switch {
	case !up:
		at--
	case isOne:
		at++
	}
	if at < 0 || at >= len(Sizes) {
		return false
	}
	p.size = Sizes[at]
	return true
}

func (p *Pages) firstRequest() model.PageRequest { return p.turned(model.FirstPage, nil) }

// turned returns the request for a page. Of the page before or after it, only the cursors are kept.
func (p *Pages) turned(turn model.PageTurn, from *model.Page) model.PageRequest {
	if from != nil {
		from = &model.Page{Places: from.Places}
	}
	return model.PageRequest{Scope: p.scope, Size: p.size, NewestFirst: p.newest, Turn: turn, From: from}
}

// background returns the request as one that the trader did not make and does not wait for.
func background(request model.PageRequest) model.PageRequest {
	request.Background = true
	return request
}

// newRequest returns a request, and cancels the one before.
func (p *Pages) newRequest(request model.PageRequest, what purpose, now time.Time) *store.Request {
	p.cancel()
	p.pending = pendingPage{store.NewRequest(p.ctx, request), what}
	p.requestedAt, p.nextRequested = now, p.nextRequested || what == requestAhead
	return p.pending.Request
}

// cancel cancels the last request, if its response has not come.
func (p *Pages) cancel() {
	p.pending.Cancel()
	p.pending = pendingPage{}
}

func numberAfter(number int, turn model.PageTurn, what purpose) int {
	switch {
	case what == refresh:
		return number
	case what == goBack:
		return number - 1
	case turn == model.FirstPage:
		return 1
	case turn == model.LastPage:
		return -1
	case turn == model.NextPage && number == -1, turn == model.PreviousPage && number == 1:
		return number
	case turn == model.NextPage:
		return number + 1
	}
	return number - 1
}

// Handle handles a response, unless a newer request was sent, and returns the page in it; nil if there is none.
// The known records are those that were read before.
func (p *Pages) Handle(r store.Response, known *book.Margins, now time.Time) *model.Page {
	if r.To != p.pending.Request {
		return nil
	}
	answered := p.pending
	p.cancel()
	switch {
	case r.Err != nil:
		if !errors.Is(r.Err, context.Canceled) && answered.purpose != requestAhead {
			problem, retryAt := store.Problem(r.Err, now)
			p.failed = failedPage{answered, problem, retryAt}
		}
		return nil
	case answered.purpose != requestAhead:
		p.show(p.notOlder(r.Page, &answered, known), &answered)
	case !r.Page.Restarted:
		p.next = p.notOlder(r.Page, &answered, known)
	}
	return r.Page
}

// show shows a page, or the same as before if it is nil.
func (p *Pages) show(page *model.Page, answered *pendingPage) {
	p.failed, p.message = failedPage{}, p.behindWords()
	if page == nil {
		return
	}
	if len(page.Rows) == 0 && p.page != nil && answered.From != nil && !page.Restarted {
		p.message = p.endWords(answered.Turn)
		return
	}
	turned := answered.purpose != refresh
	p.history = p.historyAt(page, answered)
	p.page, p.next, p.nextRequested = page, nil, false
	p.request, p.number = answered.PageRequest, numberAfter(p.number, answered.Turn, answered.purpose)
	if p.number == 1 && answered.Turn == model.PreviousPage {
		if p.IsFirst() {
			p.request = p.firstRequest() // it is refreshed from now on
		} else if p.message == "" {
			p.message = "Records were added: more are before this page. {first} first page."
		}
	}
	if page.Restarted {
		p.message = "The service cannot continue from this page: the first page is shown again."
		p.number, p.request, turned = 1, p.firstRequest(), true
	}
	// A cursor that the trader did not move stays on the first row, and does not follow its record down the list.
	if turned {
		p.widths.Forget()
	}
	if turned || !p.hasFocus && p.Rows.Place() == 0 {
		p.Rows.Reset()
	}
}

// Turn turns to another page: at once if it was requested ahead.
func (p *Pages) Turn(turn model.PageTurn, now time.Time) *store.Request {
	switch {
	case p.page == nil, turn == model.FirstPage:
		return p.FirstPage(now)
	case turn == model.LastPage:
		return p.newRequest(p.turned(turn, nil), turnPage, now)
	case turn == model.NextPage && !p.page.HasNext, turn == model.PreviousPage && !p.canTurnBack():
		p.message = p.endWords(turn)
		return nil
	case turn == model.PreviousPage && p.page.HasPrevious: // by its cursor, so that the pages adjoin
	case turn == model.PreviousPage && (p.number == 1 || p.number == 2):
		return p.FirstPage(now) // the first page as it is now
	case turn == model.PreviousPage:
		return p.newRequest(p.history.request, goBack, now)
	case turn == model.NextPage && p.next != nil:
		p.cancel() // perhaps a refresh of the page before
		p.show(p.next, &pendingPage{&store.Request{PageRequest: p.turned(turn, p.page)}, turnPage})
		return nil
	case turn == model.NextPage && p.pending.purpose == requestAhead:
		p.pending.purpose = turnPage // it was requested already
		return nil
	}
	return p.newRequest(p.turned(turn, p.page), turnPage, now)
}

// visited is a page that was shown, and the pages before it. If the service gives no cursor for the previous page,
// the request of the page that was shown before is sent again.
type visited struct {
	request model.PageRequest
	before  *visited
}

// historyAt returns the pages that were shown before a page that is about to be shown.
func (p *Pages) historyAt(page *model.Page, answered *pendingPage) *visited {
	switch {
	case !page.CutOffPrevious:
		return nil
	case answered.purpose == refresh:
		return p.history
	case answered.purpose == goBack && p.history != nil:
		return p.history.before
	case answered.purpose == turnPage && answered.Turn == model.NextPage && p.number > 0:
		return &visited{p.request, p.history}
	}
	return nil
}

// canTurnBack reports whether the previous page can be requested: by a cursor, because it was shown before, or because
// it is the first page.
func (p *Pages) canTurnBack() bool {
	return p.page.HasPrevious || p.page.CutOffPrevious && (p.history != nil || p.number == 1 || p.number == 2)
}

// endWords returns why there is no further page.
func (p *Pages) endWords(turn model.PageTurn) string {
	switch {
	case turn == model.NextPage && p.page.CutOffNext, turn == model.PreviousPage && p.page.CutOffPrevious:
		return "There is more, but the service sends no cursor. {first} first, {last} last page."
	case turn == model.PreviousPage:
		return "First page."
	}
	return "Last page."
}

// IsFirst reports whether the page that is shown is the first one.
func (p *Pages) IsFirst() bool { return p.page != nil && !p.canTurnBack() && !p.page.CutOffPrevious }

// IsLast reports whether it is the last one.
func (p *Pages) IsLast() bool { return p.page != nil && !p.page.HasNext && !p.page.CutOffNext }

// Refresh returns the request for the first page again if it is old, for a page that could not be requested, and for
// the next page ahead if the table has the focus. Only the first page is refreshed: on the others, rows would move
// while the trader reads them. If the clock is stopped, the page is old if it was requested at another time.
func (p *Pages) Refresh(now time.Time, isStopped bool) *store.Request {
	if p.requestedAt.After(now) { // a recording has jumped back
		return p.Watch(p.scope, now)
	}
	if p.pending.Request != nil || p.ctx.Err() != nil || now.Before(p.failed.retryAt) {
		return nil
	}
	wait := model.MarginRefresh
	if p.failed.problem != "" {
		wait = model.MarginRetry
	}
	due := now.Sub(p.requestedAt) >= wait || isStopped && p.requestedAt.Before(now)
	switch {
	case !p.failed.retryAt.IsZero():
		return p.newRequest(background(p.failed.PageRequest), p.failed.purpose, now)
	case p.page == nil:
		if due {
			return p.newRequest(background(p.firstRequest()), turnPage, now)
		}
	case p.number == 1 && p.request.Turn == model.FirstPage && due:
		return p.newRequest(background(p.request), refresh, now)
	case p.hasFocus && p.page.HasNext && !p.nextRequested && p.failed.problem == "":
		return p.newRequest(p.turned(model.NextPage, p.page), requestAhead, now)
	}
	return nil
}
