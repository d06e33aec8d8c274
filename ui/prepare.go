package ui

import (
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// patience is how long a view may be prepared before the screen says so: a few frames.
const patience = 100 * time.Millisecond

// data is what the table shows and what is being prepared to take its place.
//
// A snapshot or a change of scope, filter or order makes a new view. That costs as much as a sort, so a command does
// it, from a book that nobody changes meanwhile, and the view takes the old one's place when it is whole.
type data struct {
	scope         model.Scope
	subscriptions []model.Subscription
	epoch         uint64
	instruments   *model.Instruments
	known         *model.Instruments // what views go by: without what was learnt only lately
	filter        model.Filter
	order         model.Order

	view      *model.View      // what the screen shows
	book      *model.Book      // what is known; the view's book, unless the view was cleared
	snapshots []model.Snapshot // not yet in the book

	corrections map[model.Subscription]int // how many rows audits corrected
	corrected   []correction               // the latest of them, at most correctionsKept
	uncompared  []model.AuditPage          // pages of audits that are not applied to the end yet

	seen seen // for who chooses another scope

	preparing bool // a command is reading the book: nothing may change it
	since     time.Time
	relearnAt time.Time // when a view may be made for what was learnt, at the earliest
	rescoped  bool      // the book may have rows that are not in the scope
	cleared   bool      // the view shows nothing because its rows are not those of the scope
	again     bool      // what is being prepared is no longer all that is wanted
}

// newData is no positions yet, of the scope that the options name.
func newData(options *Options) data {
	d := data{
		scope:       options.Scope,
		instruments: options.Instruments,
		known:       options.Instruments,
		filter:      model.Filter{Text: options.Filter, ShowClosed: options.ShowClosed},
		order:       options.Order,
		book:        model.NewBook(options.Rows),
		corrections: make(map[model.Subscription]int),
	}
	d.subscriptions = d.scope.Subscriptions(nil, d.epoch)
	d.view = d.viewOf(d.book)
	return d
}

func (d *data) viewOf(book *model.Book) *model.View {
	return model.NewView(book, d.scope, d.filter, d.order, d.known)
}

// preparedMsg hands over a view, whole.
type preparedMsg struct{ view *model.View }

// correction is a row that an audit found wrong, and when.
type correction struct {
	model.Correction
	at time.Time
}

// correctionsKept is how many corrections can be looked up.
const correctionsKept = 500

// slowMsg comes when a view takes long enough to be worth a word.
type slowMsg struct{}

// prepare has a view made of what is wanted now. One is made at a time, so none can overtake another: while one is
// being made, what is wanted waits its turn.
func (d *data) prepare(now time.Time) tea.Cmd {
	if d.preparing {
		d.again = true
		return nil
	}
	d.preparing, d.again, d.since = true, false, now
	if !d.isSorted() {
		d.known = d.instruments
	}
	wanted := *d
	d.snapshots, d.rescoped = nil, false
	work := func() tea.Msg { return preparedMsg{wanted.prepared()} }
	return tea.Batch(work, tea.Tick(patience, func(time.Time) tea.Msg { return slowMsg{} }))
}

// isSorted tells whether the view that there is has the rows that are wanted in the order that is wanted: then only the
// filter can be another.
func (d *data) isSorted() bool {
	same := !d.rescoped && len(d.snapshots) == 0 && d.view.Book() == d.book
	return same && d.view.Order == d.order && d.view.Instruments() == d.known
}

// prepared is the view that d wants, of the book that d has. It changes nothing.
func (d *data) prepared() *model.View {
	if d.isSorted() {
		return d.view.Refiltered(d.filter)
	}
	book := d.book.Narrowed(d.subscriptions)
	for _, s := range d.snapshots {
		if d.subscribed(s.Subscription) {
			book = book.Replaced(s.Subscription, s.Rows)
		}
	}
	return d.viewOf(book)
}

// take puts a prepared view on the screen, and has the next one made if that is no longer what is wanted.
func (d *data) take(msg preparedMsg, now time.Time) tea.Cmd {
	d.preparing = false
	d.book = msg.view.Book()
	if !d.again || !d.cleared {
		d.view, d.cleared = msg.view, false
	}
	d.relearnAt = later(d.relearnAt, now.Add(min(50*now.Sub(d.since), relearnWithin)))
	if d.again {
		return d.prepare(now)
	}
	return d.relearn(now)
}

// relearnWithin is how long what was learnt waits at most. A view that seemed to take very long was stopped with the program.
const relearnWithin = 2 * time.Minute

// relearn has a view made of what was learnt of markets. That can be something new at each step of the cursor, so
// where a view takes long it waits: no more than a fiftieth of the time goes into it.
func (d *data) relearn(now time.Time) tea.Cmd {
	if d.known == d.instruments || d.preparing || now.Before(d.relearnAt) {
		return nil
	}
	d.known = d.instruments
	return d.prepare(now)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// watch changes the scope. Rows that are not in it go at once.
func (d *data) watch(scope model.Scope, now time.Time) tea.Cmd {
	before, scopeBefore := d.subscriptions, d.scope
	d.seen.look(d.book)
	d.scope, d.rescoped = scope, true
	d.epoch++
	d.subscriptions = scope.Subscriptions(before, d.epoch)
	dropped := func(s model.Subscription) bool { return !d.subscribed(s) }
	if slices.ContainsFunc(before, dropped) || !widens(scopeBefore, scope) {
		d.cleared = true
		d.view = d.viewOf(model.NewBook(0))
	}
	return d.prepare(now)
}

// widens reports whether all that is in the scope before is in the scope after.
func widens(before, after model.Scope) bool {
	within := func(before, after []model.ID) bool {
		outside := func(id model.ID) bool { return !slices.Contains(after, id) }
		return len(after) == 0 || len(before) > 0 && !slices.ContainsFunc(before, outside)
	}
	return within(before.Parties, after.Parties) && within(before.Markets, after.Markets)
}

// subscribed tells whether what comes for the subscription is wanted.
func (d *data) subscribed(s model.Subscription) bool { return slices.Contains(d.subscriptions, s) }

// merge applies updates. No view may be in preparation.
func (d *data) merge(updates []model.Updates) {
	for i := range updates {
		if d.subscribed(updates[i].Subscription) {
			d.view.Merge(&updates[i])
		}
	}
}

// compare applies pages of audits and returns what was wrong. Where that is much, a part of it waits. No view may be in
// preparation.
func (d *data) compare(pages []model.AuditPage, now time.Time) []correction {
	var corrected []correction
	d.uncompared = nil
	for i := range pages {
		if !d.subscribed(pages[i].Subscription) {
			continue
		}
		rows, more := d.view.Compare(&pages[i])
		for _, c := range rows {
			corrected = append(corrected, correction{c, now})
			d.corrections[c.Subscription]++
		}
		if more {
			rest := pages[i]
			rest.First, rest.Positions = false, nil
			d.uncompared = append(d.uncompared, rest)
		}
	}
	d.corrected = append(d.corrected, corrected...)
	d.corrected = d.corrected[max(0, len(d.corrected)-correctionsKept):]
	return corrected
}

// slow tells whether a view has been in preparation for long.
func (d *data) slow(now time.Time) bool { return d.preparing && now.Sub(d.since) >= patience }

// seenRows and seenKept bound the search for identifiers.
const (
	seenRows = 20_000
	seenKept = 1_000
)

// seen are identifiers that positions named, also before the scope became what it is.
type seen struct{ parties, markets map[model.ID]bool }

// look adds the identifiers that the book's positions name.
func (s *seen) look(book *model.Book) {
	if s.parties == nil {
		s.parties, s.markets = make(map[model.ID]bool), make(map[model.ID]bool)
	}
	rows := 0
	for p := range book.All {
		if len(s.parties) < seenKept {
			s.parties[p.Party] = true
		}
		if len(s.markets) < seenKept {
			s.markets[p.Market] = true
		}
		if rows++; rows == seenRows {
			return
		}
	}
}

// inOrder are identifiers in the order of their text.
func inOrder(ids map[model.ID]bool) []model.ID {
	return slices.SortedFunc(maps.Keys(ids), model.ID.Compare)
}
