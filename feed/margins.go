package feed

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"blotter/model"
)

// Margins asks for one page of margin levels. A service lists one party and one market at a time; where the
// scope has more, the page is merged from the pages of all, in the order asked for.
//
// Errors are a *StatusError where the service answered, or say what went wrong on the way. A cursor that the
// service no longer takes leads back to the first page.
func (f *Feed) Margins(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	ctx, cancel := f.bounded(ctx)
	defer cancel()
	page, err := f.page(ctx, request)
	if status, ok := asStatus(err); ok && request.From != nil && isBadCursor(status) {
		request.Turn, request.From = model.FirstPage, nil
		if page, err = f.page(ctx, request); err == nil {
			page.Restarted = true
		}
	}
	if err != nil {
		return nil, fmt.Errorf("asking for margin levels: %w", err)
	}
	// A first page that is short because rows have left it is asked for again, whole.
	if request.Turn == model.PreviousPage && !page.HasPrevious && len(page.Rows) < request.Size {
		request.Turn, request.From = model.FirstPage, nil
		return f.Margins(ctx, request)
	}
	return page, nil
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
		if request.From != nil && (request.Turn == model.NextPage || request.Turn == model.PreviousPage) {
			w.cursor = edge(request.From, subscription.Key, backward)
		}
		parts = append(parts, part{window: w})
	}
	return parts
}

// edge is the cursor from which to go on in one list. Where the list has no row on the page, that is the cursor
// of the row beyond the page's other end.
func edge(page *model.Page, key model.Key, backward bool) string {
	for _, place := range page.Places {
		if place.Key != key {
			continue
		}
		if backward == place.Empty {
			return place.End
		}
		return place.Start
	}
	return ""
}

// merge takes from the parts the rows that come first in the order asked for; backward, those that come last.
func merge(request model.PageRequest, parts []part) *model.Page {
	page := &model.Page{ReadAt: time.Now()}
	backward := parts[0].backward
	for len(page.Rows) < request.Size {
		best := -1
		for i := range parts {
			if parts[i].used == len(parts[i].rows) {
				continue
			}
			if best < 0 || parts[i].goesBefore(&parts[best]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		page.Rows = append(page.Rows, *parts[best].next())
		parts[best].used++
	}
	if backward {
		for i, j := 0, len(page.Rows)-1; i < j; i, j = i+1, j-1 {
			page.Rows[i], page.Rows[j] = page.Rows[j], page.Rows[i]
		}
	}
	more, came := false, request.Turn == model.NextPage || request.Turn == model.PreviousPage
	for i := range parts {
		p := &parts[i]
		page.Places = append(page.Places, p.place())
		if backward {
			more = more || p.used < len(p.rows) || p.hasPrevious
		} else {
			more = more || p.used < len(p.rows) || p.hasNext
		}
		if page.Block.Height < p.block.Height {
			page.Block = p.block
		}
	}
	if backward {
		page.HasPrevious, page.HasNext = more && len(page.Rows) > 0, came
	} else {
		page.HasNext, page.HasPrevious = more && len(page.Rows) > 0, came
	}
	return page
}

// next is the row that the part would give next.
func (p *part) next() *model.MarginLevels {
	if p.backward {
		return &p.rows[len(p.rows)-1-p.used]
	}
	return &p.rows[p.used]
}

// goesBefore tells which of two parts' next rows is taken first.
func (p *part) goesBefore(other *part) bool {
	order := p.next().Timestamp.Compare(other.next().Timestamp)
	if p.newestFirst != p.backward {
		order = -order
	}
	return order < 0
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
