package model

import (
	"cmp"
	"slices"
	"testing"
)

func TestEntriesSayWhatIsTrueOfTheirRows(t *testing.T) {
	for seed := range uint64(10) {
		w := newWorld(seed, 30, 30)
		book := NewBook(0)
		for range 500 {
			p := w.position(Subscription{})
			book.Merge(updateOf(Subscription{}, p))
		}
		d := &directory{instruments: w.instruments}
		entries := d.entries(book, &Scope{})
		if len(entries) != book.Len() {
			t.Fatalf("%d entries of %d rows", len(entries), book.Len())
		}
		for _, e := range entries {
			checkEntry(t, d, e)
		}
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.facets, b.facets) })
		in := w.instruments
		if !slices.IsSortedFunc(entries, func(a, b entry) int {
			return cmp.Or(in.compareParties(a.row.Party, b.row.Party), in.compareMarkets(a.row.Market, b.row.Market))
		}) {
			t.Fatal("the numbers do not go up as parties and markets are called")
		}
		late := w.position(Subscription{})
		late.Key = Key{MakeID("new party"), MakeID("new market")}
		checkEntry(t, d, d.entry(&late))
	}
}

func checkEntry(t *testing.T, d *directory, e entry) {
	t.Helper()
	switch {
	case d.parties.all[e.party()] != e.row.Party, d.markets.all[e.market()] != e.row.Market:
		t.Fatalf("the entry names %v %v", d.parties.all[e.party()], d.markets.all[e.market()])
	case d.statuses.all[e.status()] != e.row.StatusName():
		t.Fatalf("the entry has status %s", d.statuses.all[e.status()])
	case d.assets.all[d.settlement[e.market()]] != d.instruments.Market(e.row.Market).Asset:
		t.Fatalf("the market settles in %v", d.assets.all[d.settlement[e.market()]])
	case (e.open() == 1) != e.row.IsOpen():
		t.Fatalf("the entry of %+v is open: %d", e.row, e.open())
	case (e.side() == long) != (e.row.Number(OpenVolume).Sign() > 0), (e.side() == short) != (e.row.Number(OpenVolume).Sign() < 0):
		t.Fatalf("the entry of %+v is on side %d", e.row, e.side())
	}
}
