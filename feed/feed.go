package feed

import (
	"context"

	"blotter/model"
)

// Feed is under construction.
type Feed struct{}

// New starts a feed.
func New(config Config) (*Feed, error) { return nil, nil }

// Watch says which subscriptions are wanted.
func (f *Feed) Watch(subscriptions []model.Subscription) {}

// Next waits for news.
func (f *Feed) Next(ctx context.Context, linksOnly bool) (model.Delta, error) {
	<-ctx.Done()
	return model.Delta{}, ctx.Err()
}

// Margins asks for one page of margin levels.
func (f *Feed) Margins(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	return nil, nil
}

// Resync has every subscription looked at again, at once.
func (f *Feed) Resync() {}

// Close ends all goroutines of the feed and waits for them.
func (f *Feed) Close() {}
