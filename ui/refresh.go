package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// How often margin levels are asked for again while they are on the screen, and when the last answer was an error.
const (
	rereadAfter   = 5 * time.Second
	rereadPatient = 15 * time.Second
	oldAfter      = 2 * rereadPatient // nothing is made of a page as old as this
)

// keepUpPage asks for the page again where its age would otherwise grow, for what could not be asked for, and for the
// next page ahead. Only the first page is read again by itself: on any other the rows would move under the trader's eyes.
func (m *Model) keepUpPage(visible bool) tea.Cmd {
	p := &m.margins
	if !visible || p.flight.cancel != nil || m.ctx.Err() != nil || m.pull.frozen {
		return nil
	}
	wait := rereadAfter
	if p.problem != "" {
		wait = rereadPatient
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

// problemOf is what went wrong with a request, and when it is made again, where it was not even made; else zero. That is
// when it can be, but not at once, because somebody else may be trying, and not late, because they may find that all is
// well before that.
func (m *Model) problemOf(err error) (problem string, again time.Time) {
	resting, ok := errors.AsType[Resting](err)
	if !ok {
		return oneLine(err.Error()), time.Time{}
	}
	now := m.now()
	wait := min(max(resting.NextTry().Sub(now), time.Second), rereadPatient)
	return oneLine(resting.Known()), now.Add(wait)
}

// marginProblem says why the last request failed, and when it is made again.
func (m *Model) marginProblem() string {
	p := &m.margins
	if wait := p.again.Sub(m.now()); wait > 0 {
		return p.problem + "; next try in " + until(wait)
	}
	return p.problem
}
