package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"time"

	"blotter/feed/wire"
	"blotter/model"
)

// PageQuery is a stretch of one list of margin levels: rows after a cursor or before one, or at an end of the list.
type PageQuery struct {
	Key         model.Key
	Cursor      string // empty: at the end of the list
	Backward    bool   // the rows before the cursor, in the order of walking forward
	Size        int    // how many rows, at most
	NewestFirst bool
	// OwnConnection is true if no other request may use the connection: a new one may reach another node. It is ignored
	// while the address fails, because few connections are opened then.
	OwnConnection bool
}

// Page is a page of margin levels.
type Page struct {
	wire.MarginPage
	Node               // the node that responded
	Address  string    // the address that responded
	ServedAt time.Time // when the response came, by the clock of the service
}

// query returns the parameters of the operation. The order is in every query, because the same cursor with the other
// order reads in the other direction; an empty cursor is left out, because it is an error.
func (q PageQuery) query() url.Values {
	query := keyQuery(q.Key)
	count, cursor := "pagination.first", "pagination.after"
	if q.Backward {
		count, cursor = "pagination.last", "pagination.before"
	}
	query.Set(count, strconv.Itoa(q.Size))
	if q.Cursor != "" {
		query.Set(cursor, q.Cursor)
	}
	query.Set("pagination.newestFirst", strconv.FormatBool(q.NewestFirst))
	return query
}

// Page requests a page and waits for it. If an address refuses, the others are tried; the error is that of the
// first. If no request may be sent to an address now, the error is a *PostponedError, at once. If ctx ends, Page
// returns, but the request continues until the response begins: a request that is cancelled earlier gives no
// information and costs a dial.
func (p *Pool) Page(ctx context.Context, kind Kind, q PageQuery) (*Page, error) {
	tried := make(map[*address]bool)
	var first error
	for {
		r, err := p.acquirePage(ctx, kind, tried)
		if err != nil {
			return nil, cmp.Or(first, err)
		}
		tried[r.address] = true
		page, err := p.fetch(ctx, r, q)
		if outcome := OutcomeOf(err); outcome != Refused && outcome != Denied {
			return page, err
		}
		first = cmp.Or(first, err)
	}
}

// fetch requests a page. It returns when ctx ends, and the request continues until the response begins.
func (p *Pool) fetch(ctx context.Context, r *pageLease, q PageQuery) (*Page, error) {
	type result struct {
		page *Page
		err  error
	}
	results := make(chan result, 1)
	began := p.spawn(func(poolCtx context.Context) {
		requestCtx, cancel := context.WithCancel(poolCtx)
		defer cancel()
		defer context.AfterFunc(ctx, func() { r.abandon(cancel) })()
		by := p.client.pages
		if q.OwnConnection && r.mayDial() {
			by = p.client.streams
		}
		page, err := r.send(requestCtx, by, q.query(), p.config.Times.Page)
		results <- result{page, err}
	})
	if !began {
		r.release(context.Canceled)
		return nil, ErrClosed
	}
	select {
	case result := <-results:
		return result.page, result.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// send requests the page, and releases the lease. The error is a public one.
func (r *pageLease) send(ctx context.Context, by *http.Client, query url.Values, timeout time.Duration) (*Page, error) {
	p := r.pool
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no response within %s", timeout))
	defer cancel()
	traced := context.WithValue(ctx, pageLeaseKey{}, r)
	traced = httptrace.WithClientTrace(traced, &httptrace.ClientTrace{GotFirstResponseByte: r.responseBegan})
	sent := time.Now()
	response, err := p.client.get(traced, by, r.address.base, wire.MarginPath, query)
	page := &Page{Address: r.address.name}
	if response != nil {
		p.update(func() {
			page.Node = r.address.observe(response.Header, sent)
			page.ServedAt = page.At.Add(r.address.serviceClock.offset())
			p.pacer.observe(response.Header, page.At)
		})
	}
	if err == nil {
		defer response.Body.Close()
		page.MarginPage, err = wire.ReadMarginPage(response.Body, p.config.Limits.MessageBytes)
	}
	if _, hasStatus := errors.AsType[*StatusError](err); err != nil && !hasStatus && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, errContentless) {
		r.address.contentless.allowUnread()
	}
	err = p.publicError(r.address.name, err)
	r.release(err)
	if err != nil {
		return nil, err
	}
	return page, nil
}
