package watch

import (
	"context"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Audited is a source whose streams can be audited because of what margin levels show.
type Audited interface {
	Margins
	RequestAudit(subscription model.Subscription)
}

const (
	hintsEvery   = 5 * time.Second // how often margin levels are compared with the positions if nothing else comes
	hintingPages = 20              // how many pages wait for that; the oldest are dropped
)

// hinting reads margin levels as the dashboard does, and requests audits of streams that may have missed an update.
type hinting struct {
	source Audited
	hints  book.Hints

	mu    sync.Mutex
	pages []*model.Page // that were read
}

// read reads the margin levels of a scope until ctx ends.
func (h *hinting) read(ctx context.Context, scope model.Scope) {
	h.source.WatchMargins(scope)
	for {
		read, err := h.source.NextMargins(ctx)
		if err != nil {
			return
		}
		if read.Page == nil {
			continue
		}
		h.mu.Lock()
		h.pages = append(h.pages, read.Page)
		h.pages = h.pages[max(0, len(h.pages)-hintingPages):]
		h.mu.Unlock()
	}
}

// compare compares what was read with the positions in a book.
func (h *hinting) compare(b *book.Book) {
	h.mu.Lock()
	pages := h.pages
	h.pages = nil
	h.mu.Unlock()
	for _, page := range pages {
		h.hints.Take(b, page, h.source.RequestAudit)
	}
}
