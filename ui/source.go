package ui

import (
	"context"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Source is where the screen gets all data from. The screen requests each Delta, so there is never more than one on
// the way, and the source merges what happens meanwhile.
type Source interface {
	// Watch sets the subscriptions. It never blocks.
	Watch(subscriptions []model.Subscription)
	// Next waits for the next Delta, at most one a frame. With linksOnly it returns only the state of the links, and
	// keeps the data for later.
	Next(ctx context.Context, linksOnly bool) (book.Delta, error)
	// Page reads one page of margin levels and waits for it. Where no request was sent, because the service fails and
	// is left alone for a while, the error is a Resting.
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	// RequestAudit brings the next audit of a subscription forward, because it may have missed an update. It never
	// blocks.
	RequestAudit(subscription model.Subscription)
	// Resync checks every subscription again now: a live one is audited, one that waits tries at once. It never blocks.
	Resync()
	// Close ends everything that the source has started, and waits for its end. Next and Page return. It may be called
	// again.
	Close()
}

// Resting is the error of a request that was not sent: it has what went wrong the last time, and when the next request
// can be sent.
type Resting interface {
	error
	Known() string
	NextTry() time.Time
}
