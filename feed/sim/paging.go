package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"blotter/feed/sim/market"
)

// marginQuery is the query of a request for margin levels.
type marginQuery struct {
	party, market *string
	limit         int
	cursor        *market.MarginRecord // the place to go on from, nil at an end of the list
	backward      bool
	newestFirst   bool
}

// Page sizes of the service.
const (
	usualLimit   = 1000
	highestLimit = 5000
)

// listMarginLevels responds to one request for a page.
func (n *Node) listMarginLevels(out *responseWriter, r *http.Request) {
	if err := n.awaitEndOfSilence(r.Context()); err != nil {
		return
	}
	if response, ok := n.nextResponse(&n.script.marginResponses); ok {
		out.writeScriptedMargins(r.Context(), response)
		return
	}
	n.mu.Lock()
	now := time.Now()
	node := n.reached(&n.nodes.pages)
	n.addBlock(out.w.Header(), node)
	refused := n.limiter.check(now)
	n.limiter.addHeaders(out.w.Header(), now)
	n.mu.Unlock()
	if refused != nil {
		out.refuseMargins(*refused)
		return
	}
	query, err := parseQuery(r)
	if err != nil {
		out.refuseMargins(unparsed(err))
		return
	}
	q, refused := parseMarginQuery(query)
	if refused != nil {
		out.refuseMargins(*refused)
		return
	}
	n.mu.Lock()
	page := node.margins.page(q)
	n.mu.Unlock()
	n.count(&n.counters.MarginPages, 1)
	_, _ = out.Write(page.text())
}

// writeScriptedMargins writes a scripted response. One without an end lasts until the client cancels the request.
func (o *responseWriter) writeScriptedMargins(ctx context.Context, response Response) {
	err := o.writeScripted(ctx, response)
	for err == nil && response.Every > 0 {
		if err = sleep(ctx, response.Every); err == nil {
			err = o.sendRaw([]byte(response.Body))
		}
	}
	switch {
	case errors.Is(err, errCut) || err == nil && response.Cut:
		o.cut()
	case err == nil && response.staysOpen():
		<-ctx.Done()
	}
}

// addBlock adds the headers with the last block of the replica that responds. Blocks come once a second. The caller
// holds the lock.
func (n *Node) addBlock(header http.Header, r *replica) {
	block := n.blockTime(r)
	height := max(1, 1+int64(block.Sub(n.born)/time.Second))
	header.Set("X-Block-Height", strconv.FormatInt(height, 10))
	header.Set("X-Block-Timestamp", strconv.FormatInt(block.UnixNano(), 10))
}

// refuseMargins responds with the error, and with the second Content-Type that errors of this operation have.
func (o *responseWriter) refuseMargins(r refusal) {
	o.w.Header().Add("Content-Type", "application/grpc")
	o.refuse(r)
}

// parseQuery reads the parameters. Unknown ones are ignored.
func parseQuery(r *http.Request) (url.Values, error) { return url.ParseQuery(r.URL.RawQuery) }

// badPaging refuses paging parameters that break the rules.
func badPaging(inner string) *refusal {
	return &refusal{status: http.StatusBadRequest,
		body: detailed(3, "InvalidArgument error", 10028, "invalid pagination", inner)}
}

// parseMarginQuery reads the parameters as the service does, and finds errors in its order.
func parseMarginQuery(query url.Values) (marginQuery, *refusal) {
	raw, err := parsePaging(query)
	if err != nil {
		refused := unparsed(err)
		return marginQuery{}, &refused
	}
	q := marginQuery{party: raw.party, market: raw.market, limit: usualLimit, newestFirst: raw.newestFirst}
	if raw.after != nil && raw.before != nil {
		return q, badPaging("cannot set both a before and after cursor")
	}
	// The end that has a count decides; the other one's parameters are ignored.
	size, cursor, name := raw.first, raw.after, "after"
	if raw.first == nil && (raw.last != nil || raw.before != nil) {
		size, cursor, name = raw.last, raw.before, "before"
		q.backward = true
	}
	if size != nil {
		q.limit = int(*size)
	}
	if q.limit < 1 || q.limit > highestLimit {
		return q, badPaging(fmt.Sprintf("pagination limit must be in range 0-%d", highestLimit))
	}
	if cursor != nil {
		q.cursor, err = placeOf(*cursor)
	}
	switch {
	case errors.Is(err, errCursorText):
		return q, badPaging(fmt.Sprintf("failed to decode %s cursor: %v", name, err))
	case err != nil:
		return q, noMargins(http.StatusInternalServerError, 13, "Internal error", err)
	}
	for _, id := range []*string{q.party, q.market} {
		if id != nil && !isIdentifier(*id) {
			return q, noMargins(http.StatusBadRequest, 3, "InvalidArgument error", errNotHex)
		}
	}
	return q, nil
}

// noMargins refuses a query that the service's database refuses.
func noMargins(status, code int, message string, err error) *refusal {
	return &refusal{status: status, body: detailed(code, message, 70001, "failed to get margin levels", err.Error())}
}

// paging is the parameters of a request for margin levels as they came.
type paging struct {
	party, market, after, before *string
	first, last                  *int32
	newestFirst                  bool
}

func parsePaging(query url.Values) (paging, error) {
	p := paging{newestFirst: true}
	var first, last, newestFirst *string
	for _, field := range []struct {
		name, field string
		value       **string
	}{
		{"partyId", "party_id", &p.party},
		{"marketId", "market_id", &p.market},
		{"pagination.first", "first", &first},
		{"pagination.after", "after", &p.after},
		{"pagination.last", "last", &last},
		{"pagination.before", "before", &p.before},
		{"pagination.newestFirst", "newest_first", &newestFirst},
	} {
		value, err := single(query, field.name, field.field)
		if err != nil {
			return p, err
		}
		*field.value = value
	}
	var err error
	if p.first, err = parseCount("first", first); err != nil {
		return p, err
	}
	if p.last, err = parseCount("last", last); err != nil {
		return p, err
	}
	if newestFirst != nil {
		if p.newestFirst, err = strconv.ParseBool(*newestFirst); err != nil {
			return p, fmt.Errorf("parsing field %q: %w", "newest_first", err)
		}
	}
	return p, nil
}

func parseCount(field string, text *string) (*int32, error) {
	if text == nil {
		return nil, nil
	}
	count, err := strconv.ParseInt(*text, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("parsing field %q: %w", field, err)
	}
	short := int32(count)
	return &short, nil
}
