// Package access lets through only what a trader may see, of a feed or of the past: positions, margin levels, states of
// streams, events and words. It is the one place where rights are applied to data: for screens, and for the commands
// that a trader runs.
//
//	rights.go   what a trader may see
//	access.go   a source: what is requested, and what comes
//	words.go    errors and problems: they have no text of the service, which may name others, and no address
//	past.go     a recording that is played
//	alerts.go   what the rules of the desk are in alert for
package access

import (
	"context"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Source is a source of data. A *hub.Session is one, and says what the methods do.
type Source interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context) (book.Delta, error)
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	WatchMargins(scope model.Scope)
	NextMargins(ctx context.Context) (book.MarginsRead, error)
	HurryMargins(parties []model.ID)
	RequestAudit(subscription model.Subscription)
	Resync()
	Close()
}

// Access is a Source that lets through only what its rights have. What is requested beyond that is not passed on.
type Access struct {
	source  Source
	rights  Rights
	service string // its name, which replaces addresses

	mu      sync.Mutex
	watched []model.Subscription             // also those that are refused
	refused map[model.Subscription]time.Time // since when
	links   []model.Link                     // of the source
	rewatch bool                             // the links have not been given since watched has changed
	wake    context.CancelCauseFunc          // ends the wait of Next, if it waits; nil before the first one
	margins *model.Scope                     // of WatchMargins; nil if nothing in it may be seen
}

// New returns a source that lets through what the rights have. The service is the name that replaces its addresses.
func New(source Source, rights Rights, service string) *Access {
	return &Access{source: source, rights: rights, service: service}
}

// Watch watches the subscriptions that may be seen. The others have a link that says why there is nothing.
func (a *Access) Watch(subscriptions []model.Subscription) {
	a.mu.Lock()
	defer a.mu.Unlock()
	refused := make(map[model.Subscription]time.Time)
	var allowed []model.Subscription
	for _, s := range subscriptions {
		if a.rights.coversStream(s) {
			allowed = append(allowed, s)
		} else if refused[s] = a.refused[s]; refused[s].IsZero() {
			refused[s] = time.Now()
		}
	}
	a.watched, a.refused, a.rewatch = slices.Clone(subscriptions), refused, true
	a.source.Watch(allowed)
	if a.wake != nil && len(allowed) == 0 {
		a.wake(errRewatched)
	}
}

// Next waits for the next Delta in which anything may be seen.
func (a *Access) Next(ctx context.Context) (book.Delta, error) {
	for {
		delta, err := a.next(ctx)
		switch {
		case err == errRewatched:
		case err != nil:
			return book.Delta{}, hiddenError(err)
		case delta.Links != nil || delta.Restart || hasData(&delta):
			return delta, nil
		}
	}
}

// Links returns the states of the streams that are watched, as Next does.
func (a *Access) Links() []model.Link {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seenLinks()
}

// next returns what may be seen of the next Delta, perhaps nothing. The error is errRewatched if the wait was ended.
func (a *Access) next(ctx context.Context) (delta book.Delta, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if a.waits(cancel) {
		delta, err = a.source.Next(ctx)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil && context.Cause(ctx) == errRewatched {
		return book.Delta{}, errRewatched
	}
	if err != nil {
		return book.Delta{}, err
	}
	if delta.Links != nil {
		a.links = delta.Links
	}
	if delta.Links != nil || a.rewatch {
		delta.Links, a.rewatch = a.seenLinks(), false
	}
	a.keepSeen(&delta)
	return delta, nil
}

// waits reports whether Next must wait for the source. If everything is refused, and that was not said yet, it must
// not.
func (a *Access) waits(wake context.CancelCauseFunc) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.rewatch && len(a.refused) == len(a.watched) {
		return false
	}
	a.wake = wake
	return true
}

// hasData reports whether there is anything in a Delta but links.
func hasData(d *book.Delta) bool {
	return len(d.Snapshots)+len(d.Updates)+len(d.Audits)+len(d.Margins)+len(d.Doubts)+d.Missed > 0
}

// keepSeen drops what may not be seen. What is shared with others is copied before.
func (a *Access) keepSeen(d *book.Delta) {
	for i := range d.Snapshots {
		s := &d.Snapshots[i]
		if !a.coversAll(s.Rows) {
			s.Rows, s.Sent = s.Rows.Only(a.rights.Covers, s.Sent)
		}
		s.Superseded, s.Believed = a.seenRows(s.Superseded), seen(s.Believed, a.rights.Covers)
		if s.Followed != nil { // nil would mean all
			s.Followed = append([]model.Key{}, seen(s.Followed, func(of model.Key) bool {
				return a.rights.coversStream(model.Subscription{Key: of})
			})...)
		}
	}
	d.Updates, d.Audits, d.Margins = slices.Clone(d.Updates), slices.Clone(d.Audits), slices.Clone(d.Margins)
	for i := range d.Updates {
		d.Updates[i].Positions = a.seenRows(d.Updates[i].Positions)
	}
	d.Updates = slices.DeleteFunc(d.Updates, func(u book.Updates) bool {
		return len(u.Positions) == 0 && !u.BeginsPartial && u.Told == 0
	})
	for i := range d.Audits {
		page := &d.Audits[i]
		page.Positions = a.seenRows(page.Positions)
		page.Removed, page.Believed = seen(page.Removed, a.rights.Covers), seen(page.Believed, a.rights.Covers)
	}
	d.Audits = slices.DeleteFunc(d.Audits, func(page book.AuditPage) bool {
		return !page.First && !page.Last && len(page.Positions)+len(page.Removed) == 0
	})
	d.Doubts = slices.Clone(d.Doubts)
	for i := range d.Doubts {
		d.Doubts[i].Keys = seen(d.Doubts[i].Keys, a.rights.Covers)
	}
	for i := range d.Margins {
		d.Margins[i] = a.seenRead(d.Margins[i])
	}
	if !a.rights.coversStream(model.Subscription{}) {
		d.Missed = min(d.Missed, 1) // how many others have missed is not told
	}
	d.KeepOnly(a.rights.coversStream)
	d.Snapshots = slices.DeleteFunc(d.Snapshots, func(s book.Snapshot) bool {
		return !a.rights.coversStream(s.Subscription)
	})
}

// coversAll reports whether all rows of a table may be seen, and all identifiers that it has.
func (a *Access) coversAll(rows *book.Rows) bool {
	if rows == nil {
		return true
	}
	for _, party := range rows.Parties().Values() {
		if !a.rights.Parties.Has(party) {
			return false
		}
	}
	for _, market := range rows.Markets().Values() {
		if !a.rights.Markets.Has(market) {
			return false
		}
	}
	return true
}

// seen returns those of some values that may be seen. The values themselves do not change.
func seen[V any](all []V, isSeen func(V) bool) []V {
	isHidden := func(v V) bool { return !isSeen(v) }
	if !slices.ContainsFunc(all, isHidden) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), isHidden)
}

func (a *Access) seenRows(rows []model.Position) []model.Position {
	return seen(rows, func(p model.Position) bool { return a.rights.Covers(p.Key) })
}

// seenLinks returns a link for each subscription that is watched.
func (a *Access) seenLinks() []model.Link {
	links := make([]model.Link, len(a.watched))
	for i, s := range a.watched {
		links[i] = model.Link{Subscription: s}
		if since, isRefused := a.refused[s]; isRefused {
			links[i].Phase, links[i].Since, links[i].Problem = model.Refused, since, notAllowed()
		} else if link := model.LinkOfSubscription(a.links, s); link != nil {
			links[i] = a.seenLink(*link)
		}
	}
	return links
}

// seenLink returns a link without the address and the text of the service, and without counts of rows if some of them
// may not be seen.
func (a *Access) seenLink(link model.Link) model.Link {
	if link.Address != "" {
		link.Address = a.service
	}
	link.Problem = hiddenProblem(link.Problem, a.service)
	if !a.rights.Markets.IsAll() && link.Market.IsZero() {
		link.StagedRows, link.StagedPages, link.Changes, link.Unrequested, link.LeftOut = 0, 0, 0, 0, 0
		link.Messages, link.Bytes = 0, 0
	}
	return link
}

// Page reads a page of those margin levels of the scope that may be seen.
func (a *Access) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	scope, ok := a.rights.Scope(request.Scope)
	if !ok {
		return nil, errNotAllowed
	}
	request.Scope = scope
	if request.From != nil {
		request.From = a.seenPage(request.From)
	}
	page, err := a.source.Page(ctx, request)
	if err != nil {
		return nil, hiddenError(err)
	}
	return a.seenPage(page), nil
}

// seenPage returns a page without what may not be seen.
func (a *Access) seenPage(page *model.Page) *model.Page {
	kept := *page
	kept.Rows = seen(page.Rows, func(levels model.MarginLevels) bool { return a.rights.Covers(levels.Key) })
	kept.Places = seen(page.Places, func(place model.Place) bool { return a.rights.coversList(place.Key) })
	return &kept
}

// WatchMargins begins to read those margin levels of a scope that may be seen.
func (a *Access) WatchMargins(scope model.Scope) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.margins = nil
	if narrowed, ok := a.rights.Scope(scope); ok {
		a.margins = &narrowed
		a.source.WatchMargins(narrowed)
	}
}

// NextMargins waits for the next of these margin levels.
func (a *Access) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	for {
		read, err := a.source.NextMargins(ctx)
		if err != nil {
			return book.MarginsRead{}, hiddenError(err)
		}
		a.mu.Lock()
		scope := a.margins
		a.mu.Unlock()
		if scope != nil { // else it is of the scope before
			return a.seenRead(read), nil
		}
	}
}

func (a *Access) seenRead(read book.MarginsRead) book.MarginsRead {
	read.Err = hiddenError(read.Err)
	if read.Page != nil {
		read.Page = a.seenPage(read.Page)
	}
	return read
}

// HurryMargins reads the margin levels of those parties soon that may be seen.
func (a *Access) HurryMargins(parties []model.ID) {
	a.source.HurryMargins(seen(parties, a.rights.Parties.Has))
}

// RequestAudit brings the next audit of a subscription forward, if that may be seen.
func (a *Access) RequestAudit(subscription model.Subscription) {
	if a.rights.coversStream(subscription) {
		a.source.RequestAudit(subscription)
	}
}

// Resync checks the subscriptions again that may be seen: the source has no others.
func (a *Access) Resync() { a.source.Resync() }

// Close closes the source.
func (a *Access) Close() { a.source.Close() }
