package feed

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"time"
)

// pagesPerMinute is how many of the dialsPerMinute are for pages where streams need the address too.
const pagesPerMinute = dialsPerMinute / 2

// pages is what the requests for pages have found out about an address. They keep to the rule that the streams keep
// to: while the address fails there are no more than dialsPerMinute dials to it, by all of them together.
type pages struct {
	well      bool        // the last request was answered
	underWay  int         // requests
	unheard   int         // requests since the last answer
	dials     []time.Time // since the last answer: the latest, no more than dialsPerMinute
	failures  int         // in a row
	failedAt  time.Time   // the last of them
	problem   error       // what the last of them was; nil where there is none
	notBefore time.Time   // the next request
	lags      bool        // by its own last word, the node is behind
}

// visit lets a page be asked for. Where the address is known to fail and must be left alone, that is the error, at
// once; where nobody knows yet, it waits until somebody does, or ctx ends.
func (a *addresses) visit(ctx context.Context) (*visit, error) {
	for {
		v, changed, err := a.askToVisit()
		if v != nil || err != nil {
			return v, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-changed:
		}
	}
}

func (a *addresses) askToVisit() (*visit, <-chan struct{}, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, address := time.Now(), a.list[a.current]
	p := &address.pages
	known := cmp.Or(p.problem, address.failing())
	// An address that is not known to be well is asked by one, and the others wait for what comes of it.
	taken := p.underWay > 0 && (known != nil || !p.well && !address.proven)
	switch {
	case p.notBefore.After(now), taken && p.problem != nil:
		return nil, nil, &restingError{known, p.notBefore, now}
	case taken, known == nil && p.unheard >= address.dialsForPages():
		return nil, a.changed, nil
	}
	return address.call(a, now), nil, nil
}

// failing is why streams cannot be opened; nil where they can, or nobody has tried.
func (a *address) failing() error {
	switch {
	case a.failures == 0 || a.proven:
		return nil
	case a.problem.Status == 0:
		return errors.New(a.problem.Words)
	}
	return errors.New((&StatusError{Status: a.problem.Status, Words: a.problem.Words}).Error())
}

// dialsForPages is how many of the dialsPerMinute are for pages.
func (a *address) dialsForPages() int {
	if a.followed {
		return pagesPerMinute
	}
	return dialsPerMinute
}

// countDial takes note of a dial for a page. Where the address fails, there may be one no more, or not now: where
// no stream stands, it is streams that try, and no dial of theirs is spent on a page.
func (a *address) countDial(now time.Time) error {
	p, failing := &a.pages, a.failing()
	lost := failing != nil && a.streams == 0
	if lost && a.problem.Status == 0 {
		return &restingError{failing, a.verdict(now).at, now}
	}
	at := freeAt(a.spent(), dialsPerMinute)
	if lost || p.problem != nil {
		at = later(at, freeAt(p.dials, a.dialsForPages()))
	}
	if known := cmp.Or(p.problem, failing); known != nil && at.After(now) {
		return &restingError{known, at, now}
	}
	p.dials = append(p.dials, now)
	p.dials = p.dials[max(0, len(p.dials)-dialsPerMinute):]
	return nil
}

// spent are the dials that count while the address fails, in their order.
func (a *address) spent() []time.Time {
	spent := slices.Concat(a.dials, a.pages.dials)
	slices.SortFunc(spent, time.Time.Compare)
	return spent
}

// freeAt is when there may be one dial more, of so many in a minute.
func freeAt(dials []time.Time, most int) time.Time {
	if len(dials) < most {
		return time.Time{}
	}
	return dials[len(dials)-most].Add(time.Minute)
}

func later(one, other time.Time) time.Time {
	if other.After(one) {
		return other
	}
	return one
}

// probe lets an address be asked whether it is there.
func (a *addresses) probe(base *url.URL) *visit {
	a.mu.Lock()
	defer a.mu.Unlock()
	address := a.list[slices.IndexFunc(a.list, func(each *address) bool { return each.base == base })]
	return address.call(a, time.Now())
}

// answered takes note that the service answers. What was dialled counts on while streams fail.
func (p *pages) answered(failing bool) {
	p.well, p.unheard = true, 0
	p.forgive()
	if !failing {
		p.dials = nil
	}
}

// forgive takes note that somebody is there.
func (p *pages) forgive() { p.failures, p.problem, p.notBefore = 0, nil, time.Time{} }

// failed takes note that a request since some time was not answered. Many that fail at once are one failure.
func (p *pages) failed(since time.Time, problem error, times Times) {
	if p.failures == 0 || p.failedAt.Before(since) {
		p.failures++
		p.failedAt = time.Now()
		p.notBefore = p.failedAt.Add(backoff(times.FirstBackoff, times.MaxBackoff, p.failures))
	}
	p.well, p.unheard, p.problem = false, 0, problem
}
