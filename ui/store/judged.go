package store

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// The rules watch the scope of the start, whatever scope is shown. While a rule is on, the streams of both are open,
// and the margin levels of both are read. A shown scope that is a part of that of the start opens and closes nothing:
// its view has fewer rows of the same book.

// judged are the rows that the rules watch.
type judged struct {
	alerts   *view.Alerts
	start    model.Scope // of these rows
	followed model.Scope // whose streams are open: see followedFor
	was      bool        // what isJudged has returned when the streams were last chosen
	wide     *view.View  // of these rows; nil if the view that is shown has them, or if none are watched
	at       time.Time   // when they are matched with the rules, by the clock of the service
}

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

// NotJudged returns what the first line says if the rules do not watch all rows of the scope; empty if they do, or if
// no rule is on.
func (a *Alerts) NotJudged() string {
	d := &a.of.data
	isOn := func(r alerts.Rule) bool { return !r.IsOff }
	switch {
	case !slices.ContainsFunc(a.all, isOn) || includes(d.judged.start, d.scope):
		return ""
	case d.judged.alerts.AreOn() && !d.isJudged():
		return "alerts wait"
	case haveCommon(d.judged.start.Parties, d.scope.Parties) && haveCommon(d.judged.start.Markets, d.scope.Markets):
		return "not all judged by alerts"
	}
	return "not judged by alerts"
}

// NewFilter returns the filter of a new rule: the one that is on, and the scope if it is another than at the start.
func (a *Alerts) NewFilter(shown view.Settings) string {
	start, in := &a.of.data.judged.start, a.of.data.instruments
	var terms []string
	if parties := shown.Scope.Parties; len(parties) > 0 && !slices.Equal(parties, start.Parties) {
		terms = append(terms, filter.OfParties(in, parties...))
	}
	if markets := shown.Scope.Markets; len(markets) > 0 && !slices.Equal(markets, start.Markets) {
		terms = append(terms, filter.OfMarkets(in, markets...))
	}
	if shown.Filter != "" {
		terms = append(terms, shown.Filter)
	}
	return strings.Join(terms, " ")
}

// haveCommon reports whether two lists of identifiers, of which an empty one means all, have any in common.
func haveCommon(a, b []model.ID) bool {
	isInB := func(id model.ID) bool { return slices.Contains(b, id) }
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, isInB)
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
		s.alerts.watched.Unwatch()
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
