// Package events is the page of events: the events of a log that match a filter, the newest first, and a cursor. It
// draws the page and the latest events. It uses the logs and views of package model; it does not depend on how events
// are found.
package events

import (
	"time"

	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/table"
	"blotter/ui/wording"
)

// Page is the page of the events of a log.
type Page struct {
	log               *event.Log
	since             time.Time    // when the log began
	list              *view.Events // nil while the page is closed
	pane.Rows[uint64]              // the cursor stays on the newest event until it is moved
	filter            string
	widths            table.Widths
}

// New returns a page of a log, which begins now. The page is closed.
func New(log *event.Log, now time.Time) *Page {
	p := &Page{log: log, since: now}
	p.Rows = pane.NewSteadyRows(func() pane.Source[uint64] { return p.list })
	return p
}

// Open opens the page of a log with the cursor on the newest event.
func (p *Page) Open(log *event.Log, context filter.Context) {
	p.log = log
	p.match(context)
	p.First()
}

// Close closes the page and clears its filter.
func (p *Page) Close() { p.list, p.filter = nil, "" }

// Filter returns the text that narrows the list; empty if it matches all events.
func (p *Page) Filter() string { return p.filter }

// SetFilter narrows the list to the events that match a text.
func (p *Page) SetFilter(text string, context filter.Context) {
	if p.filter != text {
		p.filter = text
		p.match(context)
	}
}

// match makes the list.
func (p *Page) match(context filter.Context) {
	query, _ := filter.ParseEvents(p.filter) // no query, if it is refused
	p.list = view.NewEvents(p.log, query, context)
}

// follow brings the list and its cursor up to date with a log, on a screen with room for so many events. A log may
// replace another one: the time since when the page has events stays. At a tick the events are matched again if the
// result may have changed: because of ages, or of names that were learned.
func (p *Page) follow(log *event.Log, context filter.Context, isTick bool, room int) {
	isOld := isTick && (p.list.Query().UsesTime() || p.list.Context().Instruments != context.Instruments)
	if p.log != log || isOld {
		p.log = log
		p.match(context)
	}
	p.list.Update()
	p.Fit(room)
}

// Selected returns the event under the cursor, nil if there is none.
func (p *Page) Selected() *event.Event {
	if p.list == nil {
		return nil
	}
	selected, _ := p.list.At(p.Place())
	return selected
}

// Len returns how many events are listed.
func (p *Page) Len() int { return p.list.Len() }

// Listed returns how many events are listed, and of how many.
func (p *Page) Listed() string {
	words := wording.Counted(p.list.Len(), "event")
	if p.filter != "" {
		words += " of " + format.Grouped(p.log.Len())
	}
	return words
}
