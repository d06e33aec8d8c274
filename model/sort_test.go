package model

import (
	"slices"
	"testing"
)

// TestSortOrdersAsComparersDo sorts rows of few values by their ranks.
func TestSortOrdersAsComparersDo(t *testing.T) {
	for seed := range uint64(10) {
		w := newWorld(seed, 20, 10)
		book := NewBook(0)
		for range 300 {
			p := w.position(Subscription{})
			book.Merge(updateOf(Subscription{}, p))
		}
		for _, column := range sortable {
			for _, descending := range []bool{false, true} {
				order := Order{column, descending}
				d := &directory{instruments: w.instruments}
				entries := d.entries(book, &Scope{})
				order.sort(entries, d)
				if !slices.IsSortedFunc(entries, func(a, b entry) int { return order.wholeComparer(w.instruments)(a.row, b.row) }) {
					t.Fatalf("%+v is not the order of the rows", order)
				}
				if len(entries) != book.Len() {
					t.Fatalf("%d entries of %d rows", len(entries), book.Len())
				}
			}
		}
	}
}
