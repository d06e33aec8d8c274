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
	viewWith, viewWithout := viewForEvents(s, rows, func(before, after *model.Position, source book.ChangeSource) {
		if event.NoneBetween(before, after) {
			return
		}
		if e, ok := event.New(before, after, source, time.Now()); ok {
			log.Add(e)
		}
	}), viewForEvents(s, rows, nil)
	var states []model.Position
	for row := range viewWith.book.All {
		states = append(states, row)
	}
	s.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
	var with, without []time.Duration
	merge := func(view *View, u *book.Updates, into *[]time.Duration) {
		start := time.Now()
		view.Merge(u)
		*into = append(*into, time.Since(start))
	}
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
			merge(viewWith, &u, &with)
			merge(viewWithout, &u, &without)
		} else {
			merge(viewWithout, &u, &without)
			merge(viewWith, &u, &with)
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

// viewForEvents returns a view of the given number of rows, the same ones at each call, with an observer unless it is
// nil.
func viewForEvents(s *modeltest.Sample, rows int, observer book.ChangeObserver) *View {
	same := *s
	same.Rand = rand.New(rand.NewPCG(2, 2))
	book := bookOf(&same, rows, 38)
	if observer != nil {
		book.Observe(observer)
	}
	return New(book, model.Scope{}, Filter{}, Order{Column: UnrealisedColumn}, s.Instruments)
}
