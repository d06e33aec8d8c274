package model

import "testing"

func TestInstrumentsWithAnotherName(t *testing.T) {
	a, b, m, usd := MakeID("a"), MakeID("b"), MakeID("m"), MakeID("usd")
	before := NewInstruments([]Party{{a, "desk-1"}}, []Market{{ID: m, PriceDecimals: Unscaled, SizeDecimals: Unscaled}}, nil).
		Learn([]MarginLevels{{MarginKey: MarginKey{Key: Key{Market: m}, Asset: usd}}})
	after := before.WithParty(Party{a, "desk-2"}).WithParty(Party{b, "desk-1"}).
		WithMarket(Market{ID: m, Name: "BTC/USD", PriceDecimals: 2, SizeDecimals: 3}).WithAsset(Asset{usd, "USD", 4})

	for name, want := range map[string]ID{"desk-2": a, "desk-1": b, "desk-3": MakeID("desk-3")} {
		if got := after.FindParty(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	if after.CompareParties(a, b) <= 0 {
		t.Error("they are in the order of the names before")
	}
	if got := after.Market(m); got.Name != "BTC/USD" || got.Asset != usd || after.Decimals(OpenVolume, m) != 3 || after.Decimals(RealisedPnl, m) != 4 {
		t.Errorf("%+v", got)
	}
	if got := after.Parties(); len(got) != 2 || got[0] != a {
		t.Errorf("the parties are %v", got)
	}
	if before.FindParty("desk-1") != a || before.Party(b).Name != "" || before.Market(m).Name != "" || len(before.Parties()) != 1 || before.Asset(usd).Symbol != "" {
		t.Error("the instruments before have changed")
	}
	unnamed := after.WithParty(Party{ID: a})
	if unnamed.PartyNamed("desk-2") != (ID{}) || unnamed.Party(a).Label() != "a" || after.PartyNamed("desk-2") != a || after.PartyNamed("b") != b {
		t.Error("a name that was taken away is found, or another one is not")
	}
}

func TestFindAsset(t *testing.T) {
	in := NewInstruments(nil, nil, []Asset{{ID: MakeID("1"), Symbol: "USD"}, {ID: MakeID("2"), Symbol: "EUR"}, {ID: MakeID("3"), Symbol: "EUR"}, {ID: MakeID("4")}})
	for text, want := range map[string]string{"USD": "1", "2": "2", "GBP": "GBP", "EUR": "several", "": ""} {
		id, isOne := in.FindAsset(text)
		got := id.String()
		if !isOne {
			got = "several"
		}
		if got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}
