package model

import (
	"slices"
	"testing"
)

func TestCorrectedNamesWhatTheBookHadWrong(t *testing.T) {
	watched := Subscription{Epoch: 1}
	held := func(market, volume string) *Position {
		p := &Position{Key: Key{MakeID("a"), MakeID(market)}}
		p.SetNumber(OpenVolume, ParseAmount(volume))
		return p
	}
	known, seen := NewRows(), NewRows()
	for _, p := range []*Position{held("same", "1"), held("other", "2"), held("gone", "3"), held("long", "0001")} {
		known.Put(p)
	}
	for _, p := range []*Position{held("same", "1"), held("other", "5"), held("new", "4"), held("long", "0001")} {
		seen.Put(p)
	}
	book := NewBook().Replaced(watched, known)
	var markets []string
	for _, key := range book.Corrected(watched, seen) {
		markets = append(markets, key.Market.String())
	}
	slices.Sort(markets)
	if want := []string{"gone", "new", "other"}; !slices.Equal(markets, want) {
		t.Errorf("corrected are %v, want %v", markets, want)
	}
	if corrected := book.Corrected(Subscription{Epoch: 2}, seen); corrected != nil {
		t.Errorf("of what was never told, %v counts as wrong", corrected)
	}
}
