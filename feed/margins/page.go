package margins

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"blotter/feed/endpoint"
	"blotter/model"
)

// listsAtOnce is how many lists are read at the same time.
const listsAtOnce = 10

// Page reads one page of margin levels. The service lists one party and one market at a time; if the scope has more,
// the page is merged from the lists of all pairs, in the requested order. One request is in flight for each list.
//
// If the service refuses the cursor of the page before, the first page is read instead, and marked as Restarted.
// Errors are an *endpoint.StatusError if the response is not a success, an *endpoint.PostponedError if no request
// may be sent yet, else what went wrong with the request. The text does not have that the request was for margin
// levels.
func (l *Lister) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	request.Size = max(1, min(request.Size, MaxPageSize))
	page, err := l.readPage(ctx, request)
	if isFollowUp(request) && isCursorRefused(err) {
		request.Turn, request.From = model.FirstPage, nil
		if page, err = l.readPage(ctx, request); err == nil {
			page.Restarted = true
		}
	}
	if err != nil {
		l.log(err, "")
		return nil, err
	}
	// A previous page may have only a few rows before it is at the beginning. Then the whole first page is read.
	isFirst := request.Turn == model.PreviousPage && !page.HasPrevious && !page.CutOffPrevious
	if isFirst && len(page.Rows) < request.Size {
		request.Turn, request.From = model.FirstPage, nil
		return l.Page(ctx, request)
	}
	return page, nil
}

// isFollowUp reports whether the page is read from where an earlier one begins or ends.
func isFollowUp(request model.PageRequest) bool {
	return request.Turn == model.NextPage || request.Turn == model.PreviousPage
}

// isBackward reports whether the page is read from its end to its beginning.
func isBackward(request model.PageRequest) bool {
	return request.Turn == model.PreviousPage || request.Turn == model.LastPage
}

func (l *Lister) readPage(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	keys := request.Scope.Pairs()
	segments := make([]segment, len(keys))
	var caught atomic.Pointer[panicError] // the group returns another error if that came first
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(listsAtOnce)
	for i, key := range keys {
		group.Go(func() (err error) {
			defer catchPanic(&err, &caught)
			segments[i], err = l.readSegment(ctx, request, key)
			return inList(err, key, len(keys))
		})
	}
	err := group.Wait()
	if caught := caught.Load(); caught != nil {
		panic(caught)
	}
	if err != nil {
		return nil, err
	}
	return merge(request, segments), nil
}

// panicError is a panic that is raised again in the goroutine that waits: it restores the terminal before the program
// ends.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

func catchPanic(err *error, caught *atomic.Pointer[panicError]) {
	if value := recover(); value != nil {
		caught.Store(&panicError{value, debug.Stack()})
		*err = caught.Load() // which ends the other requests
	}
}

// readSegment reads from one list the number of rows that the whole page has: they may all be from this list.
func (l *Lister) readSegment(ctx context.Context, request model.PageRequest, key model.Key) (segment, error) {
	kind := endpoint.UserPage
	if request.Background {
		kind = endpoint.BackgroundPage
	}
	query := endpoint.PageQuery{
		Key: key, Backward: isBackward(request), Size: request.Size, NewestFirst: request.NewestFirst,
	}
	if isFollowUp(request) {
		query.Cursor = cursorOf(request.From, key, query.Backward)
	}
	response, err := l.pages.Page(ctx, kind, query)
	if err != nil {
		return segment{}, err
	}
	s := segment{Page: response, key: key, from: query.Cursor, more: response.HasNext}
	if query.Backward {
		s.more = response.HasPrevious
		slices.Reverse(s.Rows)
		slices.Reverse(s.Cursors)
	}
	return s, nil
}

// cursorOf returns the cursor from which to read on in one list, before or after a page.
func cursorOf(page *model.Page, key model.Key, backward bool) string {
	for i := range page.Places {
		switch place := &page.Places[i]; {
		case place.Key != key:
		case backward:
			return place.Start
		default:
			return place.End
		}
	}
	return ""
}
