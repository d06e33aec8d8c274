package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
	"blotter/ui/table"
)

// margins is the table of margin levels, one page of which is shown.
type margins struct {
	window        table.Window[model.MarginKey]
	widths        table.Widths
	page          *model.Page          // what is shown, nil before the first response
	rows          []model.MarginLevels // those of the page that match the filter
	narrowed      narrowedPage         // what rows were made from
	number        int                  // of the page: 1, 2, … from the first; -1, -2, … from the last
	request       model.PageRequest    // the request of page
	next          *model.Page          // the page after it, requested ahead; nil where it is not there
	nextRequested bool                 // the page after it was requested ahead, with or without success
	history       *visited             // the pages before it, where the service gives no cursor for them
	pending       pendingPage          // the last request
	problem       string               // why it failed
	failed        pendingPage          // the request that failed
	retryAt       time.Time            // when that request is sent for the first time, where it was not sent; else zero
	message       string               // the text of the last line
	askedAt       time.Time            // when the last request was sent
	size          int                  // records on a page
	newest        bool                 // newest first
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
	sequence uint64
	cancel   context.CancelFunc // nil where the response is there
	purpose  purpose
	request  model.PageRequest
	number   int // of the page that is requested
}

// pageMsg is the response to a request.
type pageMsg struct {
	sequence uint64
	page     *model.Page
	err      error
}

func newMargins(options *Options) margins {
	return margins{number: 1, size: options.PageSize, newest: !options.OldestFirst}
}

// clear forgets the page after a change of scope.
func (p *margins) clear() {
	p.page, p.next, p.history, p.problem, p.retryAt, p.message = nil, nil, nil, "", time.Time{}, ""
	p.window.Reset()
}

func (m *Model) firstPageRequest() model.PageRequest {
	return m.pageRequest(model.FirstPage, nil)
}

// pageRequest returns the request for a page. Of the page before or after it, only the cursors are kept.
func (m *Model) pageRequest(turn model.PageTurn, from *model.Page) model.PageRequest {
	if from != nil {
		from = &model.Page{Places: from.Places}
	}
	return model.PageRequest{
		Scope: m.data.scope, Size: m.margins.size, NewestFirst: m.margins.newest, Turn: turn, From: from,
	}
}

// background returns the request as one that the trader did not make and does not wait for.
func background(request model.PageRequest) model.PageRequest {
	request.Background = true
	return request
}

// askPage sends a request, and cancels the one before.
func (m *Model) askPage(request model.PageRequest, what purpose) tea.Cmd {
	p := &m.margins
	if p.pending.cancel != nil {
		p.pending.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	p.pending = pendingPage{
		sequence: p.pending.sequence + 1, cancel: cancel, purpose: what, request: request,
		number: numberAfter(p.number, request.Turn, what),
	}
	p.askedAt, p.nextRequested = m.now(), p.nextRequested || what == requestAhead
	source, sequence := m.source, p.pending.sequence
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return pageMsg{sequence, page, err}
	}
}

// numberAfter returns the number of the requested page.
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

// handlePage handles a response, unless a newer request was sent.
func (m *Model) handlePage(msg pageMsg) tea.Cmd {
	p := &m.margins
	if msg.sequence != p.pending.sequence || p.pending.cancel == nil {
		return nil
	}
	answered := p.pending
	answered.cancel()
	p.pending.cancel = nil
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) && answered.purpose != requestAhead {
			p.problem, p.retryAt = m.problemOf(msg.err)
			p.failed = answered
		}
		return nil
	}
	if answered.purpose == requestAhead {
		if !msg.page.Restarted {
			p.next = msg.page
		}
		return m.learn(msg.page)
	}
	m.showPage(msg.page, &answered)
	return m.learn(msg.page)
}

// showPage shows a page.
func (m *Model) showPage(page *model.Page, answered *pendingPage) {
	p := &m.margins
	p.problem, p.retryAt, p.message = "", time.Time{}, ""
	if len(page.Rows) == 0 && p.page != nil && answered.request.From != nil && !page.Restarted {
		p.message = p.endWords(answered.request.Turn)
		return
	}
	turned := answered.purpose != refresh
	p.history = p.historyAt(page, answered)
	p.page, p.next, p.nextRequested = page, nil, false
	p.request, p.number = answered.request, answered.number
	if page.Restarted {
		p.message = "The service no longer knows this place in the list: back on the first page."
		p.number, p.request, turned = 1, m.firstPageRequest(), true
	}
	// A cursor that the trader did not move stays on the first row, and does not follow its record down the list.
	if turned {
		p.widths.Forget()
	}
	if turned || m.focus != marginsPane && p.window.Place() == 0 {
		p.window.Reset()
	}
}

// turnTo shows another page: at once where it was requested ahead.
func (m *Model) turnTo(turn model.PageTurn) tea.Cmd {
	p := &m.margins
	switch {
	case p.page == nil, turn == model.FirstPage:
		return m.askPage(m.firstPageRequest(), turnPage)
	case turn == model.LastPage:
		return m.askPage(m.pageRequest(turn, nil), turnPage)
	case turn == model.NextPage && !p.page.HasNext, turn == model.PreviousPage && !p.canTurnBack():
		p.message = p.endWords(turn)
		return nil
	case turn == model.PreviousPage && (p.number == 1 || p.number == 2):
		return m.askPage(m.firstPageRequest(), turnPage) // the first page as it is now
	case turn == model.PreviousPage && !p.page.HasPrevious:
		return m.askPage(p.history.request, goBack)
	case turn == model.NextPage && p.next != nil:
		page := p.next
		if p.pending.cancel != nil { // a refresh of the page that is left
			p.pending.cancel()
			p.pending.cancel = nil
		}
		m.showPage(page, &pendingPage{
			purpose: turnPage, request: m.pageRequest(turn, p.page), number: numberAfter(p.number, turn, turnPage),
		})
		return nil
	case turn == model.NextPage && p.pending.cancel != nil && p.pending.purpose == requestAhead:
		p.pending.purpose = turnPage // it was requested already
		return nil
	}
	return m.askPage(m.pageRequest(turn, p.page), turnPage)
}

// visited is a page that was shown, and the pages before it. Where the service gives no cursor for the previous page,
// the request of the page that was shown before is sent again.
type visited struct {
	request model.PageRequest
	before  *visited
}

// historyAt returns the pages that were shown before a page that is about to be shown.
func (p *margins) historyAt(page *model.Page, answered *pendingPage) *visited {
	switch {
	case !page.CutOffPrevious:
		return nil
	case answered.purpose == refresh:
		return p.history
	case answered.purpose == goBack && p.history != nil:
		return p.history.before
	case answered.purpose == turnPage && answered.request.Turn == model.NextPage && p.number > 0:
		return &visited{p.request, p.history}
	}
	return nil
}

// canTurnBack reports whether the previous page can be requested: by a cursor, because it was shown before, or because
// it is the first page.
func (p *margins) canTurnBack() bool {
	return p.page.HasPrevious || p.page.CutOffPrevious && (p.history != nil || p.number == 1 || p.number == 2)
}

// endWords returns why there is no further page.
func (p *margins) endWords(turn model.PageTurn) string {
	switch {
	case turn == model.NextPage && p.page.CutOffNext, turn == model.PreviousPage && p.page.CutOffPrevious:
		return "There is more, but the service gives no cursor for it. g first, G last page."
	case turn == model.PreviousPage:
		return "First page."
	}
	return "Last page."
}

// maxPageAge is how old a page is that totals are taken from.
const maxPageAge = 30 * time.Second

// refreshPage requests the first page again where it is old, a page that could not be requested, and the next
// page ahead. Only the first page is refreshed: on the others, rows would move while the trader reads them.
func (m *Model) refreshPage(visible bool) tea.Cmd {
	p := &m.margins
	if !visible || p.pending.cancel != nil || m.ctx.Err() != nil || m.incoming.frozen {
		return nil
	}
	wait := book.MarginRefresh
	if p.problem != "" {
		wait = book.MarginRetry
	}
	due := m.now().Sub(p.askedAt) >= wait
	switch {
	case m.now().Before(p.retryAt):
		return nil
	case !p.retryAt.IsZero():
		return m.askPage(background(p.failed.request), p.failed.purpose)
	case p.page == nil:
		if due {
			return m.askPage(background(m.firstPageRequest()), turnPage)
		}
	case p.number == 1 && p.request.Turn == model.FirstPage && due:
		return m.askPage(background(p.request), refresh)
	case m.focus == marginsPane && p.page.HasNext && !p.nextRequested && p.problem == "":
		return m.askPage(m.pageRequest(model.NextPage, p.page), requestAhead)
	}
	return nil
}

// problemOf returns what went wrong with a request. Where the request was not sent, because the service failed before,
// it returns when it is sent again: not at once, because another request may be trying the service, and not much later,
// because that request may succeed.
func (m *Model) problemOf(err error) (problem string, retryAt time.Time) {
	resting, ok := errors.AsType[Resting](err)
	if !ok {
		return format.OneLine(err.Error()), time.Time{}
	}
	now := m.now()
	wait := min(max(resting.NextTry().Sub(now), time.Second), book.MarginRetry)
	return format.OneLine(resting.Known()), now.Add(wait)
}

// marginProblem returns why the last request failed, and when it is sent again.
func (m *Model) marginProblem() string {
	p := &m.margins
	if wait := p.retryAt.Sub(m.now()); wait > 0 {
		return p.problem + "; next try in " + format.Until(wait)
	}
	return p.problem
}
