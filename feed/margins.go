package feed

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"blotter/model"
)

// Margins asks for one page of margin levels. A service lists one party and one market at a time; where the
// scope has more, the page is merged from the pages of all, in the order asked for.
//
// Errors are a *StatusError where the service answered, or say what went wrong on the way; that it was margin levels
// which were asked for, whoever asked knows. Where the address fails and may not be dialled for a while, the error comes
// at once and says what is known. A cursor that the service no longer takes leads back to the first page.
func (f *Feed) Margins(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	request.Size = max(1, min(request.Size, MaxPageSize))
	page, err := f.page(ctx, request)
	if status, ok := asStatus(err); ok && goesOn(request) && isBadCursor(status) {
		request.Turn, request.From = model.FirstPage, nil
		if page, err = f.page(ctx, request); err == nil {
			page.Restarted = true
		}
	}
	if err != nil {
		f.logPage(err)
		return nil, plain{err}
	}
	// A first page that is short because rows have left it is asked for again, whole.
	if request.Turn == model.PreviousPage && !page.HasPrevious && !page.CutOffPrevious && len(page.Rows) < request.Size {
		request.Turn, request.From = model.FirstPage, nil
		return f.Margins(ctx, request)
	}
	return page, nil
}

// goesOn tells whether the page depends on an earlier one.
func goesOn(request model.PageRequest) bool {
	return request.From != nil && (request.Turn == model.NextPage || request.Turn == model.PreviousPage)
}

// bounded ends with ctx and with the feed.
func (f *Feed) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(f.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// isBadCursor tells an answer that a cursor may be the cause of: a service says 400 to one that it cannot
// read, and 500 to one that means nothing to it.
func isBadCursor(status *StatusError) bool {
	return status.Status == 400 || status.Status == 404 || status.Status == 500
}

// part is what one list gives to a page.
type part struct {
	window
	*listing
	used int // how many of its rows stand on the page: the first ones, or the last ones backward
}

// page asks for the windows of all lists and merges them.
func (f *Feed) page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	parts := partsOf(request)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(dialsAtOnce)
	for i := range parts {
		group.Go(func() (err error) {
			defer f.guard()
			parts[i].listing, err = f.window(ctx, parts[i].window)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return merge(request, parts), nil
}

// partsOf is what has to be asked of each list.
func partsOf(request model.PageRequest) []part {
	var parts []part
	backward := request.Turn == model.PreviousPage || request.Turn == model.LastPage
	for _, subscription := range request.Scope.Subscriptions(nil, 0) {
		w := window{key: subscription.Key, size: request.Size, newestFirst: request.NewestFirst, backward: backward}
		if goesOn(request) {
			w.cursor = edge(request.From, subscription.Key, backward)
		}
		parts = append(parts, part{window: w})
	}
	return parts
}

// edge is the cursor from which to go on in one list.
func edge(page *model.Page, key model.Key, backward bool) string {
	for i := range page.Places {
		if page.Places[i].Key == key {
			return beyond(&page.Places[i], backward)
		}
	}
	return ""
}

// beyond is the cursor that leads away from a place. Where the list has no row on the page, that is the cursor of the
// row beyond the page's other end.
func beyond(place *model.Place, backward bool) string {
	if backward == place.Empty {
		return place.End
	}
	return place.Start
}

// merge takes from the parts the rows that come first in the order asked for; backward, those that come last.
func merge(request model.PageRequest, parts []part) *model.Page {
	page := &model.Page{ReadAt: time.Now()}
	for len(page.Rows) < request.Size {
		best := foremost(parts)
		if best == nil {
			break
		}
		page.Rows = append(page.Rows, *best.next())
		best.used++
	}
	backward := parts[0].backward
	if backward {
		slices.Reverse(page.Rows)
	}
	var more, stuckNext, stuckPrevious bool
	for i := range parts {
		p := &parts[i]
		place := p.place()
		page.Places = append(page.Places, place)
		more = more || p.used < len(p.rows) || p.goesOn()
		stuckNext = stuckNext || p.isStuck(&place, false)
		stuckPrevious = stuckPrevious || p.isStuck(&place, true)
		if page.Block.Height < p.block.Height {
			page.Block = p.block
		}
	}
	// Ahead there is what the service says; behind, there was where one came from.
	next, previous := more && len(page.Rows) > 0, goesOn(request)
	if backward {
		next, previous = previous, next
	}
	page.HasNext, page.CutOffNext = next && !stuckNext, next && stuckNext
	page.HasPrevious, page.CutOffPrevious = previous && !stuckPrevious, previous && stuckPrevious
	return page
}

// foremost is the part whose next row is the next one of the page, nil where there is none. Where a part has given
// all the rows that it was sent, but there are more of them, nobody knows which row is the next.
func foremost(parts []part) *part {
	var best *part
	for i := range parts {
		switch p := &parts[i]; {
		case p.used == len(p.rows) && p.used > 0 && p.goesOn():
			return nil
		case p.used == len(p.rows):
		case best == nil, p.goesBefore(best):
			best = p
		}
	}
	return best
}

// goesOn tells whether there are more rows than the part was sent.
func (p *part) goesOn() bool {
	if p.backward {
		return p.hasPrevious
	}
	return p.hasNext
}

// next is the row that the part would give next.
func (p *part) next() *model.MarginLevels {
	if p.backward {
		return &p.rows[len(p.rows)-1-p.used]
	}
	return &p.rows[p.used]
}

// goesBefore tells whether the part's next row is taken before that of an earlier part. Of rows of one time the
// earlier part's come first on the page, so that both directions have the same order.
func (p *part) goesBefore(earlier *part) bool {
	order := p.next().Timestamp.Compare(earlier.next().Timestamp)
	if p.newestFirst != p.backward {
		order = -order
	}
	return order < 0 || order == 0 && p.backward
}

// place is where the page begins and ends in the part's list.
func (p *part) place() model.Place {
	place := model.Place{Key: p.key, Empty: p.used == 0}
	n := len(p.cursors)
	switch {
	case p.used == 0 && p.backward:
		place.End = p.cursor
		if n > 0 {
			place.Start = p.cursors[n-1]
		}
	case p.used == 0:
		place.Start = p.cursor
		if n > 0 {
			place.End = p.cursors[0]
		}
	case p.backward:
		place.Start, place.End = p.cursors[n-p.used], p.cursors[n-1]
	default:
		place.Start, place.End = p.cursors[0], p.cursors[p.used-1]
	}
	return place
}

// isStuck tells whether one can only go on from the place by the cursor of a row, and the row has none.
func (p *part) isStuck(place *model.Place, backward bool) bool {
	byARow := p.used > 0 || p.backward != backward && len(p.rows) > 0
	return byARow && beyond(place, backward) == ""
}
