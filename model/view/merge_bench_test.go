package view

import (
	"fmt"
	"math"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// BenchmarkMerge measures updates like those of a stream: many together, of rows anywhere in the table. The order is by
// trouble, each position has a margin record, and each new profit changes the margin ratio by up to a tenth: most rows
// pass thousands of others.
func BenchmarkMerge(b *testing.B) {
	for _, rows := range []int{1000, million} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s := modeltest.NewSample(1, 2000, 500)
			all := bookOf(s, rows, 12)
			var states []model.Position
			var maintenance []int64
			for p := range all.All {
				states, maintenance = append(states, p), append(maintenance, 1e11+s.Int64N(1e12))
				putRecord(all.Margins(), model.MarginLevels{
					MarginKey:   model.MarginKey{Key: p.Key, Asset: s.Instruments.Market(p.Market).Asset},
					Maintenance: model.AmountOf(maintenance[len(maintenance)-1]), Timestamp: model.AmountOf(1),
				})
			}
			s.Shuffle(len(states), func(i, j int) {
				states[i], states[j] = states[j], states[i]
				maintenance[i], maintenance[j] = maintenance[j], maintenance[i]
			})
			view := New(all, model.Scope{}, Filter{}, Order{Column: TroubleColumn}, s.Instruments)
			const together = 1000
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				if i == len(states) {
					i = 0
				}
				some := states[i : i+together]
				for k := range some {
					profit, _ := some[k].Number(model.UnrealisedPnl).Int64()
					tenth := maintenance[i+k] / 10
					some[k].SetNumber(model.UnrealisedPnl, model.AmountOf(profit+s.Int64N(2*tenth)-tenth))
				}
				i += together
				merge(view, &book.Updates{Positions: some, NotAfter: math.MaxInt64})
			}
			b.ReportMetric(float64(perOp(b).Nanoseconds())/together, "ns/update")
		})
	}
}
