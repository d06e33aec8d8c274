package endpoint

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The pace of background requests, all together.
const (
	backgroundEvery = time.Second / 2 // normally
	scarceEvery     = time.Second     // if less than a quarter is left of what the service allows
)

// pacer spaces the background requests: pages and probes. Probes are sent first. The requests of the trader do not wait
// here. The lock of Pool guards it.
type pacer struct {
	next      time.Time // when the next request may be sent
	probes    int       // how many probes wait
	limit     uint64    // how many requests the service allows; 0 if it did not send that
	remaining uint64
	reset     time.Time // when limit and remaining no longer count
}

// awaitPace waits until a background request may be sent. Its error is the cause of the end of ctx.
func (p *Pool) awaitPace(ctx context.Context, kind Kind) error {
	if kind == Probe {
		p.update(func() { p.pacer.probes++ })
		defer p.update(func() { p.pacer.probes-- })
	} else {
		select {
		case p.nextPage <- struct{}{}:
			defer func() { <-p.nextPage }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for {
		p.mu.Lock()
		isFree, at := p.pacer.take(kind, time.Now())
		changed := p.changed
		p.mu.Unlock()
		if isFree {
			return nil
		}
		if err := Pause(ctx, at, changed); err != nil {
			return err
		}
	}
}

// take reports whether a request may be sent now, and counts it; else it returns when to try again: zero if that is
// after a probe that waits.
func (p *pacer) take(kind Kind, now time.Time) (isFree bool, at time.Time) {
	at, every := p.next, backgroundEvery
	if kind != Probe {
		if p.probes > 0 {
			return false, time.Time{}
		}
		scarce := p.reset.After(now) && p.limit > 0
		switch {
		case scarce && p.remaining < max(p.limit/10, 1):
			at = Later(at, p.reset)
		case scarce && p.remaining < p.limit/4:
			every = scarceEvery
		}
	}
	if at.After(now) {
		return false, at
	}
	p.next = now.Add(every)
	return true, time.Time{}
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
