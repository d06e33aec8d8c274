package record

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// maxPages is how many bytes of recorded pages are kept for requests to come.
const maxPages = 64 << 20

// answerSize is what an answer takes besides its body, about.
const answerSize = 512

// pages are the recorded answers to requests for pages: of each request the newest.
type pages struct {
	changed  *sync.Cond
	answers  map[question]*exchange
	order    []question // the oldest first
	size     int
	underWay map[question]int // requests that are not answered yet
}

func newPages() pages {
	return pages{answers: make(map[question]*exchange), underWay: make(map[question]int)}
}

func (p *pages) open(x *exchange) { p.underWay[x.question]++ }

// end keeps the answer of a request that has ended, unless blotter did not want it.
func (p *pages) end(x *exchange, e *event) {
	q := x.question
	if p.underWay[q]--; p.underWay[q] <= 0 {
		delete(p.underWay, q)
	}
	p.changed.Broadcast()
	if x.status == 0 && e.Left || e.Left && e.Error != "" {
		return
	}
	if e.Left { // it had read all that it wanted
		x.err = nil
	}
	if old := p.answers[q]; old != nil {
		p.size -= len(old.data) + answerSize
		p.order = slices.DeleteFunc(p.order, func(other question) bool { return other == q })
	}
	p.answers[q] = x
	p.order = append(p.order, q)
	for p.size += len(x.data) + answerSize; p.size > maxPages; {
		p.size -= len(p.answers[p.order[0]].data) + answerSize
		delete(p.answers, p.order[0])
		p.order = p.order[1:]
	}
}

// page answers a request for a page with the newest answer that was recorded before now. Where the same page is being asked for
// in the recording now, it waits for that answer, unless the replay is paused.
func (r *Replay) page(ctx context.Context, q question, request *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.onDone(ctx, r.pages.changed)()
	for r.pages.underWay[q] > 0 && !r.timeline.paused && !r.closed && ctx.Err() == nil {
		r.pages.changed.Wait()
	}
	x := r.pages.answers[q]
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
	return newResponse(request, x.status, x.header, io.NopCloser(io.MultiReader(bytes.NewReader(x.data), end))), nil
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
