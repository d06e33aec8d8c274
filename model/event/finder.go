package event

import (
	"maps"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Finder finds the events of changes, each once.
//
// A row of a node that is behind by so much that it may be out of date makes no event, nor does a row that goes back in
// time while its node is behind. The state before such a change is kept, and compared with the next state that can be
// used: so an older node shows no position open that was closed before, and not that it is closed again. The zero
// Finder is ready for use.
type Finder struct {
	kept map[model.Subscription]keptStates
}

// keptStates are the last usable states of the rows of a subscription that have changed since.
type keptStates struct {
	states map[model.Key]keptState
	isFull bool // some states were not kept: changes of other rows are not compared with a usable state
}

// keptState is a state with its time; isAbsent if there was no position.
type keptState struct {
	state    Event // as its state after
	isAbsent bool
}

// maxKept is how many states of a subscription are kept. They take 15 MB.
const maxKept = 100_000

// Change is a change of a row.
type Change struct {
	Before, After *model.Position // nil if there is no position
	Source        book.ChangeSource
	Link          *model.Link // of the subscription, with the change; nil if it is not known, and the row can be used
	Seen          time.Time   // by the clock of the service
}

// IsIdle reports whether no state is kept. Then a change of a row that can be used is an event by itself: see New.
func (f *Finder) IsIdle() bool { return len(f.kept) == 0 }

// Clone returns a copy.
func (f *Finder) Clone() *Finder {
	clone := &Finder{maps.Clone(f.kept)}
	for of, kept := range clone.kept {
		kept.states = maps.Clone(kept.states)
		clone.kept[of] = kept
	}
	return clone
}

// Find returns the event of a change at now, by the clock of the links, and false if it is none. missed is true if
// there may be an event that cannot be known.
func (f *Finder) Find(c *Change, now time.Time) (e Event, isEvent, missed bool) {
	if c.Link == nil {
		e, isEvent = New(c.Before, c.After, c.Source, c.Seen)
		return e, isEvent, false
	}
	key, kept := book.ChangedKey(c.Before, c.After), f.kept[c.Link.Subscription]
	before := c.Before
	state, isKept := kept.states[key]
	if isKept {
		before = state.position()
	}
	if !c.isUsable(before, now) {
		if !isKept {
			f.keep(c.Link.Subscription, key, c.Before)
		}
		return Event{}, false, false
	}
	if isKept {
		f.drop(c.Link.Subscription, key)
	}
	if before == nil && c.After == nil {
		return Event{}, false, false
	}
	e, isEvent = New(before, c.After, c.Source, c.Seen)
	if kept.isFull && !isKept {
		return Event{}, false, isEvent
	}
	return e, isEvent, false
}

// isUsable reports whether the state after a change can be used, if before is the last one that could. A row that a
// stream has sent before it ended was current when it came.
func (c *Change) isUsable(before *model.Position, now time.Time) bool {
	switch {
	case c.Link.Behind(now) == 0:
		return true
	case c.Link.MayBeOutOfDate(now):
		return false
	case c.After == nil || before == nil:
		return c.After != nil
	}
	return c.After.IsNotOlder(before, c.Seen.Add(model.AheadFor).UnixNano())
}

// keep keeps a state, nil if there was no position.
func (f *Finder) keep(of model.Subscription, key model.Key, p *model.Position) {
	kept := f.kept[of]
	if kept.states == nil {
		kept.states = make(map[model.Key]keptState)
	}
	if len(kept.states) < maxKept {
		state := keptState{isAbsent: p == nil}
		if p != nil {
			state.state.Key = p.Key
			state.state.setState(1, p)
			state.state.updatedAt, _ = p.Number(model.UpdatedAt).Int64()
		}
		kept.states[key] = state
	} else {
		kept.isFull = true
	}
	if f.kept == nil {
		f.kept = make(map[model.Subscription]keptStates)
	}
	f.kept[of] = kept
}

// drop drops a state.
func (f *Finder) drop(of model.Subscription, key model.Key) {
	kept := f.kept[of]
	if delete(kept.states, key); len(kept.states) == 0 && !kept.isFull {
		delete(f.kept, of)
	}
}

// position returns the state as a position; nil if there was none.
func (s *keptState) position() *model.Position {
	if s.isAbsent {
		return nil
	}
	p := s.state.PositionAfter()
	return &p
}

// settledAtOnce is how many states one call of Settle compares.
const settledAtOnce = 2000

// Settle compares the states that are kept with the rows of a book, if the rows of their subscription can be used
// again, and calls found with each event. It reports whether it must be called again at once: it compares so many at
// most that keys are still handled. Subscriptions without a link are dropped.
func (f *Finder) Settle(links []model.Link, b *book.Book, seen, now time.Time, found func(Event)) (more bool) {
	if f.IsIdle() {
		return false
	}
	current := make(map[model.Subscription]bool, len(links))
	for i := range links {
		link := &links[i]
		current[link.Subscription] = !link.MayBeOutOfDate(now) && link.Behind(now) == 0
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
			if compared++; compared > settledAtOnce {
				return true
			}
			delete(kept.states, key)
			if e, ok := settled(&state, key, b, seen); ok {
				found(e)
			}
		}
		delete(f.kept, of)
	}
	return false
}

// settled returns the event between a state that was kept and the row of now.
func settled(state *keptState, key model.Key, b *book.Book, seen time.Time) (Event, bool) {
	var after *model.Position
	if p, ok := b.Find(key); ok {
		after = &p
	}
	before := state.position()
	if before == nil && after == nil {
		return Event{}, false
	}
	return New(before, after, book.ChangedBySnapshot, seen)
}
