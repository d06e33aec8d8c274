package endpoint

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The pace of background requests, all together.
const (
	BackgroundEvery = time.Second / 2 // normally
	scarceEvery     = time.Second     // if less than a quarter is left of what the service allows
)

// Which of the requests that wait is sent next: probes first, then the others in turns.
const (
	auditsPerPage   = 7 // audits in a row while a page waits
	urgentsPerOther = 3 // audits in a row that come before one that has waited longer
)

// pacer spaces the background requests: pages, probes and audits, all together. The requests of the trader do not wait
// here. The lock of Pool guards it.
type pacer struct {
	next      time.Time // when the next request may be sent
	waiting   []*turn   // in the order in which they came
	audits    int       // in a row, while a page has waited
	urgents   int       // audits in a row that came before one that had waited longer
	limit     uint64    // how many requests the service allows; 0 if it did not send that
	remaining uint64
	reset     time.Time // when limit and remaining no longer count
}

// turn is a request that waits.
type turn struct {
	kind    Kind // Probe, BackgroundPage or Standby
	urgency Urgency
	woken   chan struct{} // holds a token when it may be its turn
}

func newTurn(kind Kind, urgency Urgency) *turn { return &turn{kind, urgency, make(chan struct{}, 1)} }

// Urgency is why an audit begins. Those that are more urgent come first.
type Urgency uint8

// The reasons for audits, the least urgent first.
const (
	Routine Urgency = iota // it is time for it
	Hinted                 // the stream has fallen silent, or there is a weaker reason
	InDoubt                // no audit has compared the rows yet, something newer is known of one, or the stream is behind
	ForMany                // it is for many streams at once
)

// AwaitAudit waits until it is the turn of an audit. Its error is the cause of the end of ctx.
func (p *Pool) AwaitAudit(ctx context.Context, urgency Urgency) error {
	return p.awaitTurn(ctx, newTurn(Standby, urgency))
}

// awaitPace waits until a background request may be sent. Its error is the cause of the end of ctx.
func (p *Pool) awaitPace(ctx context.Context, kind Kind) error {
	if kind != Probe {
		select {
		case p.nextPage <- struct{}{}:
			defer func() { <-p.nextPage }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return p.awaitTurn(ctx, newTurn(kind, Routine))
}

// awaitTurn waits until a request may be sent, and counts it.
func (p *Pool) awaitTurn(ctx context.Context, t *turn) error {
	p.update(func() { p.pacer.waiting = append(p.pacer.waiting, t) })
	defer p.update(func() { p.pacer.remove(t) })
	for {
		p.mu.Lock()
		isFree, at := p.pacer.takeTurn(t, time.Now())
		p.mu.Unlock()
		if isFree {
			return nil
		}
		if err := Pause(ctx, at, t.woken); err != nil {
			return err
		}
	}
}

func (p *pacer) remove(t *turn) {
	p.waiting = slices.DeleteFunc(p.waiting, func(other *turn) bool { return other == t })
}

// wakeFirst wakes the request that is sent next. Hundreds of audits may wait, and only this one can begin.
func (p *pacer) wakeFirst(now time.Time) {
	if first := p.first(now); first != nil {
		Signal(first.woken)
	}
}

// takeTurn reports whether a request may be sent now, and counts it; else it returns when to try again: zero if that is
// after another one that waits.
func (p *pacer) takeTurn(t *turn, now time.Time) (isFree bool, at time.Time) {
	at, every := p.next, BackgroundEvery
	if t.kind == BackgroundPage {
		if from := p.pagesFrom(now); from.After(now) {
			return false, Later(at, from)
		}
		if p.isScarce(now, 4) {
			every = scarceEvery
		}
	}
	if p.first(now) != t {
		return false, time.Time{}
	}
	if at.After(now) {
		return false, at
	}
	p.next = now.Add(every)
	p.count(t)
	return true, time.Time{}
}

// count counts the audits in a row that came before others that wait.
func (p *pacer) count(t *turn) {
	switch {
	case t.kind == BackgroundPage:
		p.audits = 0
	case t.kind != Standby:
	case t == p.longest(Standby):
		p.audits, p.urgents = p.audits+1, 0
	default:
		p.audits, p.urgents = p.audits+1, p.urgents+1
	}
}

// longest returns the request of a kind that has waited longest; nil if none waits.
func (p *pacer) longest(kind Kind) *turn {
	for _, t := range p.waiting {
		if t.kind == kind {
			return t
		}
	}
	return nil
}

// nextAudit returns the audit that begins next; nil if none waits: the most urgent one, and now and then the one that
// has waited longest.
func (p *pacer) nextAudit() *turn {
	next := p.longest(Standby)
	if p.urgents >= urgentsPerOther {
		return next
	}
	for _, t := range p.waiting {
		if t.kind == Standby && t.urgency > next.urgency {
			next = t
		}
	}
	return next
}

// first returns the request that is sent next; nil if none waits.
func (p *pacer) first(now time.Time) *turn {
	probe, page, audit := p.longest(Probe), p.longest(BackgroundPage), p.nextAudit()
	if p.pagesFrom(now).After(now) {
		page = nil
	}
	if p.audits >= auditsPerPage {
		return cmp.Or(probe, page, audit)
	}
	return cmp.Or(probe, audit, page)
}

// isScarce reports whether less than a part of the requests that the service allows is left.
func (p *pacer) isScarce(now time.Time, part uint64) bool {
	return p.reset.After(now) && p.limit > 0 && p.remaining < p.limit/part
}

// pagesFrom returns when pages may be requested, if very few requests are left; zero if that is now.
func (p *pacer) pagesFrom(now time.Time) time.Time {
	if p.isScarce(now, 10) || p.reset.After(now) && p.limit > 0 && p.remaining == 0 {
		return p.reset
	}
	return time.Time{}
}

// observe records how many requests are left, by the headers of a response. If they have no time of the next reset,
// the number counts for a few seconds.
func (p *pacer) observe(header http.Header, now time.Time) {
	limit, ok := headerNumber(header, "Ratelimit-Limit")
	remaining, ok2 := headerNumber(header, "Ratelimit-Remaining")
	if !ok || !ok2 {
		return
	}
	p.limit, p.remaining, p.reset = limit, remaining, now.Add(resetIn(header, now))
}

// headerNumber reads a number of a header that may have parameters behind it.
func headerNumber(header http.Header, name string) (uint64, bool) {
	text, _, _ := strings.Cut(header.Get(name), ",")
	text, _, _ = strings.Cut(text, ";")
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64) // the largest uint64 if the number is larger
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// defaultReset is how long the number of requests that are left counts if the service sent no time of the next reset.
const defaultReset = 5 * time.Second

// resetIn returns the time until the next reset. The header has seconds or, from firstUnixTime on, a Unix time.
func resetIn(header http.Header, now time.Time) time.Duration {
	const firstUnixTime = 1e9
	seconds, ok := headerNumber(header, "Ratelimit-Reset")
	if !ok {
		return defaultReset
	}
	var wait time.Duration
	switch {
	case seconds >= 1<<40:
		return maxRetryAfter
	case seconds >= firstUnixTime:
		wait = time.Unix(int64(seconds), 0).Sub(serviceTime(header, now))
	default:
		wait = time.Duration(seconds) * time.Second
	}
	return min(max(wait, time.Second), maxRetryAfter)
}
