package view

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/modeltest"
)

// BenchmarkEvents merges the same updates into two views of 100,000 rows in turn, 1,000 at a time: with a log of events
// and without, and compares the times. One update in 20 changes the size, the others only the profit.
func BenchmarkEvents(b *testing.B) {
	const rows, batch = 100_000, 1000
	s := modeltest.NewSample(1, 500, 200)
	log := new(event.Log)
	viewWith, viewWithout := viewForEvents(s, rows), viewForEvents(s, rows)
	var states []model.Position
	for row := range viewWith.book.All {
		states = append(states, row)
	}
	s.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
	var with, without []time.Duration
	note := func(changes []book.Change) {
		for i := range changes {
			c := &changes[i]
			if event.NoneBetween(c.Before, c.After) {
				continue
			}
			if e, ok := event.New(c.Before, c.After, c.Source, time.Now()); ok {
				log.Add(e)
			}
		}
	}
	merge := func(view *View, u book.Updates, note func([]book.Change), into *[]time.Duration) {
		start := time.Now()
		for more := true; more; {
			changes := view.book.ApplyUpdates(&u)
			view.Apply(changes)
			note(changes.Rows)
			more = changes.More
		}
		*into = append(*into, time.Since(start))
	}
	none := func([]book.Change) {}
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		u := book.Updates{Positions: states[at : at+batch], NotAfter: math.MaxInt64}
		for i := range u.Positions {
			u.Positions[i].SetNumber(model.UnrealisedPnl, model.Packed{High: s.Int64() >> 1, Low: s.Uint64()}.Amount())
			if s.IntN(20) == 0 {
				u.Positions[i].SetNumber(model.OpenVolume, model.AmountOf(s.Int64N(9)-4))
			}
		}
		if at = (at + batch) % rows; s.IntN(2) == 0 {
			merge(viewWith, u, note, &with)
			merge(viewWithout, u, none, &without)
		} else {
			merge(viewWithout, u, none, &without)
			merge(viewWith, u, note, &with)
		}
	}
	b.ReportMetric(float64(undisturbed(with))/float64(undisturbed(without)), "x-of-without-events")
	b.ReportMetric(float64(undisturbed(with))/batch, "ns/update")
	b.ReportMetric(float64(log.Count())/float64(b.N*batch), "events/update")
}

// undisturbed returns the time below which a tenth of the times are: those in which no other program used the
// processor.
func undisturbed(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/10]
}

// viewForEvents returns a view of the given number of rows, the same ones at each call.
func viewForEvents(s *modeltest.Sample, rows int) *View {
	same := *s
	same.Rand = rand.New(rand.NewPCG(2, 2))
	return New(bookOf(&same, rows, 38), model.Scope{}, Filter{}, Order{Column: UnrealisedColumn}, s.Instruments)
}
