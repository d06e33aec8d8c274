package record

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// BenchmarkMemory is a second of 50,000 updates to 1,000,000 positions, as they come to the screen, in 30 parts. An
// operation of a millisecond is a thousandth of a core; screen-ms is the part of it for which the screen waits. It is
// full if the oldest updates are folded all the time.
func BenchmarkMemory(b *testing.B) {
	const rows, updates, parts = 1_000_000, 50_000, 30
	for _, name := range []string{"filling", "full"} {
		b.Run(name, func(b *testing.B) {
			m := memoryToDrain(b, 4*time.Hour, 512<<20)
			of, random := model.Subscription{Epoch: 1}, rand.New(rand.NewPCG(1, 2))
			position := func(i int) model.Position {
				p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprintf("%064x", i/500)), Market: model.MakeID(fmt.Sprintf("%064x", i%500))}}
				p.SetNumber(model.OpenVolume, model.AmountOf(int64(i%1000)))
				p.SetNumber(model.AverageEntryPrice, model.AmountOf(int64(i)))
				p.SetNumber(model.UnrealisedPnl, model.AmountOf(random.Int64N(1e12)))
				p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
				return p
			}
			all := book.NewRows()
			for i := range rows {
				p := position(i)
				all.Put(&p)
			}
			links := []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}
			m.Delta(&book.Delta{Links: links, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: all}}})
			m.drain()
			m.seal()
			if name == "full" {
				m.options.Duration = 0
			}
			var waited time.Duration
			for b.Loop() {
				b.StopTimer()
				positions := make([]model.Position, updates)
				for i := range positions {
					positions[i] = position(random.IntN(rows))
				}
				b.StartTimer()
				began := time.Now()
				for i := range parts {
					some := positions[i*updates/parts : (i+1)*updates/parts]
					m.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: some}}})
				}
				waited += time.Since(began)
				m.drain()
			}
			b.ReportMetric(waited.Seconds()*1000/float64(b.N), "screen-ms")
			if m.IsTooSmall() {
				b.Error("nothing was recorded")
			}
		})
	}
}
