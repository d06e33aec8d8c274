package view

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

func TestEntriesHaveTheCodesOfTheirRows(t *testing.T) {
	for seed := range uint64(10) {
		w := modeltest.NewWorld(seed, 30, 30)
		all := book.New(0)
		for range 500 {
			p := w.Position(model.Subscription{})
			all.Merge(&book.Updates{Positions: []model.Position{p}, NotAfter: math.MaxInt64, AsIs: true})
		}
		c := newEncoder(all, w.Instruments, nil)
		entries := c.entries(&model.Scope{})
		if len(entries) != all.Len() {
			t.Fatalf("%d entries of %d rows", len(entries), all.Len())
		}
		for _, e := range entries {
			checkEntry(t, c, e)
		}
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.codes, b.codes) })
		if !slices.IsSortedFunc(entries, func(a, b entry) int { return cmp.Or(c.compareParties(a, b), c.compareMarkets(a, b)) }) {
			t.Fatal("the codes are not in the order of the labels")
		}
		late := w.Position(model.Subscription{})
		late.Key = model.Key{Party: model.MakeID("new party"), Market: model.MakeID("new market")}
		rows := book.NewRows()
		rows.Put(&late)
		const first = 1 // the number of the first row
		checkEntry(t, c, c.entry(book.NewTable(model.Subscription{}, uint32(len(c.tables)), rows), first))
	}
}

func checkEntry(t *testing.T, c *encoder, e entry) {
	t.Helper()
	row := c.position(e)
	volume := row.Number(model.OpenVolume)
	switch {
	case c.key(e) != row.Key:
		t.Fatalf("the entry names %v", c.key(e))
	case c.statuses.Values()[e.status()] != row.StatusName():
		t.Fatalf("the entry has status %s", c.statuses.Values()[e.status()])
	case c.assetOf(e) != c.instruments.Market(row.Market).Asset:
		t.Fatalf("the market settles in %v", c.assetOf(e))
	case (e.open() == 1) != row.IsOpen():
		t.Fatalf("open returns %d for the entry of %+v", e.open(), row)
	case (e.side() == model.UnknownSide) != (plainSide(volume) == 2), (e.side() == model.Long) != (plainSide(volume) == 1), (e.side() == model.Short) != (plainSide(volume) == -1):
		t.Fatalf("the entry of %+v is on side %d", row, e.side())
	}
}

func TestEntriesKeepTheHighestCodesApart(t *testing.T) {
	const most = 1<<idBits - 1
	e := entry{}.withCodes(most, 0, noStatusCode, model.Flat)
	if e.party() != most || e.market() != 0 || e.status() != noStatusCode || e.side() != model.Flat {
		t.Errorf("%x", e.codes)
	}
	e = entry{}.withCodes(0, most, 0, model.Short)
	if e.party() != 0 || e.market() != most || e.status() != 0 || e.side() != model.Short {
		t.Errorf("%x", e.codes)
	}
}
