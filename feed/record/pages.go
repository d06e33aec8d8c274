package record

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxPages is how many bytes of recorded pages are kept for requests to come.
const maxPages = 64 << 20

// responseOverhead is about how many bytes a response takes besides its body.
const responseOverhead = 512

// pages are the recorded responses to requests for pages: of each request the newest.
type pages struct {
	changed   *sync.Cond
	responses map[requestKey]*exchange
	order     []requestKey // the oldest first
	size      int
	underWay  map[requestKey]int // requests without a response yet
}

func newPages() pages {
	return pages{responses: make(map[requestKey]*exchange), underWay: make(map[requestKey]int)}
}

func (p *pages) open(x *exchange) { p.underWay[x.key]++ }

// end keeps the response of a request that has ended, unless blotter cancelled it.
func (p *pages) end(x *exchange, e *event) {
	q := x.key
	if p.underWay[q]--; p.underWay[q] <= 0 {
		delete(p.underWay, q)
	}
	p.changed.Broadcast()
	if x.status == 0 && e.Left || e.Left && e.Error != "" {
		return
	}
	if e.Left { // it had read all that it needed
		x.err = nil
	}
	if old := p.responses[q]; old != nil {
		p.size -= old.size()
		p.order = slices.DeleteFunc(p.order, func(other requestKey) bool { return other == q })
	}
	p.responses[q] = x
	p.order = append(p.order, q)
	for p.size += x.size(); p.size > maxPages; {
		p.size -= p.responses[p.order[0]].size()
		delete(p.responses, p.order[0])
		p.order = p.order[1:]
	}
}

// notRecordedAfter is how long a request waits, by the clock of the replay, for a first response in the recording: at
// its start, the feed sends its requests before the recording has responses to them.
const notRecordedAfter = 5 * time.Second

// page returns the newest response to the request for a page that was recorded before now. If a request for the same
// page is under way in the recording now, or if none has ended yet, it waits for that response, unless the replay is
// paused.
func (r *Replay) page(ctx context.Context, q requestKey, request *http.Request) (*http.Response, error) {
	waitsUntil := r.Header().Start.Add(notRecordedAfter)
	if left := waitsUntil.Sub(r.Now()); left > 0 {
		defer r.AfterFunc(left, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.pages.changed.Broadcast()
		}).Stop()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.onDone(ctx, r.pages.changed)()
	waits := func() bool {
		isStart := r.timeline.now().Before(waitsUntil) && !r.over
		return r.pages.underWay[q] > 0 || r.pages.responses[q] == nil && isStart
	}
	for waits() && !r.timeline.paused && !r.closed && ctx.Err() == nil {
		r.pages.changed.Wait()
	}
	x := r.pages.responses[q]
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.closed:
		return nil, errClosed
	case x == nil:
		return notRecorded(request), nil
	case x.status == 0:
		return nil, x.err
	}
	var end io.Reader = strings.NewReader("")
	if x.err != nil {
		end = failing{x.err}
	}
	header := x.header.Clone()
	header.Set("Age", "0") // it may be older than the request, as one from a cache
	return newResponse(request, x.status, header, io.NopCloser(io.MultiReader(bytes.NewReader(x.data), end))), nil
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
