package view

import (
	"slices"
	"sort"

	"blotter/model/event"
	"blotter/model/filter"
)

// Events is the events of a log that match a filter, the newest first. Update brings it up to date with the log.
type Events struct {
	log     *event.Log
	query   *filter.Query
	context filter.Context
	numbers []uint64 // of the events, the oldest first
	read    uint64   // the number of the newest event that was matched
	most    uint64   // how many events Update matches
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
	dropped, _ := slices.BinarySearch(v.numbers, oldest)
	v.numbers = v.numbers[dropped:]
	from := max(v.read+1, oldest)
	v.read = min(v.log.Count(), from-1+v.most)
	for number := from; number <= v.read; number++ {
		if e, ok := v.log.Numbered(number); ok && v.query.MatchesEvent(e, v.context) {
			v.numbers = append(v.numbers, number)
		}
	}
}

// IsBehind reports whether the log has events that Update has not matched.
func (v *Events) IsBehind() bool { return v.read < v.log.Count() }

// Len returns how many events match.
func (v *Events) Len() int { return len(v.numbers) }

// Key returns the number of the event at a place, from 0 on.
func (v *Events) Key(place int) uint64 { return v.numbers[len(v.numbers)-1-place] }

// Find returns the place of the event with a number, or where it would be, and whether the event is in the view.
func (v *Events) Find(number uint64) (place int, ok bool) {
	place = sort.Search(len(v.numbers), func(place int) bool { return v.Key(place) <= number })
	return place, place < len(v.numbers) && v.Key(place) == number
}

// At returns the event at a place, and false if there is none. It must not be changed.
func (v *Events) At(place int) (*event.Event, bool) {
	if place < 0 || place >= len(v.numbers) {
		return nil, false
	}
	return v.log.Numbered(v.Key(place))
}

// Log returns the log.
func (v *Events) Log() *event.Log { return v.log }

// Context returns what the events are matched with.
func (v *Events) Context() filter.Context { return v.context }

// Query returns the query.
func (v *Events) Query() *filter.Query { return v.query }
