package ui

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/store"
)

// BenchmarkEventsFilter types a filter of 100,000 events. It measures, in the median of all keys, the longest Update,
// in which the screen does nothing else, and how long it takes until the result of a key is shown.
func BenchmarkEventsFilter(b *testing.B) {
	type noMsg struct{} // that no part handles
	m := thousandScreen()
	random := rand.New(rand.NewPCG(7, 8))
	for m.store.Events().Len() < event.MaxEvents {
		rows := batch(m, random, 1000)
		for i := range rows {
			rows[i].SetNumber(model.OpenVolume, model.AmountOf(10_000+random.Int64N(80_000)))
		}
		m.Update(store.Received{Delta: updatesOf(all, rows...)})
	}
	for name, text := range map[string]string{"word": "c12", "terms": "c1|c2 side:long size>20000 age<5m"} {
		b.Run(name, func(b *testing.B) {
			var longest, whole []time.Duration // of each key
			for b.Loop() {
				m.show(eventsKind)
				m.Update(keyNamed("/"))
				for _, letter := range text {
					took := []time.Duration{timed(func() { m.Update(keyNamed(string(letter))) })}
					for m.events.GoOn() != nil {
						took = append(took, timed(func() { m.Update(noMsg{}) }))
					}
					sum := time.Duration(0)
					for _, each := range took {
						sum += each
					}
					longest, whole = append(longest, slices.Max(took)), append(whole, sum)
				}
				m.Update(keyNamed("esc"))
			}
			b.ReportMetric(0, "ns/op")
			for unit, times := range map[string][]time.Duration{"ms/longest-update": longest, "ms/key": whole} {
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, unit)
			}
		})
	}
}
