package store

import (
	"context"
	"errors"
	"time"

	"blotter/model"
	"blotter/ui/format"
)

// Request is a request for a page of margin levels that is to be sent.
type Request struct {
	model.PageRequest
	ctx    context.Context // done when the response is no longer wanted
	cancel context.CancelFunc
}

// NewRequest returns a request that is sent until ctx is done or it is cancelled.
func NewRequest(ctx context.Context, request model.PageRequest) *Request {
	ctx, cancel := context.WithCancel(ctx)
	return &Request{request, ctx, cancel}
}

// Cancel ends the request if it was sent and the response has not come. The receiver may be nil.
func (r *Request) Cancel() {
	if r != nil {
		r.cancel()
	}
}

// Response is the response to a request.
type Response struct {
	To   *Request
	Page *model.Page
	Err  error
}

// Send sends the request with a function that waits for the page.
func (r *Request) Send(page func(context.Context, model.PageRequest) (*model.Page, error)) Response {
	read, err := page(r.ctx, r.PageRequest)
	return Response{r, read, err}
}

// answeredMsg is the response to a request, and what takes it.
type answeredMsg struct {
	response Response
	take     func(Response) *model.Page
}

// Postponed is the error of a request that was not sent: it has what went wrong the last time, and when the next
// request can be sent.
type Postponed interface {
	error
	Known() string
	NextTry() time.Time
}

// Problem returns what went wrong with a request. If the request was not sent, because the service failed before, it
// returns when it is sent again: not at once, because another request may be trying the service, and not much later,
// because that request may succeed.
func Problem(err error, now time.Time) (problem string, retryAt time.Time) {
	postponed, ok := errors.AsType[Postponed](err)
	if !ok {
		return format.OneLine(err.Error()), time.Time{}
	}
	wait := min(max(postponed.NextTry().Sub(now), time.Second), model.MarginRetry)
	return format.OneLine(postponed.Known()), now.Add(wait)
}
