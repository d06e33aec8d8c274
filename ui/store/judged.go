package store

import (
	"slices"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// The rules watch the scope of the start, whatever scope is shown. While a rule is on, the streams of both are open,
// and the margin levels of both are read. A shown scope that is a part of that of the start opens and closes nothing:
// its view has fewer rows of the same book.

// followedFor returns the scope whose rows are followed while a scope is shown.
func (d *data) followedFor(shown model.Scope) model.Scope {
	if d.judged.alerts.AreOn() {
		if both, ok := covering(d.judged.start, shown); ok {
			return both
		}
	}
	return shown
}

// covering returns a scope that has all of two scopes, and whose streams have hardly more. It returns false if there is
// none, because the streams of one are of parties and those of the other of markets.
func covering(a, b model.Scope) (both model.Scope, ok bool) {
	switch {
	case includes(a, b):
		return a, true
	case includes(b, a):
		return b, true
	case (len(a.Parties) == 0) != (len(b.Parties) == 0):
		return model.Scope{}, false
	}
	return model.Scope{Parties: anyOf(a.Parties, b.Parties), Markets: anyOf(a.Markets, b.Markets)}, true
}

// anyOf returns the identifiers of two lists; none, which means all, if one of them has none.
func anyOf(a, b []model.ID) []model.ID {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return distinct(a, b)
}

// isJudged reports whether the rows that the rules watch are followed.
func (d *data) isJudged() bool {
	return d.judged.alerts.AreOn() && includes(d.judged.followed, d.judged.start)
}

// rulesView returns the view that the rules are evaluated over.
func (d *data) rulesView() *view.View {
	if d.judged.wide != nil {
		return d.judged.wide
	}
	return d.view
}

// needsWide reports whether the rules need a view beside the one that is shown.
func (d *data) needsWide() bool {
	return d.isJudged() && (d.keepsView() || !d.scope.Equal(d.judged.start))
}

// wideOf returns the view of a book that the rules need beside the one that is shown; nil if they need none.
func (d *data) wideOf(b *book.Book) *view.View {
	if !d.needsWide() {
		return nil
	}
	v := view.New(b, d.judged.start, view.Filter{}, view.Order{}, d.viewInstruments)
	v.WatchAlerts(d.judged.alerts, d.judged.at)
	return v
}

// match matches all rows of a view with the rules. The result is of no rules if these do not watch the rows.
func (d *data) match(of *view.View) (pass view.AlertPass) {
	if of.Scope().Equal(d.judged.start) {
		pass = d.judged.alerts.Match(of, d.judged.at)
	}
	return pass
}

// applyToViews brings the views up to date with changes of their book.
func (d *data) applyToViews(changes book.Changes) {
	if !d.isApart() {
		d.view.Apply(changes)
	}
	if d.judged.wide != nil {
		d.judged.wide.Apply(changes)
	}
}

// mergePage stores margin records.
func (d *data) mergePage(page *model.Page) {
	switch wide := d.judged.wide; {
	case d.isApart() && wide == nil:
		d.book.MergeMargins(page)
	case d.isApart():
		wide.MergeMargins(page)
	case wide == nil:
		d.view.MergeMargins(page)
	default:
		d.view.MergeMargins(page, wide)
	}
}

// canHaveRowsOf reports whether a stream can have rows of a scope.
func canHaveRowsOf(stream model.Subscription, of *model.Scope) bool {
	isIn := func(id model.ID, ids []model.ID) bool {
		return id.IsZero() || len(ids) == 0 || slices.Contains(ids, id)
	}
	return isIn(stream.Party, of.Parties) && isIn(stream.Market, of.Markets)
}

// streamsOf returns the streams that can have rows of a scope.
func (d *data) streamsOf(scope *model.Scope) []model.Subscription {
	if scope.Equal(d.judged.followed) {
		return d.subscriptions
	}
	isOther := func(s model.Subscription) bool { return !canHaveRowsOf(s, scope) }
	return slices.DeleteFunc(slices.Clone(d.subscriptions), isOther)
}

// linksOf returns those of the links whose streams can have rows of a scope.
func (d *data) linksOf(scope *model.Scope, links []model.Link) []model.Link {
	if scope.Equal(d.judged.followed) {
		return links
	}
	isOther := func(l model.Link) bool { return !canHaveRowsOf(l.Subscription, scope) }
	return slices.DeleteFunc(slices.Clone(links), isOther)
}

// includes reports whether everything in one scope is also in the wider one.
func includes(wider, narrower model.Scope) bool {
	within := func(narrower, wider []model.ID) bool {
		outside := func(id model.ID) bool { return !slices.Contains(wider, id) }
		return len(wider) == 0 || len(narrower) > 0 && !slices.ContainsFunc(narrower, outside)
	}
	return within(narrower.Parties, wider.Parties) && within(narrower.Markets, wider.Markets)
}

// subscribed reports whether a subscription is still watched.
func (d *data) subscribed(s model.Subscription) bool { return slices.Contains(d.subscriptions, s) }

// watchedLinks returns the links of the streams that are watched. A Delta that was under way when the scope changed has
// others too.
func (d *data) watchedLinks(links []model.Link) []model.Link {
	isOf := func(link model.Link, s model.Subscription) bool { return link.Subscription == s }
	if slices.EqualFunc(links, d.subscriptions, isOf) { // as nearly always: scopes can have many streams
		return links
	}
	return slices.DeleteFunc(slices.Clone(links), func(link model.Link) bool { return !d.subscribed(link.Subscription) })
}

// subscribedSnapshots returns the snapshots of subscriptions that are still watched.
func (d *data) subscribedSnapshots() []book.Snapshot {
	return slices.DeleteFunc(slices.Clone(d.snapshots), func(s book.Snapshot) bool { return !d.subscribed(s.Subscription) })
}
