package watch

import (
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// ObserveEvents calls found for each event of a position in scope from now on, once: see event.Finder.
func (w *Watch) ObserveEvents(found func(event.Event)) {
	w.found = found
	w.changed = func(before, after *model.Position, source book.ChangeSource) {
		if !w.Scope.Covers(book.ChangedKey(before, after)) {
			return
		}
		e, isEvent, missed := w.finder.Find(before, after, source, &w.arrival)
		if isEvent {
			found(e)
		}
		if missed {
			w.missed++
		}
	}
	w.book.Observe(w.changed)
}

// settleEvents finds the events of rows that can be used again.
func (w *Watch) settleEvents() {
	for w.found != nil && w.finder.CompareKept(w.book, &w.arrival, w.found) {
	}
}
