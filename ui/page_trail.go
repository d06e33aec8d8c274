package ui

import "blotter/model"

// step is a page that one came through, and those before it. They are the way back where the service gives no cursor
// to go back by: what each of them answered is asked once more.
type step struct {
	request model.PageRequest
	before  *step
}

// trailTo is the way back from a page that is about to be shown.
func (p *margins) trailTo(page *model.Page, answered *flight) *step {
	switch {
	case !page.CutOffPrevious:
		return nil
	case answered.purpose == rereading:
		return p.trail
	case answered.purpose == returning && p.trail != nil:
		return p.trail.before
	case answered.purpose == turning && answered.request.Turn == model.NextPage && p.number > 0:
		return &step{p.request, p.trail}
	}
	return nil
}

// hasWayBack tells whether one can turn to the page before: by a cursor, by what is known of the way here, or because
// it is the first.
func (p *margins) hasWayBack() bool {
	return p.page.HasPrevious || p.page.CutOffPrevious && (p.trail != nil || p.number == 1 || p.number == 2)
}

// endWords say why one cannot turn further.
func (p *margins) endWords(turn model.PageTurn) string {
	switch {
	case turn == model.NextPage && p.page.CutOffNext, turn == model.PreviousPage && p.page.CutOffPrevious:
		return "There is more, but the service gives no cursor for it. g first, G last page."
	case turn == model.PreviousPage:
		return "First page."
	}
	return "Last page."
}
