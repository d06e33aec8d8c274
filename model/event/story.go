package event

import (
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Story is what happens to a position that is in trouble. It begins when the position is distressed, or when the
// service closes it out: when its size becomes smaller together with the status CLOSED_OUT, or after it. It ends when
// the position is flat, or changes its side, or is open and neither distressed nor closed out for WellFor.
type Story struct {
	Number  uint64 // in the log, of its first event
	Key     model.Key
	Alert   uint64 // in the log, of the beginning of the first alert that was active during it; 0 if there is none
	Steps   []Step // the statuses that the position got, the oldest first
	Before  Reference
	IsPart  bool // the service has closed out a part of the position
	Outcome Outcome
	Ended   uint64    // the number of the event with which it ended; 0 while it is under way
	EndedAt time.Time // by the clock of the service
	IsExact bool      // else it ended at some time before
	size    model.Amount
	last    *model.Position // after the last event
	block   int64
}

// WellFor is how long a position must be open and neither distressed nor closed out until its story has ended.
const WellFor = time.Minute

// Outcome is how a story has ended.
type Outcome uint8

// The outcomes of stories.
const (
	IsUnderWay       Outcome = iota
	ClosedOut                // the service has closed out the position
	PartlyClosedOut          // the service has closed out a part of it
	ClosedDistressed         // it was closed while it was distressed
	ClosedRecovered          // it was closed when it was neither distressed nor closed out any more
	SideChanged              // it is long and was short, or the other way
	Recovered                // it is open, and neither distressed nor closed out
	Gone                     // the service no longer has it
)

// Step is a status of a position, and when the position got it.
type Step struct {
	Status  model.Status
	At      time.Time // by the clock of the service
	IsExact bool      // else it got the status at some time before
	SeenAt  time.Time // by the clock of the service
}

// maxSteps is how many steps of a story are kept: the first ones, and the last one.
const maxSteps = 8

// Reference is the state of a position with which a story compares.
type Reference struct {
	Of       ReferenceKind
	At       time.Time // when it was so, by the clock of the service; zero if that is not known
	position *model.Position
	noProfit bool
}

// ReferenceKind is which state a story compares with.
type ReferenceKind uint8

// The kinds of references.
const (
	BeforeTrouble ReferenceKind = iota // the last state before the trouble
	LastSeen                           // an older state: the last one before the trouble was not seen
	FirstSeen                          // the position was in trouble already when it was first seen
)

// Size returns the size of the position before the trouble or, if it was flat then, the first one of the story.
func (s *Story) Size() model.Amount { return s.size }

// Last returns the position after the last event of the story, as far as events keep it.
func (s *Story) Last() *model.Position { return s.last }

// Block returns when the service has updated the position last; 0 if that is not known.
func (s *Story) Block() int64 { return s.block }

// Change returns by how much the realised and unrealised PnL together, and the realised PnL, have changed from the
// reference to a state of the position. The asset has these decimals. Each is not a number if it is not known.
func (s *Story) Change(now *model.Position, decimals int) (total, realised model.Amount) {
	unknown := model.TextAmount("")
	if s.Before.noProfit {
		return unknown, unknown
	}
	difference := func(fields ...model.Field) model.Amount {
		var sum, before model.Sum
		for _, f := range fields {
			sum.Add(now.Number(f))
			before.Add(s.Before.position.Number(f))
		}
		if sum.LeftOut(decimals)+before.LeftOut(decimals) > 0 {
			return unknown
		}
		sum.SubtractSum(before)
		return sum.Amount(decimals)
	}
	return difference(model.RealisedPnl, model.UnrealisedPnl), difference(model.RealisedPnl)
}

// addStep adds the status after an event, if it is another one.
func (s *Story) addStep(e *Event) {
	at, exact := e.At()
	step := Step{e.statuses[1], at, exact, e.SeenAt()}
	switch last := len(s.Steps) - 1; {
	case last >= 0 && s.Steps[last].Status == step.Status:
	case last+1 >= maxSteps:
		s.Steps[last] = step
	default:
		s.Steps = append(s.Steps, step)
	}
}

// takeLast takes the state after an event as the last one of the story.
func (s *Story) takeLast(e *Event) {
	s.addStep(e)
	s.last, s.block = e.After(), 0
	if at, exact := e.At(); exact {
		s.block = at.UnixNano()
	}
}

// end ends a story with an event that gets a number.
func (s *Story) end(e *Event, number uint64, as Outcome) {
	s.Outcome, s.Ended = as, number
	s.EndedAt, s.IsExact = e.At()
}

// outcome returns how a story ends if the position is flat after an event, or has changed its side.
func (s *Story) outcome(e *Event) Outcome {
	has := func(status model.Status) bool { return e.statuses[0] == status || e.statuses[1] == status }
	switch {
	case e.Kinds&Flipped != 0 && s.IsPart:
		return PartlyClosedOut
	case e.Kinds&Flipped != 0:
		return SideChanged
	case has(model.StatusClosedOut), s.IsPart && has(model.StatusDistressed):
		return ClosedOut
	case s.IsPart:
		return PartlyClosedOut
	case has(model.StatusDistressed):
		return ClosedDistressed
	}
	return ClosedRecovered
}

// referenceBefore returns the state before an event as a reference of a story that begins with the event.
func referenceBefore(e *Event) Reference {
	r := Reference{Of: BeforeTrouble, position: e.Before(), noProfit: e.noProfit}
	r.At, _ = model.AmountOf(e.updatedBefore).Time()
	if e.Source != book.ChangedByUpdate {
		r.Of = LastSeen
		if e.updatedBefore == 0 && !r.position.IsOpen() { // it was not in the table
			r = Reference{Of: FirstSeen, At: e.SeenAt(), position: e.After(), noProfit: e.noProfit}
		}
	}
	return r
}
