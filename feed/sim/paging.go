package sim

import (
	"cmp"
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
	filter
	limit       int
	cursor      *market.MarginRecord // the place to go on from, nil at an end of the list
	backward    bool
	newestFirst bool
}

// Page sizes of the service.
const (
	usualLimit   = 1000
	highestLimit = 5000
)

// listMarginLevels responds to one request for a page.
func (n *Node) listMarginLevels(out *responseWriter, r *http.Request) {
	if err := await(r.Context(), n.current().silence); err != nil {
		return
	}
	if response, ok := n.nextResponse(&n.script.marginResponses); ok {
		s := n.newStream(out, r) // which is not listed: what a script does to the streams does not reach it
		s.end(s.sendScripted(response))
		return
	}
	q, wrong := parseMarginQuery(r.URL.RawQuery)
	node, err := n.awaitPageNode(r.Context())
	if err != nil {
		return
	}
	n.mu.Lock()
	now := time.Now()
	n.addBlock(out.w.Header(), node)
	refused := cmp.Or(n.limiter.check(now), wrong)
	n.limiter.addHeaders(out.w.Header(), now)
	n.mu.Unlock()
	if refused != nil {
		out.refuseMargins(refused)
		return
	}
	n.mu.Lock()
	n.growMargins()
	page := node.margins.page(q)
	n.mu.Unlock()
	n.count(&n.counters.MarginPages, 1)
	_, _ = out.Write(page.text())
}

// awaitPageNode returns the node that a request for a page reaches, once it does not hang.
func (n *Node) awaitPageNode(ctx context.Context) (*replica, error) {
	n.mu.Lock()
	node := cmp.Or(n.reached(ctx, &n.pageTurns), n.main)
	hung := node.hung
	n.mu.Unlock()
	return node, await(ctx, hung)
}

// GrowMargins adds the given number of margin levels records before each page of them from now on. They are of new
// parties, and thus at the newest end. With 0 no more are added, and those that were are removed.
func (n *Node) GrowMargins(each int) {
	n.set(func(s *script) { s.growth = each })
	if each == 0 {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.apply(change{Block: market.Block{RemovedMargins: n.grown}})
		n.grown = nil
	}
}

// growMargins adds the records of GrowMargins before a page. The caller holds the lock.
func (n *Node) growMargins() {
	if n.script.growth == 0 {
		return
	}
	var b market.Block
	for range n.script.growth {
		record := market.NewMarginRecord(MarginLevels{
			Party: fmt.Sprintf("%064x", len(n.grown)+1), Market: "60", Asset: "61", Maintenance: "10", Search: "11", Initial: "15",
			Release: "17", Timestamp: n.script.now().UnixNano(),
		})
		n.grown, b.Margins = append(n.grown, record.Key()), append(b.Margins, record)
	}
	n.apply(change{Block: b})
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
func (o *responseWriter) refuseMargins(r *refusal) {
	o.w.Header().Add("Content-Type", "application/grpc")
	o.refuse(r)
}

// badPaging refuses paging parameters that break the rules.
func badPaging(inner string) *refusal {
	return &refusal{status: http.StatusBadRequest,
		body: detailed(3, "InvalidArgument error", 10028, "invalid pagination", inner)}
}

// parseMarginQuery reads the parameters as the service does, and finds errors in its order.
func parseMarginQuery(text string) (marginQuery, *refusal) {
	query, err := url.ParseQuery(text)
	p := parameters{query, err}
	q := marginQuery{filter: p.filter(), limit: usualLimit, newestFirst: true}
	firstText, after := p.text("pagination.first", "first"), p.text("pagination.after", "after")
	lastText, before := p.text("pagination.last", "last"), p.text("pagination.before", "before")
	newestFirst := p.text("pagination.newestFirst", "newest_first")
	first, last := parsed(&p, "first", firstText, parseCount), parsed(&p, "last", lastText, parseCount)
	if given := parsed(&p, "newest_first", newestFirst, strconv.ParseBool); given != nil {
		q.newestFirst = *given
	}
	if p.err != nil {
		return q, unparsed(p.err)
	}
	if after != nil && before != nil {
		return q, badPaging("cannot set both a before and after cursor")
	}
	// The end that has a count decides; the other one's parameters are ignored.
	size, cursor, name := first, after, "after"
	if first == nil && (last != nil || before != nil) {
		size, cursor, name = last, before, "before"
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
	if !q.isValid() {
		return q, noMargins(http.StatusBadRequest, 3, "InvalidArgument error", errNotHex)
	}
	return q, nil
}

func parseCount(text string) (int64, error) { return strconv.ParseInt(text, 10, 32) }

// noMargins refuses a query that the service's database refuses.
func noMargins(status, code int, message string, err error) *refusal {
	return &refusal{status: status, body: detailed(code, message, 70001, "failed to get margin levels", err.Error())}
}
