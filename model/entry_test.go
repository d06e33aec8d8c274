package model

import (
	"cmp"
	"slices"
	"testing"
)

func TestEntriesHaveTheCodesOfTheirRows(t *testing.T) {
	for seed := range uint64(10) {
		w := newWorld(seed, 30, 30)
		book := NewBook(0)
		for range 500 {
			p := w.position(Subscription{})
			book.Merge(updateOf(Subscription{}, p))
		}
		c := &encoder{instruments: w.instruments}
		entries := c.entries(book, &Scope{})
		if len(entries) != book.Len() {
			t.Fatalf("%d entries of %d rows", len(entries), book.Len())
		}
		for _, e := range entries {
			checkEntry(t, c, e)
		}
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.codes, b.codes) })
		in := w.instruments
		if !slices.IsSortedFunc(entries, func(a, b entry) int {
			return cmp.Or(in.compareParties(a.row.Party, b.row.Party), in.compareMarkets(a.row.Market, b.row.Market))
		}) {
			t.Fatal("the codes are not in the order of the labels")
		}
		late := w.position(Subscription{})
		late.Key = Key{MakeID("new party"), MakeID("new market")}
		checkEntry(t, c, c.entry(&late))
	}
}

func checkEntry(t *testing.T, c *encoder, e entry) {
	t.Helper()
	switch {
	case c.parties.values[e.party()] != e.row.Party, c.markets.values[e.market()] != e.row.Market:
		t.Fatalf("the entry names %v %v", c.parties.values[e.party()], c.markets.values[e.market()])
	case c.statuses.values[e.status()] != e.row.StatusName():
		t.Fatalf("the entry has status %s", c.statuses.values[e.status()])
	case c.assets.values[c.assetCodes[e.market()]] != c.instruments.Market(e.row.Market).Asset:
		t.Fatalf("the market settles in %v", c.assets.values[c.assetCodes[e.market()]])
	case (e.open() == 1) != e.row.IsOpen():
		t.Fatalf("the entry of %+v is open: %d", e.row, e.open())
	case (e.side() == long) != (e.row.Number(OpenVolume).Sign() > 0), (e.side() == short) != (e.row.Number(OpenVolume).Sign() < 0):
		t.Fatalf("the entry of %+v is on side %d", e.row, e.side())
	}
}

func TestEntriesKeepTheHighestCodesApart(t *testing.T) {
	const most = 1<<idBits - 1
	e := newEntry(nil, most, 0, noStatusCode, flat)
	if e.party() != most || e.market() != 0 || e.status() != noStatusCode || e.side() != flat {
		t.Errorf("%x", e.codes)
	}
	e = newEntry(nil, 0, most, 0, short)
	if e.party() != 0 || e.market() != most || e.status() != 0 || e.side() != short {
		t.Errorf("%x", e.codes)
	}
}
