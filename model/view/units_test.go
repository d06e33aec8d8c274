package view

import (
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// partlyKnown returns instruments with decimals for the first markets and assets of a sample, without decimals for
// others, and without the last ones.
func partlyKnown(s *modeltest.Sample) *model.Instruments {
	assets := []model.Asset{{ID: s.Identifier(), Symbol: "USDT", Decimals: 6}, {ID: s.Identifier(), Symbol: "raw-10", Decimals: model.Unscaled}, {ID: s.Identifier(), Symbol: "raw-2", Decimals: model.Unscaled}}
	var markets []model.Market
	for i, id := range s.Markets[:len(s.Markets)-3] {
		market := model.Market{ID: id, Name: "", Asset: assets[i%len(assets)].ID, PriceDecimals: model.Unscaled, SizeDecimals: i % 3}
		if i%2 == 0 {
			market.PriceDecimals, market.SizeDecimals = i, model.Unscaled
		}
		markets = append(markets, market)
	}
	return model.NewInstruments(nil, markets, assets)
}

// TestNumbersAreSortedPerUnit: amounts of different assets, and raw numbers of different markets, are never mixed,
// whatever rows are added, changed and removed, also in markets that are new after the view was made.
func TestNumbersAreSortedPerUnit(t *testing.T) {
	for seed := range uint64(8) {
		s := modeltest.NewSample(seed, 4, 16)
		in := partlyKnown(s)
		for _, column := range []Column{SizeColumn, EntryColumn, UnrealisedColumn, RealisedColumn} {
			order := Order{column, seed%2 == 1}
			view := New(book.New(0), model.Scope{}, Filter{ShowClosed: true}, order, in)
			var open plainAssets // when the view was made
			for step := range 400 {
				if step == 200 {
					open = openOfAssets(in, view.InScope)
					view = New(view.Book(), model.Scope{}, Filter{ShowClosed: true}, order, in)
				}
				markets := s.Markets[:min(len(s.Markets), 4+step/25)] // new markets are added
				key := model.Key{Party: s.Parties[s.IntN(4)], Market: markets[s.IntN(len(markets))]}
				p := s.State(key, 1+s.IntN(20))
				if s.IntN(20) == 0 {
					p.SetNumber(model.UnrealisedPnl, model.ParseAmount([]string{"text", "1e3", "-12.5", "0.25"}[s.IntN(4)]))
					p.SetNumber(model.OpenVolume, model.ParseAmount([]string{"1.5", "-2.25e2"}[s.IntN(2)]))
				}
				merge(view, updateOf(model.Subscription{}, p))
			}
			var rows []*model.Position
			for p := range view.Shown {
				rows = append(rows, &p)
			}
			compare := func(p, q *model.Position) int { return plainCompare(order, in, open, plainMargins{}, p, q) }
			if len(rows) != view.Len() || !slices.IsSortedFunc(rows, compare) {
				t.Fatalf("seed %d: %+v is not the order of the %d rows", seed, order, len(rows))
			}
			for _, p := range rows {
				place, ok := view.Place(p.Key)
				if at, _ := view.At(place); !ok || at.Key != p.Key {
					t.Fatalf("seed %d: %+v: a row is not found", seed, order)
				}
			}
		}
	}
}
