package sorting

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
		c := NewEncoder(all, w.Instruments, nil)
		entries := c.Entries(&model.Scope{})
		if len(entries) != all.Len() {
			t.Fatalf("%d entries of %d rows", len(entries), all.Len())
		}
		for _, e := range entries {
			checkEntry(t, c, e)
		}
		slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Codes, b.Codes) })
		if !slices.IsSortedFunc(entries, func(a, b Entry) int { return cmp.Or(c.compareParties(a, b), c.compareMarkets(a, b)) }) {
			t.Fatal("the codes are not in the order of the labels")
		}
		late := w.Position(model.Subscription{})
		late.Key = model.Key{Party: model.MakeID("new party"), Market: model.MakeID("new market")}
		rows := book.NewRows()
		rows.Put(&late)
		const first = 1 // the number of the first row
		checkEntry(t, c, c.Entry(book.NewTable(model.Subscription{}, uint32(len(c.tables)), rows), first))
	}
}

func checkEntry(t *testing.T, c *Encoder, e Entry) {
	t.Helper()
	row := c.Position(e)
	volume := row.Number(model.OpenVolume)
	switch {
	case c.Key(e) != row.Key:
		t.Fatalf("the entry names %v", c.Key(e))
	case c.Statuses.Values()[e.Status()] != row.StatusName():
		t.Fatalf("the entry has status %s", c.Statuses.Values()[e.Status()])
	case c.AssetOf(e) != c.Instruments.Market(row.Market).Asset:
		t.Fatalf("the market settles in %v", c.AssetOf(e))
	case (e.Open() == 1) != row.IsOpen():
		t.Fatalf("open returns %d for the entry of %+v", e.Open(), row)
	case e.Side() != sideOf(volume):
		t.Fatalf("the entry of %+v is on side %d", row, e.Side())
	}
}

func TestEntriesKeepTheHighestCodesApart(t *testing.T) {
	const most = 1<<idBits - 1
	e := Entry{}.withCodes(most, 0, NoStatusCode, model.Flat)
	if e.Party() != most || e.Market() != 0 || e.Status() != NoStatusCode || e.Side() != model.Flat {
		t.Errorf("%x", e.Codes)
	}
	e = Entry{}.withCodes(0, most, 0, model.Short)
	if e.Party() != 0 || e.Market() != most || e.Status() != 0 || e.Side() != model.Short {
		t.Errorf("%x", e.Codes)
	}
}

func sideOf(size model.Amount) model.Side {
	if modeltest.ValueOf(size.String(), 0) == nil {
		return model.UnknownSide
	}
	return map[int]model.Side{-1: model.Short, 0: model.Flat, 1: model.Long}[size.Sign()]
}
