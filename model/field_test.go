package model

import "testing"

// TestDecimalsOfEachKind: each kind of number has its own decimals, and only amounts of an asset are summed.
func TestDecimalsOfEachKind(t *testing.T) {
	asset := MakeID("usdt")
	market := Market{ID: MakeID("btc"), Asset: asset, PriceDecimals: 1, SizeDecimals: 3}
	in := NewInstruments(nil, []Market{market}, []Asset{{ID: asset, Decimals: 2}})
	want := map[counted]int{inSizeDecimals: 3, inPriceDecimals: 1, inAsset: 2, sinceEpoch: 0, withoutUnit: 0}
	for kind := range countedCount {
		decimals, isKnown := want[kind]
		if got := in.decimalsOf(kind, market); !isKnown || got != decimals {
			t.Errorf("kind %d has %d decimals, want %d", kind, got, decimals)
		}
	}
	for _, field := range Summed() {
		if !field.IsAmount() {
			t.Errorf("%s is summed, but is no amount of an asset", field.Name())
		}
	}
}
