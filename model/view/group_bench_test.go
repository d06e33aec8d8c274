package view

import (
	"fmt"
	"math"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// BenchmarkGroups measures a million positions with groups, compared with views without groups: 2,000 parties in 500
// markets, and 100,000 parties in 10.
func BenchmarkGroups(b *testing.B) {
	for _, size := range []struct{ parties, markets int }{{2000, 500}, {100_000, 10}} {
		s := modeltest.NewSample(1, size.parties, size.markets)
		book := bookOf(s, 1_000_000, 12)
		for _, by := range []Grouping{Ungrouped, GroupByParty, GroupByMarket, GroupByAsset} {
			for name, order := range map[string]Order{"in-place": {Column: MarketColumn}, "moving": {Column: UnrealisedColumn}} {
				b.Run(fmt.Sprintf("parties=%d/by=%s/%s", size.parties, by, name), func(b *testing.B) {
					benchmarkGroups(b, s, NewGrouped(book, model.Scope{}, Filter{}, order, Groups{By: by}, s.Instruments))
				})
			}
		}
	}
}

func benchmarkGroups(b *testing.B, s *modeltest.Sample, view *View) {
	b.Run("update", func(b *testing.B) {
		var states []model.Position
		for row := range view.book.All {
			states = append(states, row)
		}
		s.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
		i, u := 0, book.Updates{NotAfter: math.MaxInt64}
		b.ReportAllocs()
		for b.Loop() {
			states[i].SetNumber(model.UnrealisedPnl, model.AmountOf(s.Int64N(1e12)-5e11))
			u.Positions = states[i : i+1]
			i = (i + 1) % len(states)
			merge(view, &u)
		}
	})
	b.Run("filter", func(b *testing.B) {
		for b.Loop() {
			view.Refiltered(Filter{Text: "c1"})
		}
	})
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			view.Folded(FoldAll())
		}
	})
	b.Run("screen", func(b *testing.B) {
		middle := view.Lines() / 2
		key, _ := view.LineKey(middle)
		for b.Loop() {
			place, _ := view.Line(key)
			for i := range 50 {
				view.At(place + i)
			}
		}
	})
}
