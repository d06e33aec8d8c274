package watch

import (
	"blotter/model/book"
	"blotter/model/event"
)

// ObserveEvents calls found for each event of a position in scope from now on, once: see event.Finder.
func (w *Watch) ObserveEvents(found func(event.Event)) { w.found = found }

// note passes on the event of a change, if there is one.
func (w *Watch) note(c *book.Change) {
	if c.Source == book.NoEvent || !w.Scope.Covers(c.Key()) {
		return
	}
	e, isEvent, missed := w.finder.Find(c.Before, c.After, c.Source, &w.arrival)
	if isEvent {
		w.found(e)
	}
	if missed {
		w.missed++
	}
}

// settleEvents finds the events of rows that can be used again.
func (w *Watch) settleEvents() {
	for w.found != nil && w.finder.CompareKept(w.book, &w.arrival, w.found) {
	}
}
