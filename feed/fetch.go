package feed

import (
	"context"
	"net/url"
)

// window asks for a stretch of one list, where the service lets itself be asked.
func (f *Feed) window(ctx context.Context, w window) (*listing, error) {
	if err := f.limiter.blocked(); err != nil {
		return nil, err
	}
	visit, err := f.addresses.visit(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.limiter.blocked(); err != nil { // it said so to somebody else meanwhile
		_ = visit.over(context.Canceled)
		return nil, err
	}
	return f.fetch(ctx, visit, w.query())
}

// fetch asks for a page. Whoever wants it may leave at any time, and is not kept; but the request goes on until the
// service begins to speak. A connection that is given up before that tells nothing of the service, and costs a dial.
func (f *Feed) fetch(ctx context.Context, v *visit, query url.Values) (*listing, error) {
	type answer struct {
		page *listing
		err  error
	}
	answers := make(chan answer, 1)
	asked, giveUp := context.WithCancel(f.ctx)
	f.mu.Lock()
	if f.ctx.Err() != nil { // no task begins once Close waits for them
		f.mu.Unlock()
		giveUp()
		return nil, v.over(f.ctx.Err())
	}
	f.spawn(func(context.Context) {
		defer giveUp()
		page, err := f.client.page(v.trace(asked), v.base, query)
		if status, isStatus := asStatus(err); err == nil || isStatus {
			f.learn(status)
		}
		if err == nil {
			f.logLag(v, page.block)
		}
		answers <- answer{page, v.over(err)}
	})
	f.mu.Unlock()
	select {
	case a := <-answers:
		return a.page, a.err
	case <-ctx.Done():
		v.leave(giveUp)
		return nil, context.Cause(ctx)
	}
}
