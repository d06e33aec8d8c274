// Package events is the page of events: the events of a log that match a filter, the newest first, and a cursor. It
// draws the page and the latest events. It uses the logs and views of package model; it does not depend on how events
// are found.
package events

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/table"
)

// Page is the page of the events of a log.
type Page struct {
	since             time.Time // when the log began
	list              *matched  // what is shown; nil while the page is closed
	next              *matched  // what is shown when all events are matched; nil if that is the list
	pane.Rows[uint64]           // the cursor stays on the newest event until it is moved
	widths            table.Widths
}

// matched is the events that match a filter.
type matched struct {
	*view.Events
	filter string
}

// New returns a page of events, which has them from now on. The page is closed.
func New(now time.Time) *Page {
	p := &Page{since: now}
	p.Rows = pane.NewSteadyRows(func() pane.Source[uint64] { return p.list })
	return p
}

// Open opens the page of a log with the cursor on the newest event.
func (p *Page) Open(log *event.Log, context filter.Context) {
	p.list, p.next = match(log, "", context), nil
	p.list.Update()
	p.First()
}

// Close closes the page and clears its filter.
func (p *Page) Close() { p.list, p.next = nil, nil }

// Filter returns the text that narrows the list; empty if it matches all events.
func (p *Page) Filter() string {
	if latest := cmp.Or(p.next, p.list); latest != nil {
		return latest.filter
	}
	return ""
}

// SetFilter narrows the list to the events that match a text, when all are matched.
func (p *Page) SetFilter(text string, context filter.Context) {
	if p.Filter() != text {
		p.next = match(cmp.Or(p.next, p.list).Log(), text, context)
	}
}

// match returns a list of which nothing is matched yet.
func match(log *event.Log, text string, context filter.Context) *matched {
	query, _ := filter.ParseEvents(text) // no query, if it is refused
	return &matched{view.NewEvents(log, query, context), text}
}

// follow brings the list and its cursor up to date with a log, on a screen with room for the given number of events. A
// log may replace another one: the time since when the page has events stays. At a tick the events are matched again if
// the result may have changed: because of ages, or of names that were learned.
func (p *Page) follow(log *event.Log, context filter.Context, isTick bool, room int) {
	isOld := isTick && p.next == nil && (p.list.Query().UsesTime() || p.list.Context().Instruments != context.Instruments)
	if cmp.Or(p.next, p.list).Log() != log || isOld {
		p.next = match(log, p.Filter(), context)
	}
	p.list.Update()
	if p.next != nil {
		if p.next.Update(); !p.next.IsBehind() {
			p.list, p.next = p.next, nil
			p.Seek()
		}
	}
	p.Fit(room)
}

// goOnMsg comes while not all events are matched: no message matches more than some.
type goOnMsg struct{}

// GoOn returns the command for the next message if not all events are matched; nil if they are.
func (p *Page) GoOn() tea.Cmd {
	if p.list == nil || p.next == nil && !p.list.IsBehind() {
		return nil
	}
	return func() tea.Msg { return goOnMsg{} }
}

// Selected returns the first event of the line under the cursor, and how many share the line; 0 if there is none.
func (p *Page) Selected() (first *event.Event, events int) {
	if p.list == nil {
		return nil, 0
	}
	return p.list.At(p.Place())
}

// Len returns how many events are listed.
func (p *Page) Len() int { return p.list.Count() }

// Listed returns how many events are listed, and of how many.
func (p *Page) Listed() string {
	words := format.Counted(p.Len(), "event")
	if p.list.filter != "" {
		words += " of " + format.Grouped(p.list.Log().Len())
	}
	return words
}
