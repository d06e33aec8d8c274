package ui

import "blotter/model"

// visited is a page that was shown, and the pages before it. Where the service gives no cursor for the previous page, the
// request of the page that was shown before is sent again.
type visited struct {
	request model.PageRequest
	before  *visited
}

// trailTo returns the pages that were shown before a page that is about to be shown.
func (p *margins) trailTo(page *model.Page, answered *flight) *visited {
	switch {
	case !page.CutOffPrevious:
		return nil
	case answered.purpose == rereading:
		return p.trail
	case answered.purpose == returning && p.trail != nil:
		return p.trail.before
	case answered.purpose == turning && answered.request.Turn == model.NextPage && p.number > 0:
		return &visited{p.request, p.trail}
	}
	return nil
}

// canTurnBack reports whether the previous page can be asked for: by a cursor, because it was shown before, or because it
// is the first page.
func (p *margins) canTurnBack() bool {
	return p.page.HasPrevious || p.page.CutOffPrevious && (p.trail != nil || p.number == 1 || p.number == 2)
}

// endWords say why there is no further page.
func (p *margins) endWords(turn model.PageTurn) string {
	switch {
	case turn == model.NextPage && p.page.CutOffNext, turn == model.PreviousPage && p.page.CutOffPrevious:
		return "There is more, but the service gives no cursor for it. g first, G last page."
	case turn == model.PreviousPage:
		return "First page."
	}
	return "Last page."
}
