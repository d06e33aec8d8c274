package record

import (
	"context"

	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
)

// Feed is a feed that a Tap can record.
type Feed interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context) (book.Delta, error)
	Links() []model.Link
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	Walk(ctx context.Context, request model.PageRequest, limit int) (margins.Walked, error)
	WatchMargins(scope model.Scope)
	NextMargins(ctx context.Context) (book.MarginsRead, error)
	HurryMargins(parties []model.ID)
	RequestAudit(subscription model.Subscription)
	Resync()
	Close()
}

// Sink records what the screen gets: a Recorder or a Memory. Its method does not wait, keeps nothing of a Delta but
// pages of margin levels, and may be called by several goroutines.
type Sink interface {
	Delta(delta *book.Delta)
}

// Tap is a feed that is recorded: what another Feed returns, it returns too.
type Tap struct {
	Feed
	sinks []Sink
}

// NewTap returns a feed whose data goes to the sinks too.
func NewTap(feed Feed, sinks ...Sink) *Tap { return &Tap{Feed: feed, sinks: sinks} }

// Next does what Next of the feed does, and records what it returns. Its calls must not overlap.
func (t *Tap) Next(ctx context.Context) (book.Delta, error) {
	delta, err := t.Feed.Next(ctx)
	if err == nil {
		t.record(&delta)
	}
	return delta, err
}

// Page does what Page of the feed does, and records the page.
func (t *Tap) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	page, err := t.Feed.Page(ctx, request)
	if err == nil {
		t.record(&book.Delta{Margins: []book.MarginsRead{{Page: page}}})
	}
	return page, err
}

// NextMargins does what NextMargins of the feed does, and records what it returns.
func (t *Tap) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	read, err := t.Feed.NextMargins(ctx)
	if err == nil {
		t.record(&book.Delta{Margins: []book.MarginsRead{read}})
	}
	return read, err
}

func (t *Tap) record(delta *book.Delta) {
	for _, sink := range t.sinks {
		sink.Delta(delta)
	}
}
