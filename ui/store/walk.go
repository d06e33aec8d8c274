package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/format"
)

// Walk reads the margin levels of the whole scope in the background, one request at a time.
type Walk struct {
	book.MarginWalk
	ctx      context.Context    // of the requests
	sequence uint64             // counts the requests, so that the response to an older one is ignored
	cancel   context.CancelFunc // of the request, nil if the response is there
	problem  string             // why the last request failed
}

// NewWalk returns a walk through the lists of a scope. Requests end when ctx is done.
func NewWalk(ctx context.Context, scope model.Scope) Walk {
	return Walk{ctx: ctx, MarginWalk: book.NewMarginWalk(scope)}
}

// Watch begins a walk through the lists of another scope.
func (w *Walk) Watch(scope model.Scope) {
	w.Stop()
	w.MarginWalk, w.problem = book.NewMarginWalk(scope), ""
}

// Stop cancels the request. The walk continues where it was.
func (w *Walk) Stop() {
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
}

// Restart begins a full pass at once.
func (w *Walk) Restart() {
	w.Stop()
	w.MarginWalk.Restart()
}

// Due returns the next request of the walk, nil until it is due.
func (w *Walk) Due(now time.Time) *Request {
	if w.cancel != nil || w.ctx.Err() != nil || now.Before(w.DueAt()) {
		return nil
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.cancel = cancel
	w.sequence++
	return &Request{w.Next(now), ctx, w.sequence}
}

// Handle handles a response, unless the request was cancelled, and returns the page in it; nil if there is none. The
// margins are those that are known, and serviceNow is the time by the clock of the service.
func (w *Walk) Handle(r Response, margins *book.Margins, serviceNow, now time.Time) *model.Page {
	if r.Sequence != w.sequence || w.cancel == nil {
		return nil
	}
	w.Stop()
	switch {
	case errors.Is(r.Err, context.Canceled):
		return nil
	case r.Err != nil:
		w.problem, _ = Problem(r.Err, now)
		w.Failed(now)
		return nil
	}
	w.problem = ""
	w.Read(r.Page, margins, serviceNow, now)
	return r.Page
}

// HasFailed reports whether the last request failed.
func (w *Walk) HasFailed() bool { return w.problem != "" }

// Words returns when the margin levels of the scope were last read, and how many of the open positions of a view have
// any: "read 1m ago, 98% complete".
func (w *Walk) Words(v *view.View, now time.Time) string {
	words := "loading"
	if w.IsComplete() {
		words = "read " + format.Age(now.Sub(w.CheckedAt())) + " ago"
	}
	if open, covered := v.Open(), v.Covered(); covered < open {
		words += fmt.Sprintf(", %d%% complete", 100*covered/open)
	}
	if margins := v.Book().Margins(); margins.IsFull() {
		words += ", only " + format.Grouped(margins.Len()) + " kept"
	}
	if w.problem != "" {
		words += ", not read again: " + w.problem
	}
	return words
}
