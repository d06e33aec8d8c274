package view

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

// BenchmarkBaseline takes a baseline of a million positions, and counts the changes of all of them.
func BenchmarkBaseline(b *testing.B) {
	for _, digits := range []int{9, 38} {
		s := modeltest.NewSample(1, 2000, 500)
		book := bookOf(s, million, digits)
		b.Run(fmt.Sprintf("digits=%d/take", digits), func(b *testing.B) {
			before := heap()
			for b.Loop() {
				book.Baselines().Take(time.Time{})
			}
			b.ReportMetric(float64(heap()-before)/million, "B/position")
		})
		for _, key := range s.Pairs(million / 2) {
			book.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
		}
		b.Run(fmt.Sprintf("digits=%d/read", digits), func(b *testing.B) {
			for b.Loop() {
				for row := range book.All {
					before, _ := book.Baselines().Current().Row(row.Key)
					before.Change(&row, model.UnrealisedPnl, model.Unscaled)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/million, "ns/position")
		})
		b.Run(fmt.Sprintf("digits=%d/sort", digits), func(b *testing.B) {
			for b.Loop() {
				New(book, model.Scope{}, Filter{}, Order{Column: UnrealisedChangeColumn}, s.Instruments)
			}
		})
	}
}
