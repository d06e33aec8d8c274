package model

import (
	"strconv"
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

// marginOf is a margin record of a market in an asset.
func marginOf(market, asset ID) MarginLevels {
	return MarginLevels{MarginKey: MarginKey{Key: Key{Market: market}, Asset: asset}}
}

func TestLearn(t *testing.T) {
	in := testInstruments()
	a1, a2 := MakeID("a1"), MakeID("a2")
	learned := in.Learn([]MarginLevels{marginOf(MakeID("m1"), a2), marginOf(MakeID("m2"), a2), marginOf(MakeID("m3"), a2), marginOf(MakeID("m3"), a1)})
	for market, want := range map[string]int{"m1": 6, "m2": 2, "m3": 2} {
		if got := learned.Decimals(RealisedPnl, MakeID(market)); got != want {
			t.Errorf("profits in %s have %d decimals, want %d", market, got, want)
		}
	}
	if len(learned.Markets()) != 2 {
		t.Error("a learned market counts as configured")
	}
	if in.Decimals(RealisedPnl, MakeID("m2")) != Unscaled {
		t.Error("learning changed what was known before")
	}
	for _, known := range [][]MarginLevels{nil, {marginOf(MakeID("m2"), a2)}, {marginOf(MakeID("m2"), a1)}, {marginOf(MakeID("m4"), ID{})}} {
		if learned.Learn(known) != learned {
			t.Errorf("%v is not known", known)
		}
	}
}

// TestLearnIsBounded: a service can make up markets without end.
func TestLearnIsBounded(t *testing.T) {
	in, asset := testInstruments(), MakeID("a2")
	for page := range 40 {
		var records []MarginLevels
		for i := range 1000 {
			records = append(records, marginOf(MakeID("made-up-"+strconv.Itoa(1000*page+i)), asset))
		}
		in = in.Learn(records)
	}
	if len(in.learned) != maxLearned {
		t.Errorf("the assets of %d markets are known, want %d", len(in.learned), maxLearned)
	}
	if got := in.Market(MakeID("made-up-0")).Asset; got != asset {
		t.Errorf("the first market settles in %v", got)
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
