package record

import (
	"context"
	"slices"
	"time"

	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
)

// Feed is a feed that a Tap can record.
type Feed interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context, linksOnly bool) (book.Delta, error)
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
	sinks     []Sink
	why       string    // why only links are requested, in words for the state of a link
	heldSince time.Time // since when changed rows wait because only links are requested; zero if none do
}

// NewTap returns a feed whose data goes to the sinks too. While only links are requested and changed rows wait, the
// rows of the recording are out of date; the words say why.
func NewTap(feed Feed, why string, sinks ...Sink) *Tap {
	return &Tap{Feed: feed, why: why, sinks: sinks}
}

// Next does what Next of the feed does, and records what it returns. Its calls must not overlap.
func (t *Tap) Next(ctx context.Context, linksOnly bool) (book.Delta, error) {
	delta, err := t.Feed.Next(ctx, linksOnly)
	if err == nil {
		recorded := delta
		recorded.Links = t.recordedLinks(delta.Links, linksOnly)
		t.record(&recorded)
	}
	return delta, err
}

// recordedLinks returns links as they are recorded. If only links were requested, they are newer than the rows: when
// changed rows of a stream wait, the rows that were taken before are out of date.
func (t *Tap) recordedLinks(links []model.Link, linksOnly bool) []model.Link {
	waits := func(l model.Link) bool { return l.Changes > 0 && l.StaleSince.IsZero() }
	switch {
	case !linksOnly:
		t.heldSince = time.Time{}
		return links
	case !slices.ContainsFunc(links, waits):
		return links
	case t.heldSince.IsZero():
		t.heldSince = time.Now()
	}
	links = slices.Clone(links)
	for i := range links {
		if waits(links[i]) {
			links[i].StaleSince = t.heldSince
			links[i].Problem = &model.Problem{Address: links[i].Address, Words: t.why, IsOwn: true}
		}
	}
	return links
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
