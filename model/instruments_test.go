package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func testInstruments() *Instruments {
	return NewInstruments(
		[]Party{{MakeID("p1"), "desk"}, {MakeID("p2"), ""}},
		[]Market{
			{ID: MakeID("m1"), Name: "BTC/USDT", Asset: MakeID("a1"), PriceDecimals: 1, SizeDecimals: 3},
			{ID: MakeID("m2"), PriceDecimals: Unscaled, SizeDecimals: 0},
		},
		[]Asset{{MakeID("a1"), "USDT", 6}, {MakeID("a2"), "", 2}},
	)
}

func TestDecimals(t *testing.T) {
	in := testInstruments()
	for _, c := range []struct {
		field  Field
		market string
		want   int
	}{
		{OpenVolume, "m1", 3}, {AverageEntryPrice, "m1", 1}, {UnrealisedPnl, "m1", 6}, {RealisedPnl, "m1", 6},
		{LossSocialisationAmount, "m1", 6}, {UpdatedAt, "m1", 0},
		{OpenVolume, "m2", 0}, {AverageEntryPrice, "m2", Unscaled}, {UnrealisedPnl, "m2", Unscaled},
		{OpenVolume, "m3", Unscaled}, {AverageEntryPrice, "m3", Unscaled}, {RealisedPnl, "m3", Unscaled}, {UpdatedAt, "m3", 0},
	} {
		if got := in.Decimals(c.field, MakeID(c.market)); got != c.want {
			t.Errorf("field %d has %d decimals in %s, want %d", c.field, got, c.market, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	in := testInstruments()
	for got, want := range map[string]string{
		in.Party(MakeID("p1")).Label():  "desk",
		in.Party(MakeID("p2")).Label():  "p2",
		in.Party(MakeID("p3")).Label():  "p3",
		in.Market(MakeID("m1")).Label(): "BTC/USDT",
		in.Market(MakeID("m3")).Label(): "m3",
		in.Asset(MakeID("a1")).Label():  "USDT",
		in.Asset(MakeID("a2")).Label():  "a2",
	} {
		if got != want {
			t.Errorf("the label is %q, want %q", got, want)
		}
	}
}

// marginRecords returns margin records that name markets and assets, in turn.
func marginRecords(ids ...string) (records []MarginLevels) {
	for i := 0; i < len(ids); i += 2 {
		records = append(records, MarginLevels{MarginKey: MarginKey{Key{Market: MakeID(ids[i])}, MakeID(ids[i+1])}})
	}
	return records
}

func TestLearn(t *testing.T) {
	in := testInstruments()
	learned := in.Learn(marginRecords("m1", "a2", "m2", "a2", "m2", "a1", "m3", "", "m4", "a1"))
	for market, want := range map[string]int{"m1": 6, "m2": Unscaled, "m3": Unscaled, "m4": 6} {
		if got := learned.Decimals(RealisedPnl, MakeID(market)); got != want {
			t.Errorf("profits in %s have %d decimals, want %d", market, got, want)
		}
	}
	if m2 := learned.Market(MakeID("m2")); m2.SizeDecimals != 0 || m2.PriceDecimals != Unscaled {
		t.Errorf("the market has become %+v", m2)
	}
	if len(learned.Markets()) != 2 {
		t.Error("a market of a margin record is configured")
	}
	if in.Decimals(RealisedPnl, MakeID("m2")) != Unscaled || in.Decimals(RealisedPnl, MakeID("m4")) != Unscaled {
		t.Error("the instruments have changed")
	}
	for _, known := range [][]MarginLevels{nil, marginRecords("m1", "a2"), marginRecords("m2", "a1", "m3", ""), marginRecords("m4", "a1")} {
		if learned.Learn(known) != learned {
			t.Errorf("%+v is new", known)
		}
	}
	later := learned.Learn(marginRecords("m5", "a2"))
	if later.Decimals(RealisedPnl, MakeID("m4")) != 6 || later.Decimals(RealisedPnl, MakeID("m5")) != 2 {
		t.Error("a later page drops the earlier assets")
	}
}

// TestAMarketWithRecordsInTwoAssets has no decimals, in whatever order its records come.
func TestAMarketWithRecordsInTwoAssets(t *testing.T) {
	for _, pages := range [][][]MarginLevels{
		{marginRecords("m2", "a1", "m2", "a2")}, {marginRecords("m2", "a2", "m2", "a1")},
		{marginRecords("m2", "a1"), marginRecords("m2", "a2"), marginRecords("m2", "a1")},
		{marginRecords("m2", "a2"), marginRecords("m2", "a1"), marginRecords("m2", "a2")},
	} {
		in := testInstruments()
		for _, page := range pages {
			in = in.Learn(page)
		}
		if got := in.Decimals(RealisedPnl, MakeID("m2")); got != Unscaled {
			t.Errorf("after %+v profits have %d decimals", pages, got)
		}
	}
}

// TestMadeUpMarketsAreBounded: a service sends 50,000 made-up markets on 50 pages.
func TestMadeUpMarketsAreBounded(t *testing.T) {
	in := testInstruments()
	var records []MarginLevels
	for page := range 50 {
		var ids []string
		for i := range 1000 {
			ids = append(ids, fmt.Sprint("made up ", 1000*page+i), "a2")
		}
		records = append(records, marginRecords(ids...)...)
		before := in
		in = in.Learn(records[1000*page:])
		if isNew := in != before; isNew != (page < maxLearned/1000) {
			t.Errorf("page %d is new: %v", page, isNew)
		}
	}
	known := 0
	for _, record := range records {
		if in.Decimals(RealisedPnl, record.Market) == 2 {
			known++
		}
	}
	if known != maxLearned {
		t.Errorf("%d markets have an asset", known)
	}
	if in.Decimals(RealisedPnl, MakeID("m1")) != 6 {
		t.Error("the configured market has lost its asset")
	}
}

// TestAPageCopiesTheInstrumentsOnce counts allocations: a copy for each record would need thousands.
func TestAPageCopiesTheInstrumentsOnce(t *testing.T) {
	var ids []string
	for i := range 1000 {
		ids = append(ids, fmt.Sprint("market ", i), "a2")
	}
	page := marginRecords(ids...)
	in := testInstruments()
	if n := testing.AllocsPerRun(10, func() { in.Learn(page) }); n > 200 {
		t.Errorf("%v allocations for a page of 1000 records", n)
	}
}

func TestFindByNameOrIdentifier(t *testing.T) {
	in := testInstruments()
	for text, want := range map[string]string{"desk": "p1", "p2": "p2", " new ": "new", "": "", "Desk": "Desk"} {
		if got := in.FindParty(text).String(); got != want {
			t.Errorf("party %q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"BTC/USDT": "m1", "m2": "m2", "": ""} {
		if got := in.FindMarket(text).String(); got != want {
			t.Errorf("market %q is %q, want %q", text, got, want)
		}
	}
}

// TestNamesAreSortedInNaturalOrder, in upper and lower case.
func TestNamesAreSortedInNaturalOrder(t *testing.T) {
	want := []string{"Alpha", "beta", "desk-1", "Desk-2", "desk-10", "zeta"}
	var parties []Party
	for _, name := range want {
		parties = append(parties, Party{MakeID("id of " + name), name})
	}
	in := NewInstruments(parties, nil, nil)
	slices.Reverse(parties)
	slices.SortFunc(parties, func(a, b Party) int { return in.CompareParties(a.ID, b.ID) })
	for i, p := range parties {
		if p.Name != want[i] {
			t.Errorf("%d is %s, want %s", i, p.Name, want[i])
		}
	}
}

// TestNamesHaveATotalOrder: a view finds rows by binary search, which needs one.
func TestNamesHaveATotalOrder(t *testing.T) {
	names := []string{"", "1", "9223372036854775809", "9999999999999999999", "99999999999999999999999", strings.Repeat("1", 100_000)}
	for _, a := range []string{"", "0", "1", "01", "10", "b"} {
		for _, b := range []string{"", "0", "1", "01", "b", "-"} {
			for _, c := range []string{"", "0", "1", "b", "c"} {
				names = append(names, a+b+c)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	in := NewInstruments(nil, nil, nil)
	var ids []ID
	for _, name := range names {
		ids = append(ids, MakeID(name))
	}
	slices.SortFunc(ids, in.CompareParties)
	for i, a := range ids {
		for j, b := range ids {
			if got := cmp.Compare(in.CompareParties(a, b), 0); got != cmp.Compare(i, j) {
				t.Fatalf("%.20q and %.20q compare as %d, but are sorted as %d and %d", a, b, got, i, j)
			}
		}
	}
}
