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
			book.Merge(updatesOf(Subscription{}, p))
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
		if !slices.IsSortedFunc(entries, func(a, b entry) int { return cmp.Or(c.compareParties(a, b), c.compareMarkets(a, b)) }) {
			t.Fatal("the codes are not in the order of the labels")
		}
		late := w.position(Subscription{})
		late.Key = Key{MakeID("new party"), MakeID("new market")}
		checkEntry(t, c, c.entryOf(&late))
	}
}

// entryOf returns the entry of p in a table of its own.
func (c *encoder) entryOf(p *Position) entry {
	rows := NewRows()
	rows.Put(p)
	const first = 1 // the number of the first row
	return c.entry(newTable(Subscription{}, uint32(len(c.tables)), rows, false), first)
}

func checkEntry(t *testing.T, c *encoder, e entry) {
	t.Helper()
	row := c.position(e)
	volume := row.Number(OpenVolume)
	switch {
	case c.key(e) != row.Key:
		t.Fatalf("the entry names %v", c.key(e))
	case c.statuses.all()[e.status()] != row.StatusName():
		t.Fatalf("the entry has status %s", c.statuses.all()[e.status()])
	case c.assetOf(e) != c.instruments.Market(row.Market).Asset:
		t.Fatalf("the market settles in %v", c.assetOf(e))
	case (e.open() == 1) != row.IsOpen():
		t.Fatalf("the entry of %+v is open: %d", row, e.open())
	case (e.side() == long) != (volume.Sign() > 0), (e.side() == short) != (volume.Sign() < 0):
		t.Fatalf("the entry of %+v is on side %d", row, e.side())
	}
}

func TestEntriesKeepTheHighestCodesApart(t *testing.T) {
	const most = 1<<idBits - 1
	e := entry{}.withCodes(most, 0, noStatusCode, flat)
	if e.party() != most || e.market() != 0 || e.status() != noStatusCode || e.side() != flat {
		t.Errorf("%x", e.codes)
	}
	e = entry{}.withCodes(0, most, 0, short)
	if e.party() != 0 || e.market() != most || e.status() != 0 || e.side() != short {
		t.Errorf("%x", e.codes)
	}
}
