package book

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// BenchmarkFill puts 1,000,000 positions into a table, in pages of 50, in no order, as a snapshot brings them.
func BenchmarkFill(b *testing.B) {
	s := modeltest.NewSample(1, 2000, 500)
	rows := make([]model.Position, 0, 1_000_000)
	for _, party := range s.Parties {
		for _, market := range s.Markets {
			p := model.Position{Key: model.Key{Party: party, Market: market}}
			p.SetNumber(model.UpdatedAt, model.AmountOf(int64(len(rows))))
			rows = append(rows, p)
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for b.Loop() {
		table := NewRows()
		for page := range slices.Chunk(rows, 50) {
			table.PutPage(page, math.MaxInt64)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}
