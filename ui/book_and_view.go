package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

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

	preparing      bool // a command is reading the book: nothing may change it
	since          time.Time
	applyLearnedAt time.Time // when a view may be made for what was learnt, at the earliest
	rescoped       bool      // the book may have rows that are not in the scope
	cleared        bool      // the view shows nothing because its rows are not those of the scope
	again          bool      // what is being prepared is no longer all that is wanted
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

// watch changes the scope. Rows that are not in it go at once.
func (d *data) watch(scope model.Scope, now time.Time) tea.Cmd {
	before, scopeBefore := d.subscriptions, d.scope
	d.seen.collect(d.book)
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

// correction is a row that an audit found wrong, and when.
type correction struct {
	model.Correction
	at time.Time
}

// correctionsKept is how many corrections can be looked up.
const correctionsKept = 500

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

// reportCorrections names what audits corrected, on the screen and in the log.
func (m *Model) reportCorrections(corrected []correction) tea.Cmd {
	if len(corrected) == 0 {
		return nil
	}
	words, log := m.correctionWords(corrected), m.options.Log
	m.notify(words)
	return func() tea.Msg {
		log.Warn(words)
		return nil
	}
}

// correctionWords name what audits corrected: a few rows one by one.
func (m *Model) correctionWords(corrected []correction) string {
	const named = 3
	var names []string
	for _, c := range corrected[:min(len(corrected), named)] {
		key := c.Key()
		names = append(names, m.format.market(key.Market)+" "+m.format.party(key.Party))
	}
	words := "Audit corrected " + counted(len(corrected), "row") + ": " + strings.Join(names, ", ")
	if len(corrected) > named {
		words += ", …"
	}
	return words
}
