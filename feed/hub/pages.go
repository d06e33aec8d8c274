package hub

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"blotter/model"
	"blotter/model/book"
)

// pages are the pages of margin levels that sessions have requested. One that several wait for is requested once.
type pages struct {
	turns *turns

	mu       sync.Mutex
	underWay map[string]*pageRead // by what is requested
}

// pageRead is a page that is being read.
type pageRead struct {
	waiting int // how many sessions wait for it
	cancel  context.CancelFunc
	done    chan struct{} // is closed when it has ended; then the rest is set
	page    *model.Page
	err     error
}

func newPages() *pages { return &pages{turns: newTurns(), underWay: make(map[string]*pageRead)} }

// requestKey returns a text that two requests for the same page have in common.
func requestKey(request model.PageRequest) string {
	var places []model.Place
	if request.From != nil {
		places = request.From.Places
	}
	request.From = nil
	text, _ := json.Marshal([]any{request, places}) // it can be written always
	return string(text)
}

// maxLists is how many lists of margin levels a page can be merged from: as many as a service allows requests at once.
const maxLists = 100

// Page reads one page of margin levels, as feed.Feed.Page does. Sessions get their turns: one that requests many pages
// does not delay those of others. The error is ErrManyLists if the scope has too many pairs of a party and a market.
func (s *Session) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	if max(len(request.Scope.Parties), 1)*max(len(request.Scope.Markets), 1) > maxLists {
		return nil, ErrManyLists
	}
	if isKnownPage(&request) {
		if page, ok := s.hub.knownPage(&request); ok {
			return page, nil
		}
		if request.Turn == model.NextPage || request.Turn == model.PreviousPage { // the service does not have the cursor
			request.Turn, request.From = model.FirstPage, nil
			page, err := s.Page(ctx, request)
			if err == nil {
				page.Restarted = true
			}
			return page, err
		}
	}
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	if s.isShared(&request) {
		if page, ok := s.hub.awaitPage(ctx, s, &request); ok {
			return page, nil
		}
	}
	read, err := s.hub.startPage(s, request)
	if err != nil {
		return nil, err
	}
	select {
	case <-read.done:
		if read.err != nil {
			return nil, read.err
		}
		page := *read.page
		page.Rows = slices.Clone(page.Rows)
		return &page, nil
	case <-ctx.Done():
		s.hub.pages.leave(request, read)
		return nil, context.Cause(ctx)
	}
}

// isShared reports whether a page is made of the lists that the hub reads for all sessions: the first page of several
// lists, if the session has not had it yet, or reads it again by itself.
func (s *Session) isShared(request *model.PageRequest) bool {
	if request.Turn != model.FirstPage || len(request.Scope.Pairs()) == 1 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	isNew := !request.Scope.Equal(s.paged)
	s.paged = request.Scope
	return isNew || request.Background
}

// startPage returns the read of a page, which starts if it is not under way.
func (h *Hub) startPage(s *Session, request model.PageRequest) (*pageRead, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return nil, ErrClosed
	}
	p, key := h.pages, requestKey(request)
	p.mu.Lock()
	defer p.mu.Unlock()
	read := p.underWay[key]
	if read == nil {
		read = &pageRead{done: make(chan struct{})}
		var ctx context.Context
		ctx, read.cancel = context.WithCancel(h.ctx)
		p.underWay[key] = read
		h.tasks.Go(func() {
			defer read.cancel()
			defer p.end(key, read)
			if h.panics(func() { read.page, read.err = h.readRequested(ctx, s, request) }) {
				read.page, read.err = nil, errDefect
			}
		})
	}
	read.waiting++
	return read, nil
}

// readRequested reads a page when it is the turn of the session.
func (h *Hub) readRequested(ctx context.Context, s *Session, request model.PageRequest) (*model.Page, error) {
	done, err := h.pages.turns.await(ctx, s, len(request.Scope.Pairs()))
	if err != nil {
		return nil, err
	}
	defer done()
	page, err := h.feed.Page(ctx, request)
	if err == nil {
		h.recordMargins(request.Scope.Subscriptions(nil, 0)[0].Key, book.MarginsRead{Page: page})
	}
	return page, err
}

// leave ends the wait of a session. Nobody else may wait for the page.
func (p *pages) leave(request model.PageRequest, read *pageRead) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if read.waiting--; read.waiting == 0 {
		read.cancel()
		p.forget(requestKey(request), read)
	}
}

func (p *pages) end(key string, read *pageRead) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(key, read)
	close(read.done)
}

// forget makes the next request for the page start another read. The lock is held.
func (p *pages) forget(key string, read *pageRead) {
	if p.underWay[key] == read {
		delete(p.underWay, key)
	}
}
