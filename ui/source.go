package ui

import (
	"context"
	"time"

	"blotter/model"
)

// Source is the world as the screen knows it. It is asked: nothing arrives that was not waited for, so what
// happens while the screen is busy is conflated on the other side, and there is never more than one Delta
// under way.
type Source interface {
	// Watch says what is wanted from now on. It never blocks.
	Watch(subscriptions []model.Subscription)
	// Next waits for news, at most one a frame. With linksOnly it tells the state of the links and keeps
	// the data back for later.
	Next(ctx context.Context, linksOnly bool) (model.Delta, error)
	// Page reads one page of margin levels and waits for it. Where the service was not asked, because it fails and is left
	// alone for a while, the error is a Resting.
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	// RequestAudit brings the next audit of a subscription forward, because it may have missed an update. It never blocks.
	RequestAudit(subscription model.Subscription)
	// Resync has every subscription looked at again, at once. It never blocks.
	Resync()
}

// Resting is an error that says what went wrong the last time, and when the service is tried again.
type Resting interface {
	error
	Known() string
	NextTry() time.Time
}
