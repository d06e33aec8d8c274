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
	Size        int
	NewestFirst bool
}

// Page is a page of margin levels.
type Page struct {
	wire.MarginPage
	Block   model.Block // the last block of the node that answered; zero where it named none
	Address string      // the address that answered
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

// Page asks for a page and waits for it. Where an address refuses, the others are asked; the error is that of the
// first. Where an address must not be asked now, the error is a *NotAskedError, at once. Where ctx ends, Page returns,
// but the request goes on until the service begins to answer: a request that is given up earlier gives no information
// and costs a dial.
func (p *Pool) Page(ctx context.Context, kind Kind, q PageQuery) (*Page, error) {
	query := q.query()
	tried := make(map[*address]bool)
	var first error
	for {
		r, err := p.enter(ctx, kind, tried)
		if err != nil {
			return nil, cmp.Or(first, err)
		}
		tried[r.address] = true
		page, err := p.fetch(ctx, r, query)
		if outcome := OutcomeOf(err); outcome != Refused && outcome != Denied {
			return page, err
		}
		first = cmp.Or(first, err)
	}
}

// fetch asks for a page. It returns when ctx ends, and the request goes on until the service begins to answer.
func (p *Pool) fetch(ctx context.Context, r *pageLease, query url.Values) (*Page, error) {
	type answer struct {
		page *Page
		err  error
	}
	answers := make(chan answer, 1)
	began := p.spawn(func(poolCtx context.Context) {
		ask, giveUp := context.WithCancel(poolCtx)
		defer giveUp()
		defer context.AfterFunc(ctx, func() { r.leave(giveUp) })()
		page, err := r.ask(ask, query, p.config.Times.Answer)
		answers <- answer{page, err}
	})
	if !began {
		r.release(context.Canceled)
		return nil, ErrClosed
	}
	select {
	case a := <-answers:
		return a.page, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// ask asks for the page, releases the lease, and returns the error as it leaves the package.
func (r *pageLease) ask(ctx context.Context, query url.Values, timeout time.Duration) (*Page, error) {
	p := r.pool
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %s", timeout))
	defer cancel()
	traced := context.WithValue(ctx, pageLeaseKey{}, r)
	traced = httptrace.WithClientTrace(traced, &httptrace.ClientTrace{GotFirstResponseByte: r.isAnswered})
	response, err := p.client.get(traced, p.client.pages, r.address.base, wire.MarginPath, query)
	var header http.Header
	if response != nil {
		header = response.Header
		p.learnNode(r.address, header)
		p.pacer.learn(header, p.config.Clock.Now())
	}
	page := &Page{Address: r.address.name, Block: blockOf(header)}
	if err == nil {
		defer response.Body.Close()
		var rows *wire.MarginPage
		if rows, err = wire.ReadMarginPage(response.Body, p.config.Limits.MessageBytes); err == nil {
			page.MarginPage = *rows
		}
	}
	if _, answered := errors.AsType[*StatusError](err); err != nil && !answered && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	err = p.leave(r.address.name, err)
	r.release(err)
	if err != nil {
		return nil, err
	}
	return page, nil
}
