package view

import (
	"fmt"
	"math"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// BenchmarkMerge measures updates like those of a stream: many together, of rows anywhere in the table, each with a
// new profit near the one before. The order is by trouble, and each position has a margin record.
func BenchmarkMerge(b *testing.B) {
	for _, rows := range []int{1000, million} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s := modeltest.NewSample(1, 2000, 500)
			all := bookOf(s, rows, 12)
			var states []model.Position
			for p := range all.All {
				states = append(states, p)
				putRecord(all.Margins(), model.MarginLevels{
					MarginKey:   model.MarginKey{Key: p.Key, Asset: s.Instruments.Market(p.Market).Asset},
					Maintenance: model.AmountOf(1e11 + s.Int64N(1e12)), Timestamp: model.AmountOf(1),
				})
			}
			s.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
			view := New(all, model.Scope{}, Filter{}, Order{Column: TroubleColumn}, s.Instruments)
			const together = 1000
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				if i == len(states) {
					i = 0
				}
				some := states[i : i+together]
				i += together
				for k := range some {
					profit, _ := some[k].Number(model.UnrealisedPnl).Int64()
					some[k].SetNumber(model.UnrealisedPnl, model.AmountOf(profit+s.Int64N(1+max(profit, -profit)/500)-max(profit, -profit)/1000))
				}
				view.Merge(&book.Updates{Positions: some, NotAfter: math.MaxInt64})
			}
			b.ReportMetric(float64(perOp(b).Nanoseconds())/together, "ns/update")
		})
	}
}
