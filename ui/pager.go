package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/table"
)

// margins is the table of margin levels, a page at a time.
type margins struct {
	window  table.Window[model.MarginKey]
	page    *model.Page       // on the screen, nil before the first answer
	number  int               // from 1; from -1 downwards, counted from the last page; see pageName
	request model.PageRequest // what page answers: asking it again reads the page anew
	ahead   *model.Page       // the page after page, fetched so that turning to it does not wait
	sought  bool              // the page after page was asked for, whatever came of it
	trail   *visited          // the way back, where the service gives no cursor for one
	flight  flight            // the request under way
	problem string            // why the last request failed
	failed  flight            // that request
	again   time.Time         // when it can be asked again, where it was not even asked; else zero
	words   string            // what happened to the page
	tried   time.Time         // the last request
	size    int               // records on a page
	newest  bool              // newest first
}

// purpose is what a page is asked for.
type purpose uint8

const (
	turning   purpose = iota // to be shown in place of the one that is there
	rereading                // the same one again
	fetching                 // to be there when it is turned to
	returning                // the page before, as it was come through
)

// flight is a request under way. A newer one cancels it, and its answer is no longer wanted.
type flight struct {
	sequence uint64
	cancel   context.CancelFunc // nil where nothing is under way
	purpose  purpose
	request  model.PageRequest
	number   int // of the page that is asked for
}

// pageMsg is an answer.
type pageMsg struct {
	sequence uint64
	page     *model.Page
	err      error
}

func newMargins(options *Options) margins {
	return margins{number: 1, size: options.PageSize, newest: !options.OldestFirst}
}

// clear forgets the page: it belongs to another scope.
func (p *margins) clear() {
	p.page, p.ahead, p.trail, p.problem, p.again, p.words = nil, nil, nil, "", time.Time{}, ""
	p.window.Reset()
}

// Len, Key and Find are the records of the page, for the window.
func (p *margins) Len() int {
	if p.page == nil {
		return 0
	}
	return len(p.page.Rows)
}

func (p *margins) Key(place int) model.MarginKey { return p.page.Rows[place].MarginKey }

func (p *margins) Find(key model.MarginKey) (int, bool) {
	for place := range p.page.Rows {
		if p.page.Rows[place].MarginKey == key {
			return place, true
		}
	}
	return 0, false
}

func (m *Model) firstPageRequest() model.PageRequest {
	return m.pageRequest(model.FirstPage, nil)
}

// pageRequest asks for a page of the list. Of the page that it follows or precedes, only the ends are of interest.
func (m *Model) pageRequest(turn model.PageTurn, from *model.Page) model.PageRequest {
	if from != nil {
		from = &model.Page{Places: from.Places}
	}
	return model.PageRequest{
		Scope: m.data.scope, Size: m.margins.size, NewestFirst: m.margins.newest, Turn: turn, From: from,
	}
}

// askPage asks for a page, and no longer for the one that was asked for before.
func (m *Model) askPage(request model.PageRequest, what purpose) tea.Cmd {
	p := &m.margins
	if p.flight.cancel != nil {
		p.flight.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	p.flight = flight{
		sequence: p.flight.sequence + 1, cancel: cancel, purpose: what, request: request,
		number: numberAfter(p.number, request.Turn, what),
	}
	p.tried, p.sought = m.now(), p.sought || what == fetching
	source, sequence := m.source, p.flight.sequence
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return pageMsg{sequence, page, err}
	}
}

// numberAfter counts pages: from 1 forwards, and from -1, the last, backwards.
func numberAfter(number int, turn model.PageTurn, what purpose) int {
	switch {
	case what == rereading:
		return number
	case what == returning:
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

// takePage takes an answer, unless the question is an old one.
func (m *Model) takePage(msg pageMsg) tea.Cmd {
	p := &m.margins
	if msg.sequence != p.flight.sequence || p.flight.cancel == nil {
		return nil
	}
	answered := p.flight
	answered.cancel()
	p.flight.cancel = nil
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) && answered.purpose != fetching {
			p.problem, p.again = m.problemOf(msg.err)
			p.failed = answered
		}
		return nil
	}
	if answered.purpose == fetching {
		if !msg.page.Restarted {
			p.ahead = msg.page
		}
		return m.learn(msg.page.Rows, msg.page.At())
	}
	m.showPage(msg.page, &answered)
	m.levels.note(msg.page.Rows, msg.page.ReadAt)
	return m.learn(msg.page.Rows, msg.page.At())
}

// showPage puts a page on the screen.
func (m *Model) showPage(page *model.Page, answered *flight) {
	p := &m.margins
	p.problem, p.again, p.words = "", time.Time{}, ""
	if len(page.Rows) == 0 && p.page != nil && answered.request.From != nil && !page.Restarted {
		p.words = p.endWords(answered.request.Turn)
		return
	}
	turned := answered.purpose != rereading
	p.trail = p.trailTo(page, answered)
	p.page, p.ahead, p.sought = page, nil, false
	p.request, p.number = answered.request, answered.number
	if page.Restarted {
		p.words = "The service no longer knew the place in the list: this is the first page again."
		p.number, p.request, turned = 1, m.firstPageRequest(), true
	}
	// A cursor that nobody sees or moved stays at the head of the page, and does not sink with its row.
	if turned || m.focus != marginsPane && p.window.Place() == 0 {
		p.window.Reset()
	}
}

// turnTo shows another page, at once where it was fetched ahead.
func (m *Model) turnTo(turn model.PageTurn) tea.Cmd {
	p := &m.margins
	switch {
	case p.page == nil, turn == model.FirstPage:
		return m.askPage(m.firstPageRequest(), turning)
	case turn == model.LastPage:
		return m.askPage(m.pageRequest(turn, nil), turning)
	case turn == model.NextPage && !p.page.HasNext, turn == model.PreviousPage && !p.canTurnBack():
		p.words = p.endWords(turn)
		return nil
	case turn == model.PreviousPage && (p.number == 1 || p.number == 2):
		return m.askPage(m.firstPageRequest(), turning) // not what was newest a while ago
	case turn == model.PreviousPage && !p.page.HasPrevious:
		return m.askPage(p.trail.request, returning)
	case turn == model.NextPage && p.ahead != nil:
		page := p.ahead
		if p.flight.cancel != nil { // the first page, read again, is not what is wanted now
			p.flight.cancel()
			p.flight.cancel = nil
		}
		m.showPage(page, &flight{
			purpose: turning, request: m.pageRequest(turn, p.page), number: numberAfter(p.number, turn, turning),
		})
		m.levels.note(page.Rows, page.ReadAt)
		return nil
	case turn == model.NextPage && p.flight.cancel != nil && p.flight.purpose == fetching:
		p.flight.purpose = turning // it is on its way already
		return nil
	}
	return m.askPage(m.pageRequest(turn, p.page), turning)
}
