package view

import (
	"iter"
	"slices"
	"sort"
	"time"

	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
)

// Events is the events of a log that match a filter, in lines, the newest first. Each event has a line, but many
// corrections of one audit share one. Update brings it up to date with the log.
type Events struct {
	log     *event.Log
	query   *filter.Query
	context filter.Context
	numbers []uint64 // of the events, the oldest first
	lines   []uint64 // of the first event of each line
	run     int      // how many of the newest events are corrections of one audit
	read    uint64   // the number of the newest event that was matched
	most    uint64   // how many events Update matches
}

// sharedFrom returns how many corrections of one audit share a line, or more: of positions that are gone three, because
// together they are probably a fault of the service.
func sharedFrom(e *event.Event) int {
	if e.Kinds&event.Removed != 0 {
		return 3
	}
	return 10
}

// maxCompared is how many conditions Update compares with events. That takes a few milliseconds.
const maxCompared = 5000

// NewEvents returns the events of a log that match a query of filter.ParseEvents: none until Update is called.
func NewEvents(log *event.Log, query *filter.Query, context filter.Context) *Events {
	v := &Events{log: log, query: query, context: context, most: event.MaxEvents}
	conditions := 0
	for _, term := range query.Terms() {
		conditions += len(term.Any)
	}
	if conditions > 0 {
		v.most = uint64(max(maxCompared/conditions, 1))
	}
	return v
}

// Update adds the events that were added to the log, and removes those that the log has dropped. If there are many new
// ones, it adds only the first of them, and IsBehind is true.
func (v *Events) Update() {
	oldest := v.log.Oldest()
	v.numbers, v.lines = from(v.numbers, oldest), from(v.lines, oldest)
	first := max(v.read+1, oldest)
	v.read = min(v.log.Count(), first-1+v.most)
	for number := first; number <= v.read; number++ {
		if e, ok := v.log.Numbered(number); ok && v.query.MatchesEvent(e, v.context) {
			v.add(number, e)
		}
	}
}

// from returns those of some numbers in order that are not less than the first.
func from(numbers []uint64, first uint64) []uint64 {
	at, _ := slices.BinarySearch(numbers, first)
	return numbers[at:]
}

// add adds an event that matches.
func (v *Events) add(number uint64, e *event.Event) {
	if v.run++; !v.goesOn(e) {
		v.run = 1
	}
	v.numbers = append(v.numbers, number)
	switch shared := sharedFrom(e); {
	case v.run < shared:
		v.lines = append(v.lines, number)
	case v.run == shared: // the others before it have a line each
		v.lines = v.lines[:max(len(v.lines)-shared+2, 0)]
	}
}

// goesOn reports whether an event is a correction of the same audit as the newest event that matches, and both
// positions are gone or neither is.
func (v *Events) goesOn(e *event.Event) bool {
	if len(v.numbers) == 0 || e.Source != book.ChangedByAudit {
		return false
	}
	last, ok := v.log.Numbered(v.numbers[len(v.numbers)-1])
	return ok && last.Source == book.ChangedByAudit && (e.Kinds^last.Kinds)&event.Removed == 0 &&
		e.SeenAt().Sub(last.SeenAt()) < time.Second
}

// IsBehind reports whether the log has events that Update has not matched.
func (v *Events) IsBehind() bool { return v.read < v.log.Count() }

// Count returns how many events match.
func (v *Events) Count() int { return len(v.numbers) }

// Len returns how many lines they have.
func (v *Events) Len() int { return len(v.lines) }

// Key returns the number of the first event of the line at a place, from 0 on.
func (v *Events) Key(place int) uint64 { return v.lines[len(v.lines)-1-place] }

// Find returns the place of the line that begins with the event with a number, or where it would be, and whether there
// is one.
func (v *Events) Find(number uint64) (place int, ok bool) {
	place = sort.Search(len(v.lines), func(place int) bool { return v.Key(place) <= number })
	return place, place < len(v.lines) && v.Key(place) == number
}

// At returns the first event of the line at a place, and how many share the line; 0 if there is no line.
func (v *Events) At(place int) (first *event.Event, events int) {
	if place < 0 || place >= len(v.lines) {
		return nil, 0
	}
	first, _ = v.log.Numbered(v.Key(place))
	return first, len(v.of(place))
}

// Of yields the events of the line at a place, the first one first. They must not be changed.
func (v *Events) Of(place int) iter.Seq[*event.Event] {
	return func(yield func(*event.Event) bool) {
		for _, number := range v.of(place) {
			if e, ok := v.log.Numbered(number); ok && !yield(e) {
				return
			}
		}
	}
}

// of returns the numbers of the events of the line at a place.
func (v *Events) of(place int) []uint64 {
	all := from(v.numbers, v.Key(place))
	if place > 0 {
		all = all[:len(all)-len(from(all, v.Key(place-1)))]
	}
	return all
}

// Log returns the log.
func (v *Events) Log() *event.Log { return v.log }

// Context returns what the events are matched with.
func (v *Events) Context() filter.Context { return v.context }

// Query returns the query.
func (v *Events) Query() *filter.Query { return v.query }
