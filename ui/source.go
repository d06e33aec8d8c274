package ui

import (
	"context"

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
	// Margins asks for one page of margin levels and waits for it.
	Margins(ctx context.Context, request model.PageRequest) (*model.Page, error)
	// Doubt says that a subscription may have missed an update: it is looked at again soon. It never blocks.
	Doubt(subscription model.Subscription)
	// Resync has every subscription looked at again, at once. It never blocks.
	Resync()
}
