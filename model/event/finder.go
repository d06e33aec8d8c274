package event

import (
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Finder finds the events of changes, each once.
//
// A change makes no event if the node of the row is so far behind that the row may be out of date, or if the row goes
// back in time while its node is behind. The state before such a change is kept, and compared with the next state that
// can be used. So there is no event if an older node shows a closed position as open, and none when it is closed again.
// The zero Finder is ready for use.
type Finder struct {
	kept map[model.Subscription]keptStates
}

// keptStates are the last usable states of the rows of a subscription that have changed since.
type keptStates struct {
	states map[model.Key]*Event // each is the state after; nil if there was no position
	isFull bool                 // some states were not kept: changes of other rows are not compared with a usable state
}

// maxKept is how many states of a subscription are kept. They take 21 MB.
const maxKept = 100_000

// Arrival is what is known of rows when they reach the table.
type Arrival struct {
	links     []model.Link
	at        time.Time // by the clock of the links
	seen      time.Time // by the clock of the service
	isCurrent bool      // no stream is behind
}

// NewArrival returns what is known of rows that come together with these states of the streams, at a time by the clock
// of the links.
func NewArrival(links []model.Link, at time.Time) Arrival {
	isBehind := func(l model.Link) bool { return l.Behind(at) != 0 }
	return Arrival{links, at, model.ServiceTime(links, at), !slices.ContainsFunc(links, isBehind)}
}

// IsUsable reports whether the rows of a subscription are not out of date.
func (a *Arrival) IsUsable(of model.Subscription) bool {
	link := model.LinkOfSubscription(a.links, of)
	return link == nil || !link.MayBeOutOfDate(a.at)
}

// Seen is the time by the clock of the service.
func (a *Arrival) Seen() time.Time { return a.seen }

// Ahead returns by how much the clock of the service is ahead of that of the links.
func (a *Arrival) Ahead() time.Duration { return a.seen.Sub(a.at) }

// Clone returns a copy.
func (f *Finder) Clone() *Finder {
	clone := &Finder{maps.Clone(f.kept)}
	for of, kept := range clone.kept {
		kept.states = maps.Clone(kept.states)
		clone.kept[of] = kept
	}
	return clone
}

// IsNone reports whether a change is certainly no event, as most updates are. It takes little time.
func (f *Finder) IsNone(before, after *model.Position, a *Arrival) bool {
	return a.isCurrent && len(f.kept) == 0 && NoneBetween(before, after)
}

// Find returns the event of a change, and false if it is none. before is nil for a new position, and after for a
// removed one. missed is true if there may be an event that cannot be known.
func (f *Finder) Find(before, after *model.Position, source book.ChangeSource, a *Arrival) (e Event, isEvent, missed bool) {
	if f.IsNone(before, after, a) {
		return Event{}, false, false
	}
	key := book.ChangedKey(before, after)
	link := model.LinkOf(a.links, key)
	if link == nil { // then the row can be used
		e, isEvent = New(before, after, source, a.seen)
		return e, isEvent, false
	}
	kept, last := f.kept[link.Subscription], before
	state, isKept := kept.states[key]
	if isKept {
		last = stateAfter(state)
	}
	if !a.isUsable(link, last, after) {
		if !isKept {
			f.keep(link.Subscription, key, before)
		}
		return Event{}, false, false
	}
	if isKept {
		f.drop(link.Subscription, key)
	}
	if last == nil && after == nil {
		return Event{}, false, false
	}
	e, isEvent = New(last, after, source, a.seen)
	if kept.isFull && !isKept {
		return Event{}, false, isEvent
	}
	return e, isEvent, false
}

// isUsable reports whether the state after a change can be used, if before is the last one that could. A row that a
// stream has sent before it ended was current when it came.
func (a *Arrival) isUsable(link *model.Link, before, after *model.Position) bool {
	switch {
	case link.Behind(a.at) == 0:
		return true
	case link.MayBeOutOfDate(a.at):
		return false
	case after == nil || before == nil:
		return after != nil
	}
	return after.IsNotOlder(before, a.seen.Add(model.AheadFor).UnixNano())
}

// keep keeps a state, nil if there was no position.
func (f *Finder) keep(of model.Subscription, key model.Key, p *model.Position) {
	kept := f.kept[of]
	if kept.states == nil {
		kept.states = make(map[model.Key]*Event)
	}
	switch {
	case len(kept.states) >= maxKept:
		kept.isFull = true
	case p == nil:
		kept.states[key] = nil
	default:
		kept.states[key] = new(Event)
		kept.states[key].setState(1, p)
	}
	if f.kept == nil {
		f.kept = make(map[model.Subscription]keptStates)
	}
	f.kept[of] = kept
}

func (f *Finder) drop(of model.Subscription, key model.Key) {
	kept := f.kept[of]
	if delete(kept.states, key); len(kept.states) == 0 && !kept.isFull {
		delete(f.kept, of)
	}
}

// stateAfter returns a state that is kept as a position; nil if there was none.
func stateAfter(state *Event) *model.Position {
	if state == nil {
		return nil
	}
	return state.After()
}

// comparedAtOnce is how many states one call of CompareKept compares.
const comparedAtOnce = 2000

// CompareKept compares the states that are kept with the rows of a book, if the rows of their subscription can be used
// again, and calls found with each event. Rows in doubt wait; also all rows, if very many are, or the snapshot has no
// last page and some were not sent. It compares comparedAtOnce states at most, so that the screen can handle keys
// between two calls, and reports whether it must be called again at once. Subscriptions without a link are dropped.
func (f *Finder) CompareKept(b *book.Book, a *Arrival, found func(Event)) (more bool) {
	if len(f.kept) == 0 {
		return false
	}
	current := make(map[model.Subscription]bool, len(a.links))
	for i := range a.links {
		link := &a.links[i]
		canCompare := b.Unsent(link.Subscription) == 0 || !b.IsPartial(link.Subscription) && b.Unsent(link.Subscription) <= comparedAtOnce
		current[link.Subscription] = !link.MayBeOutOfDate(a.at) && link.Behind(a.at) == 0 && canCompare
	}
	compared := 0
	for of, kept := range f.kept {
		isCurrent, isWatched := current[of]
		if !isWatched {
			delete(f.kept, of)
		}
		if !isCurrent {
			continue
		}
		for key, state := range kept.states {
			if b.IsUnsent(key) {
				continue
			}
			if compared++; compared > comparedAtOnce {
				return true
			}
			delete(kept.states, key)
			if e, ok := eventSince(state, key, b, a.seen); ok {
				found(e)
			}
		}
		if kept.isFull = false; len(kept.states) == 0 {
			delete(f.kept, of)
		} else {
			f.kept[of] = kept
		}
	}
	return false
}

// eventSince returns the event between a state that was kept and the row of now.
func eventSince(state *Event, key model.Key, b *book.Book, seen time.Time) (Event, bool) {
	var after *model.Position
	if p, ok := b.Find(key); ok {
		after = &p
	}
	before := stateAfter(state)
	if before == nil && after == nil {
		return Event{}, false
	}
	return New(before, after, book.ChangedBySnapshot, seen)
}
