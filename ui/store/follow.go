package store

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
)

// follow shows a scope, and opens and closes the streams that this needs.
func follow(s *Store, scope model.Scope) tea.Cmd {
	d := &s.data
	before, streams := d.judged.followed, d.subscriptions
	wasJudged := d.judged.was
	prepare := d.watch(scope, subscriptionsOf(s), s.Now())
	if !slices.Equal(streams, d.subscriptions) {
		s.source.Watch(d.subscriptions)
	}
	s.flow.setLinks(s.flow.links, d)
	if !before.Equal(d.judged.followed) {
		s.walk.watch(d.judged.followed)
	}
	switch d.judged.was = d.isJudged(); {
	case d.judged.was && !wasJudged:
		s.alerts.reports.Restart()
	case !d.judged.was && wasJudged:
		s.data.judged.alerts.Unwatch()
	}
	return prepare
}

// refollow does what a change of the rules needs: the first that is on opens streams, and the last closes them.
func refollow(s *Store) tea.Cmd {
	d, is := &s.data, s.data.isJudged()
	keepsViews := is == d.judged.was || !d.keepsView() && d.scope.Equal(d.judged.start) // also those that are being made
	if keepsViews && d.followedFor(d.scope).Equal(d.judged.followed) {
		d.judged.was = is
		return nil
	}
	return follow(s, d.scope)
}

// judgedLinks returns the links of the streams that the rules watch.
func judgedLinks(s *Store) []model.Link {
	d := &s.data
	if !d.isJudged() {
		return s.flow.shown
	}
	return d.linksOf(&d.judged.start, s.flow.links)
}

// judgedStale returns which of the rows that the rules watch may be out of date now.
func judgedStale(s *Store) Stale { return staleOf(s.data.book, judgedLinks(s), s.Now()) }

// subscriptionsOf returns what the streams of a scope are now: those of the extent, or those of everything in it, which
// the view narrows.
func subscriptionsOf(s *Store) streamsOf {
	if !s.watchesAll {
		return s.options.Extent.subscriptions
	}
	return func(_ model.Scope, previous []model.Subscription, epoch uint64) []model.Subscription {
		return s.options.Extent.subscriptions(model.Scope{}, previous, epoch)
	}
}

// watch changes the scope. Rows that are not in it are no longer shown at once.
func (d *data) watch(scope model.Scope, subscriptionsOf streamsOf, now time.Time) tea.Cmd {
	before, scopeBefore := d.subscriptions, d.scope
	d.seen.collect(d.book)
	d.scope, d.judged.followed, d.rescoped = scope, d.followedFor(scope), true
	d.epoch++
	d.subscriptions = subscriptionsOf(d.judged.followed, before, d.epoch)
	dropped := func(s model.Subscription) bool { return !d.subscribed(s) && canHaveRowsOf(s, &scopeBefore) }
	if !d.keepsView() && (slices.ContainsFunc(before, dropped) || !includes(scope, scopeBefore)) {
		d.cleared = true
		d.view = d.viewOf(book.New(0))
	}
	return d.prepare(now)
}

// applyLinks applies the state of the subscriptions that is held.
func (f *Flow) applyLinks(d *data) {
	if f.held.Links != nil {
		f.setLinks(f.held.Links, d)
		f.held.Links = nil
	}
}

// setLinks sets the states of the streams, as far as these are watched.
func (f *Flow) setLinks(links []model.Link, d *data) {
	f.links = d.watchedLinks(links)
	f.shown = d.linksOf(&d.scope, f.links)
	known := &d.happening.corrections
	known.listsFlat = known.listsFlat || slices.ContainsFunc(f.links, func(link model.Link) bool { return link.ListsFlat })
}
