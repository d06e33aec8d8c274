package filter

import (
	"testing"

	"blotter/model"
)

// TestAnEstimateIsComparedWithItsError: a short of one has a loss of 0.00, so its mark price of 0.38410 may be wrong by
// 0.01. What it may be on both sides of a limit does not match.
func TestAnEstimateIsComparedWithItsError(t *testing.T) {
	market, asset := model.MakeID("eth"), model.MakeID("usdt")
	in := model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: 5}}, []model.Asset{{ID: asset, Decimals: 2}})
	p := model.Position{Key: model.Key{Party: model.MakeID("p"), Market: market}}
	p.SetNumber(model.OpenVolume, model.AmountOf(-1))
	p.SetNumber(model.AverageEntryPrice, model.AmountOf(38410))
	for text, want := range map[string]bool{
		"mark>0.37": true, "mark>0.38": false, "mark<0.39": false, "mark<0.4": true, "mark!=0.384": false,
		"notional<-0.3": true, "notional<0": true, "notional>-0.3": false, "notional<-0.38": false, "mark>0.37r": false,
	} {
		query, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := query.Matches(&p, Context{Instruments: in}); got != want {
			t.Errorf("%s matches: %t", text, got)
		}
	}
}
