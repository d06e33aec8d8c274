package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// How often margin levels are asked for again while they are on the screen.
const (
	refreshAfter        = 5 * time.Second
	refreshAfterFailure = 15 * time.Second
	maxPageAge          = 30 * time.Second // totals are not taken from an older page
)

// refreshPage asks again for the first page where it is old, for a page that could not be asked for, and for the next
// page ahead. Only the first page is refreshed: on the others, rows would move while the trader reads them.
func (m *Model) refreshPage(visible bool) tea.Cmd {
	p := &m.margins
	if !visible || p.flight.cancel != nil || m.ctx.Err() != nil || m.pull.frozen {
		return nil
	}
	wait := refreshAfter
	if p.problem != "" {
		wait = refreshAfterFailure
	}
	due := m.now().Sub(p.tried) >= wait
	switch {
	case m.now().Before(p.again):
		return nil
	case !p.again.IsZero():
		return m.askPage(p.failed.request, p.failed.purpose)
	case p.page == nil:
		if due {
			return m.askPage(m.firstPageRequest(), turning)
		}
	case p.number == 1 && p.request.Turn == model.FirstPage && due:
		return m.askPage(p.request, rereading)
	case m.focus == marginsPane && p.page.HasNext && !p.sought && p.problem == "":
		return m.askPage(m.pageRequest(model.NextPage, p.page), fetching)
	}
	return nil
}

// problemOf returns what went wrong with a request. Where the request was not sent, because the service is not asked for
// a while, it returns when it is sent again: not at once, because another request may be trying the service, and not much
// later, because that request may succeed.
func (m *Model) problemOf(err error) (problem string, again time.Time) {
	resting, ok := errors.AsType[Resting](err)
	if !ok {
		return oneLine(err.Error()), time.Time{}
	}
	now := m.now()
	wait := min(max(resting.NextTry().Sub(now), time.Second), refreshAfterFailure)
	return oneLine(resting.Known()), now.Add(wait)
}

// marginProblem says why the last request failed, and when it is sent again.
func (m *Model) marginProblem() string {
	p := &m.margins
	if wait := p.again.Sub(m.now()); wait > 0 {
		return p.problem + "; next try in " + until(wait)
	}
	return p.problem
}
