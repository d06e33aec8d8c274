package model

import (
	"strings"
	"time"
)

// EventKinds are the kinds of an event, as a set: one update can close a position and change its status.
type EventKinds uint8

// The kinds of events.
const (
	EventOpened EventKinds = 1 << iota
	EventClosed
	EventFlipped        // from long to short or from short to long
	EventGrown          // the same side, and a larger size
	EventReduced        // the same side, and a smaller size that is not 0
	EventStatus         // another status
	EventLossSocialised // another loss socialisation amount that is not 0
	EventRemoved        // the service no longer has the position, which was open
)

// eventKindNames are the names in filters and exports, in the order of the kinds.
var eventKindNames = [...]string{"opened", "closed", "flipped", "grown", "reduced", "status", "loss", "removed"}

// EventKindNames returns the names of all kinds, in their order.
func EventKindNames() []string { return eventKindNames[:] }

// Names returns the names of the kinds.
func (k EventKinds) Names() []string {
	var names []string
	for i, name := range eventKindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Event is a change of a position in size, status or loss socialisation. It has 120 bytes; texts of the service that
// are no numbers are on the heap. Texts that are longer than any real one are cut, also identifiers.
type Event struct {
	Key
	sizes     [2]packed // before and after
	losses    [2]packed
	updatedAt int64 // in nanoseconds since the Unix epoch; 0 where the service sent no time
	seenAt    int64
	texts     *[2]eventTexts // of what is not packed; nil where all is
	statuses  [2]Status
	Kinds     EventKinds
	Source    ChangeSource
}

// eventTexts are the texts of one state of a position that are not packed.
type eventTexts struct{ size, loss, status string }

// EventState is the state of a position before or after an event.
type EventState struct {
	Size           Amount
	LossSocialised Amount
	Status         Status
	StatusName     string // as the service sends it
}

// StatusWords returns the status for the screen, and an empty text for an unspecified one.
func (s *EventState) StatusWords() string {
	if s.StatusName == StatusUnspecified.name(nil) {
		return ""
	}
	return statusWords(s.StatusName)
}

// NewEvent returns the event of a change that was seen at a time by the clock of the service, and false where the
// change is no event. before is nil for a new position, and after for a removed one.
func NewEvent(before, after *Position, source ChangeSource, seen time.Time) (Event, bool) {
	if before != nil && after != nil && before.HasSameHolding(after) {
		return Event{}, false
	}
	kinds := eventKinds(before, after)
	if kinds == 0 {
		return Event{}, false
	}
	e := Event{Kinds: kinds, Source: source, seenAt: seen.UnixNano()}
	for i, p := range [...]*Position{before, after} {
		if p != nil {
			e.Key = Key{eventID(p.Party), eventID(p.Market)}
			e.setState(i, p)
		}
	}
	if after != nil {
		e.updatedAt, _ = after.Number(UpdatedAt).Int64()
	}
	return e, true
}

func eventKinds(before, after *Position) (kinds EventKinds) {
	var none Position
	if after == nil {
		if before.IsOpen() {
			kinds = EventRemoved
		}
		return kinds
	}
	if before == nil {
		before = &none
	}
	was, is := before.Number(OpenVolume), after.Number(OpenVolume)
	switch grows := is.Compare(was) * is.Sign(); {
	case was.Sign() == 0 && is.Sign() != 0:
		kinds = EventOpened
	case was.Sign() != 0 && is.Sign() == 0:
		kinds = EventClosed
	case was.Sign() != is.Sign():
		kinds = EventFlipped
	case grows > 0:
		kinds = EventGrown
	case grows < 0:
		kinds = EventReduced
	}
	if before.StatusName() != after.StatusName() {
		kinds |= EventStatus
	}
	loss := after.Number(LossSocialisationAmount)
	if !loss.IsZero() && loss != before.Number(LossSocialisationAmount) {
		kinds |= EventLossSocialised
	}
	return kinds
}

// maxEventText is how many bytes of a text an event keeps. The service may send a text of any length, and events are
// kept long after their positions have changed.
const maxEventText = MaxDigits + 1

// setState sets the state before (0) or after (1).
func (e *Event) setState(i int, p *Position) {
	size, loss, status := p.Number(OpenVolume), p.Number(LossSocialisationAmount), p.Status()
	e.sizes[i], e.losses[i], e.statuses[i] = size.packed(), loss.packed(), status
	if !e.sizes[i].isText() && !e.losses[i].isText() && !status.isText() {
		return
	}
	if e.texts == nil {
		e.texts = new([2]eventTexts)
	}
	if e.sizes[i].isText() {
		e.texts[i].size = eventText(size.String())
	}
	if e.losses[i].isText() {
		e.texts[i].loss = eventText(loss.String())
	}
	if status.isText() {
		e.texts[i].status = eventText(p.StatusName())
	}
}

// eventID returns an identifier, cut where it is longer than any real one.
func eventID(id ID) ID {
	if text := id.String(); len(text) > maxEventText {
		return MakeID(eventText(text))
	}
	return id
}

func eventText(text string) string {
	if len(text) <= maxEventText {
		return text
	}
	return strings.ToValidUTF8(text[:maxEventText], "") + "…"
}

// Before returns the state before the event. A new position had size 0 and no status.
func (e *Event) Before() EventState { return e.state(0) }

// After returns the state after the event: size 0 and no status where the position is gone.
func (e *Event) After() EventState { return e.state(1) }

func (e *Event) state(i int) EventState {
	p := e.position(i)
	return EventState{p.Number(OpenVolume), p.Number(LossSocialisationAmount), p.Status(), p.StatusName()}
}

// positionAfter returns the position after the event, as far as the event keeps it.
func (e *Event) positionAfter() Position { return e.position(1) }

// position returns the state before (0) or after (1) as a position.
func (e *Event) position(i int) Position {
	p := Position{Key: e.Key}
	numbers := p.packedNumbers()
	numbers[OpenVolume], numbers[LossSocialisationAmount] = e.sizes[i], e.losses[i]
	p.SetNumber(UpdatedAt, AmountOf(e.updatedAt))
	var used *texts
	if e.texts != nil {
		t := &e.texts[i]
		used = &texts{status: t.status}
		used.numbers[OpenVolume], used.numbers[LossSocialisationAmount] = t.size, t.loss
	}
	p.restore(e.statuses[i], used)
	return p
}

// UpdatedAt returns the time of the position after the event, and false where the service sent none.
func (e *Event) UpdatedAt() (time.Time, bool) { return AmountOf(e.updatedAt).Time() }

// SeenAt returns when the change reached the table, by the clock of the service.
func (e *Event) SeenAt() time.Time { return time.Unix(0, e.seenAt) }

// At returns when the event happened. Where only a comparison has shown it, or the service sent no time or one that is
// ahead of its clock, that is when it was seen, and exact is false: it happened at some time before.
func (e *Event) At() (at time.Time, exact bool) {
	updated, ok := e.UpdatedAt()
	if ok && e.Source == ChangedByUpdate && updated.Sub(e.SeenAt()) <= AheadFor {
		return updated, true
	}
	return e.SeenAt(), false
}
